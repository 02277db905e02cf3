//! `validators:` of one kustomization.

use crate::diagnostic::ResourceFault;
use crate::manifest::{Builtin, KustomizationField};
use crate::resource::{Change, ResMap, Resource, Slot};
use crate::transform::{Context, TransformError, Transformer};
use crate::yaml::{Mark, Node};

use super::StepKind;
use super::accumulator::Accumulator;
use super::build::Build;
use super::configured::plugin_heading;
use super::functions::FunctionUse;
use super::level::ActiveLayer;
use super::recorder::BuildAbort;

impl Build<'_> {
    /// Runs every entry of `validators:`. A validator may change only the label `validated-by`;
    /// writing an equal value counts as a change, because Kustomize's `ErrorIfNotEqualSets` also
    /// compares the file positions of nodes. (A value of an earlier transformer has no position in
    /// Kustomize; this is not followed.) A replacement inserts the original node.
    pub(super) fn validate(
        &mut self,
        level: &ActiveLayer<'_>,
        acc: &mut Accumulator,
    ) -> Result<(), BuildAbort> {
        let configs =
            self.plugin_configs(level, "validators", &level.kustomization().validators)?;
        for configured in &configs {
            if let Some(composition) = &configured.composition {
                self.compose_on_copy(level, composition, acc)?;
                continue;
            }
            if self.is_function(level, configured, FunctionUse::Validator) {
                self.external_function(level, configured, FunctionUse::Validator, acc)?;
                continue;
            }
            let heading = plugin_heading(level, configured, StepKind::Validate, "validators");
            let transformer = match self.external_transformer(level, configured) {
                Ok(transformer) => transformer,
                Err(error) => {
                    self.handle_config_error(heading, error)?;
                    continue;
                }
            };
            let builtin = heading.builtin;
            self.step(heading, acc, |acc, cx| {
                check(&*transformer, builtin, &mut acc.resources, cx)
            })?;
        }
        self.record_switched_off(level, &[KustomizationField::Validators], StepKind::Validate);
        Ok(())
    }
}

/// Runs one validator and fails if it changed resources.
fn check(
    transformer: &dyn Transformer,
    builtin: Option<Builtin>,
    resources: &mut ResMap,
    cx: &mut Context<'_>,
) -> Result<(), TransformError> {
    let forgets = resources.set_skips_changes(false);
    let checked = run_and_check_unchanged(transformer, builtin, resources, cx);
    resources.set_skips_changes(forgets);
    checked
}

/// Runs a validator; fails if it changes more than the label `validated-by`.
fn run_and_check_unchanged(
    transformer: &dyn Transformer,
    builtin: Option<Builtin>,
    resources: &mut ResMap,
    cx: &mut Context<'_>,
) -> Result<(), TransformError> {
    if let Some((_, resource)) = resources.iter().find(|(_, it)| is_validated(it)) {
        return Err(validator_changed_error(&resource.id.to_string(), cx.mark));
    }
    if let Some((first, _)) = resources.first_duplicate_ids() {
        return Err(validator_changed_error(&duplicate_id_message(first, resources), cx.mark));
    }
    resources.take_changes();
    transformer.transform(resources, cx)?;
    let changes = resources.peek_changes();
    let changed = changes.iter().find(|change| !changes_only_validated_by(change));
    if let Some(changed) = changed {
        let resource = changed.after.as_ref().or(changed.before.as_ref());
        let id = resource.map(|resource| resource.id.to_string());
        return Err(validator_changed_error(&id.unwrap_or_default(), cx.mark));
    }
    let count = changes.iter().filter(|change| !change.is_rewrite()).count();
    if builtin != Some(Builtin::ReplacementTransformer) && cx.matched > count {
        return Err(validator_changed_error("a value was written over an equal one", cx.mark));
    }
    Ok(())
}

const VALIDATED_BY: &str = "validated-by";

/// True for a resource that has the label `validated-by` before any validator ran. Kustomize
/// removes this label only from the result, so that its comparison always fails.
fn is_validated(resource: &Resource) -> bool {
    resource.node.at(&["metadata", "labels", VALIDATED_BY]).is_some()
}

/// True if the label `validated-by` is the only change, in a resource that had no labels: to remove
/// it, Kustomize recreates the other labels, without their file positions.
fn changes_only_validated_by(change: &Change) -> bool {
    let (Some(before), Some(after)) = (&change.before, &change.after) else { return false };
    if before.names.previous() != after.names.previous() {
        return false;
    }
    let mut node = after.node.clone();
    let had_labels = before.node.at(&["metadata", "labels"]).is_some();
    if is_validated(after)
        && !had_labels
        && let Some(metadata) = node.get_mut("metadata").and_then(Node::as_mapping_mut)
        && let Some(validated) = metadata.get_mut("labels").and_then(Node::as_mapping_mut)
    {
        validated.remove(VALIDATED_BY);
        if validated.entries.is_empty() {
            metadata.remove("labels");
        }
    }
    node.same_content(&before.node)
}

/// Kustomize's message for an id that several resources have, as a replacement may cause.
fn duplicate_id_message(first: Slot, resources: &ResMap) -> String {
    let id = resources.get(first).map(|resource| resource.id.clone()).unwrap_or_default();
    let count = resources.find_current(&id).len();
    format!("id in self matches {count} in other; id: {id}")
}

fn validator_changed_error(what: &str, mark: Mark) -> TransformError {
    let hint = "list it under `transformers:` if it is meant to change resources";
    TransformError::fault(ResourceFault::ChangedByValidator(what.to_owned()), mark).with_hint(hint)
}
