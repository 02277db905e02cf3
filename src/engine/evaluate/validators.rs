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
    /// Runs every entry of `validators:`. Kustomize compares the nodes before and after a plugin,
    /// with their positions in files. Here, a plugin may only add the label `validated-by` to
    /// resources without labels; every other write is refused, also of an equal value.
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

/// Runs a validator; fails if it changes more than the label `validated-by`.
fn check(
    transformer: &dyn Transformer,
    resources: &mut ResMap,
    cx: &mut Context<'_>,
) -> Result<(), TransformError> {
    resources.take_changes();
    transformer.transform(resources, cx)?;
    let changes = resources.peek_changes().into_iter().filter(Change::is_visible);
    let changes: Vec<Change> = changes.collect();
    if let Some(change) = changes.iter().find(|change| !adds_only_validated_by(change)) {
        let changed = change.after.as_ref().or(change.before.as_ref());
        let id = changed.map(|resource| resource.id.to_string());
        return Err(validator_changed_error(id.unwrap_or_default(), cx.mark));
    }
    if cx.matched > changes.len() {
        let what = "a value was written over an equal one";
        return Err(validator_changed_error(what.to_owned(), cx.mark));
    }
    Ok(())
}

/// True if the only change is the label `validated-by` of a resource that had no labels.
fn adds_only_validated_by(change: &Change) -> bool {
    let (Some(before), Some(after)) = (&change.before, &change.after) else { return false };
    let labels = after.node.at(&["metadata", "labels"]).map(Node::entries).unwrap_or_default();
    let mut node = after.node.clone();
    if let ([label], Some(metadata)) = (labels, node.get_mut("metadata"))
        && label.key.text() == Some("validated-by")
    {
        metadata.remove("labels");
    }
    before.names.previous() == after.names.previous() && node.same_content(&before.node)
}
