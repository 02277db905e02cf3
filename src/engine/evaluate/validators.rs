//! `validators:` of one kustomization.

use crate::manifest::KustomizationField;
use crate::plugin::validator_changed_error;
use crate::resource::{Change, ResMap};
use crate::transform::{Context, TransformError, Transformer};
use crate::yaml::Node;

use super::StepKind;
use super::build::Build;
use super::configured::PluginUse;
use super::level::ActiveLayer;
use super::recorder::BuildAbort;

impl Build<'_> {
    /// Runs every entry of `validators:`. A validator may change only the label `validated-by`;
    /// writing an equal value counts as a change, because Kustomize's `ErrorIfNotEqualSets` also
    /// compares the file positions of nodes.
    pub(super) fn validate(&mut self, level: &ActiveLayer<'_>) -> Result<(), BuildAbort> {
        let configs =
            self.plugin_configs(level, PluginUse::Validator, &level.kustomization().validators)?;
        for configured in &configs {
            if let Some(composition) = &configured.composition {
                self.compose_on_copy(level, composition)?;
                continue;
            }
            if self.is_function(configured) {
                self.external_function(configured)?;
                continue;
            }
            let heading = configured.heading();
            let transformer = match self.external_transformer(configured) {
                Ok(transformer) => transformer,
                Err(error) => {
                    self.handle_config_error(heading, error)?;
                    continue;
                }
            };
            self.step(heading, |acc, cx| {
                let skips = acc.resources.set_skips_changes(false);
                let checked = check(&*transformer, &mut acc.resources, cx);
                acc.resources.set_skips_changes(skips);
                checked
            })?;
        }
        self.record_switched_off(level, &[KustomizationField::Validators], StepKind::Validate);
        Ok(())
    }
}

/// Runs a validator; fails if it writes a value, even an equal one, other than the label
/// `validated-by` of a resource without labels.
fn check(
    transformer: &dyn Transformer,
    resources: &mut ResMap,
    cx: &mut Context<'_>,
) -> Result<(), TransformError> {
    resources.take_changes();
    transformer.transform(resources, cx)?;
    let changes = resources.peek_changes();
    if let Some(change) = changes.iter().find(|change| !adds_only_label(change)) {
        let resource = change.after.as_ref().or(change.before.as_ref());
        let id = resource.map(|resource| resource.id.to_string());
        return Err(validator_changed_error(id.unwrap_or_default(), cx.mark));
    }
    if cx.matched > changes.iter().filter(|change| !change.is_rewrite()).count() {
        let what = "a value was written over an equal one";
        return Err(validator_changed_error(what.to_owned(), cx.mark));
    }
    Ok(())
}

/// True if the label `validated-by` is the only change, and the resource had no labels: Kustomize
/// creates other labels again, and compares their file positions too.
fn adds_only_label(change: &Change) -> bool {
    let (Some(before), Some(after)) = (&change.before, &change.after) else { return false };
    if before.names.previous() != after.names.previous() {
        return false;
    }
    let mut node = after.node.clone();
    if before.node.at(&["metadata", "labels"]).is_none()
        && let Some(metadata) = node.get_mut("metadata").and_then(Node::as_mapping_mut)
        && let Some(labels) = metadata.get_mut("labels").and_then(Node::as_mapping_mut)
    {
        labels.remove("validated-by");
        if labels.entries.is_empty() {
            metadata.remove("labels");
        }
    }
    node.same_content(&before.node)
}
