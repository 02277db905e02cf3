//! `validators:` of one kustomization.

use crate::manifest::KustomizationField;
use crate::plugin::validator_changed_error;
use crate::resource::{Change, ResMap, Resource, Slot};
use crate::transform::{Context, TransformError, Transformer};

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

/// Runs a validator; fails if it changes more than the label `validated-by`.
fn check(
    transformer: &dyn Transformer,
    resources: &mut ResMap,
    cx: &mut Context<'_>,
) -> Result<(), TransformError> {
    if let Some((_, resource)) = resources.iter().find(|(_, it)| is_validated(it)) {
        return Err(validator_changed_error(resource.id.to_string(), cx.mark));
    }
    if let Some((first, _)) = resources.first_duplicate_ids() {
        return Err(validator_changed_error(duplicate_id_message(first, resources), cx.mark));
    }
    resources.take_changes();
    transformer.transform(resources, cx)?;
    let changes = resources.peek_changes();
    if let Some(changed) = changes.iter().find(|change| !changes_only_validated_by(change)) {
        let resource = changed.after.as_ref().or(changed.before.as_ref());
        let id = resource.map(|resource| resource.id.to_string());
        return Err(validator_changed_error(id.unwrap_or_default(), cx.mark));
    }
    if cx.matched > changes.iter().filter(|change| !change.is_rewrite()).count() {
        let what = "a value was written over an equal one";
        return Err(validator_changed_error(what.to_owned(), cx.mark));
    }
    Ok(())
}

const VALIDATED_BY: &str = "validated-by";

/// True for a resource that has the label `validated-by` before any validator ran. Kustomize
/// removes this label only from the result, so that its comparison always fails.
fn is_validated(resource: &Resource) -> bool {
    resource.node.at(&["metadata", "labels", VALIDATED_BY]).is_some()
}

/// True if the label `validated-by`, of a resource without labels, is the only change. To remove the
/// label, Kustomize recreates all labels, which it detects as a change of those in a file.
fn changes_only_validated_by(change: &Change) -> bool {
    let (Some(before), Some(after)) = (&change.before, &change.after) else { return false };
    let mut node = after.node.clone();
    if before.node.at(&["metadata", "labels"]).is_none()
        && let Some(metadata) = node.get_mut("metadata")
        && let Some(labels) = metadata.get_mut("labels")
    {
        labels.remove(VALIDATED_BY);
        if labels.is_empty_collection() {
            metadata.remove("labels");
        }
    }
    before.names.previous() == after.names.previous() && node.same_content(&before.node)
}

/// Kustomize's message for an id that several resources have, as a replacement may cause.
fn duplicate_id_message(first: Slot, resources: &ResMap) -> String {
    let id = resources.get(first).map(|resource| resource.id.clone()).unwrap_or_default();
    let count = resources.find_current(&id).len();
    format!("id in self matches {count} in other; id: {id}")
}
