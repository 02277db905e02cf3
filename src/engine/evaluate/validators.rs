//! `validators:` of one kustomization.

use indexmap::IndexSet;

use crate::manifest::{Builtin, EqualWrite, KustomizationField};
use crate::plugin::validator_changed_error;
use crate::resource::{Change, ResMap, Resource, Slot, ValuePosition};
use crate::transform::{Context, TransformError, Transformer};
use crate::yaml::{MappingEntry, Node, Tag, WriterId, new_string_style};

use super::StepKind;
use super::build::Build;
use super::configured::PluginUse;
use super::level::ActiveLayer;
use super::recorder::BuildAbort;

impl Build<'_> {
    /// Runs every entry of `validators:`. A validator may change only the label `validated-by`;
    /// writing an equal value counts as a change, because Kustomize's `ErrorIfNotEqualSets` also
    /// compares the file positions of nodes. A replacement inserts the original node, and values
    /// written by a step other than a patch have no file position.
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
            let builtin = heading.builtin;
            let placed = PlacedNodes {
                by: self.recorder.positioned_writers(),
                unplaced: self.carried.unplaced.clone().unwrap_or_default(),
            };
            self.step(heading, |acc, cx| {
                let skips = acc.resources.set_skips_changes(false);
                let checked = check(&*transformer, builtin, &placed, &mut acc.resources, cx);
                acc.resources.set_skips_changes(skips);
                checked
            })?;
        }
        self.record_switched_off(level, &[KustomizationField::Validators], StepKind::Validate);
        Ok(())
    }
}

/// The nodes that have a file position in Kustomize.
struct PlacedNodes {
    by: IndexSet<WriterId>,
    unplaced: IndexSet<ValuePosition>,
}

impl PlacedNodes {
    fn has(&self, place: &ValuePosition) -> bool {
        self.by.contains(&place.writer()) && !self.unplaced.contains(place)
    }

    /// True if Kustomize can distinguish the node from an equal value written over it.
    fn is_distinguishable(&self, place: &ValuePosition) -> bool {
        self.has(place) || place.is_untagged() && !self.unplaced.contains(place)
    }
}

/// Runs a validator; fails if it changes more than the label `validated-by`.
fn check(
    transformer: &dyn Transformer,
    builtin: Option<Builtin>,
    placed: &PlacedNodes,
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
    let below = count_hidden_entries(resources);
    transformer.transform(resources, cx)?;
    let put_below = count_hidden_entries(resources).into_iter().find(|now| !below.contains(now));
    let changes = resources.peek_changes();
    let equal_write = builtin.map_or(EqualWrite::Always, Builtin::equal_write);
    let changed = changes.iter().find(|change| !changes_only_validated_by(change, placed));
    let changed = changed.map(|change| change.after.as_ref().or(change.before.as_ref()));
    if put_below.is_some() || changed.is_some() {
        let below = put_below.and_then(|(slot, _)| resources.get(slot));
        let id = below.or(changed.flatten()).map(|resource| resource.id.to_string());
        return Err(validator_changed_error(id.unwrap_or_default(), cx.mark));
    }
    let tells_apart = || cx.unplaced.iter().flatten().any(|place| placed.is_distinguishable(place));
    let rewrites = match equal_write {
        EqualWrite::Never => false,
        EqualWrite::ByPosition => tells_apart(),
        EqualWrite::Always => {
            cx.matched > changes.iter().filter(|change| !change.is_rewrite()).count()
        }
    };
    if rewrites {
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

/// The number of nodes below null values in each resource. They are not printed, but Kustomize
/// compares them.
fn count_hidden_entries(resources: &ResMap) -> Vec<(Slot, usize)> {
    let counts = resources.iter().map(|(slot, it)| (slot, it.node.count_hidden_entries()));
    counts.filter(|(_, count)| *count > 0).collect()
}

/// True if the label `validated-by` is the only change. Kustomize compares the nodes of both trees
/// with their file positions. To remove the label it recreates the other labels, sorted and after
/// all other metadata: so no label may have a file position, and annotations must not have been
/// recorded after them.
fn changes_only_validated_by(change: &Change, placed: &PlacedNodes) -> bool {
    let (Some(before), Some(after)) = (&change.before, &change.after) else { return false };
    if before.names.previous() != after.names.previous() {
        return false;
    }
    let mut node = after.node.clone();
    let labels = before.node.at(&["metadata", "labels"]);
    let is_placed =
        |node: &Node| !before.label_lacks_position(node) && placed.has(&before.place_of(node));
    let is_made = |labels: &Node| {
        let keys = labels.entries().iter().map(|entry| entry.key.text());
        let metadata = before.node.get("metadata").map(Node::entries).unwrap_or_default();
        // Internal annotations that were added before the labels reserve the position of later
        // annotations.
        let are_noted = before.has_bookkeeping() && !before.places.annotations_are_settled;
        let is_noted = |entry: &&MappingEntry| are_noted && entry.key.text() == Some("annotations");
        let last = metadata.iter().rev().find(|entry| !is_noted(entry));
        let is_last = last.is_some_and(|entry| entry.key.text() == Some("labels"));
        // A recreated value is quoted only if it would otherwise not be read as a string.
        let is_string = |node: &Node| {
            node.as_scalar().is_some_and(|scalar| {
                (&scalar.tag, scalar.style) == (&Tag::Str, new_string_style(&scalar.text))
            })
        };
        is_last
            && !before.places.labels_are_settled
            && !is_placed(labels)
            && labels
                .entries()
                .iter()
                .all(|entry| !is_placed(&entry.value) && is_string(&entry.value))
            && keys.is_sorted()
    };
    if is_validated(after)
        && labels.is_none_or(is_made)
        && let Some(metadata) = node.get_mut("metadata").and_then(Node::as_mapping_mut)
        && let Some(validated) = metadata.get_mut("labels").and_then(Node::as_mapping_mut)
    {
        validated.remove(VALIDATED_BY);
        if validated.entries.is_empty() && labels.is_none() {
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
