//! `validators:` of one kustomization.

use crate::engine::resource::{Change, Place, ResMap, Resource, Slot};
use crate::engine::transform::TransformError;
use crate::engine::yaml::{Entry, Mark, Node, Style, Tag, v1_1_reads_string};

use super::StepKind;
use super::accumulator::Accumulator;
use super::build::{Build, Level};
use super::external::plugin_heading;
use super::functions::FunctionUse;
use super::recorder::Halt;

impl Build<'_> {
    /// Runs every entry of `validators:`; none may change anything but a `validated-by` label, and what is written over
    /// an equal value counts as changed (Kustomize: `ErrorIfNotEqualSets` compares the nodes with their places). A
    /// replacement puts the node itself in place, and what a step other than a patch wrote has no place in a file.
    pub(super) fn validate(
        &mut self,
        level: &Level<'_>,
        acc: &mut Accumulator,
    ) -> Result<(), Halt> {
        let configs =
            self.plugin_configs(level, "validators", &level.kustomization().validators)?;
        for configured in &configs {
            if let Some(composition) = &configured.composition {
                self.compose_aside(level, composition, acc)?;
                continue;
            }
            if self.is_function(level, configured, FunctionUse::Validator) {
                self.external_function(level, configured, FunctionUse::Validator, acc)?;
                continue;
            }
            let heading = plugin_heading(level, configured, StepKind::Validate, "validators");
            let transformer = match self.external_transformer(level, configured) {
                Ok(transformer) => transformer,
                Err(error) => return Err(self.failed_step(heading, error)),
            };
            let kind = configured.config.id.gvk.kind.clone();
            let placing = self.recorder.placing();
            let unplaced = self.unplaced.clone().unwrap_or_default();
            let is_told_apart = |place: &Place| place.is_untagged() && !unplaced.contains(place);
            let is_placed =
                |place: &Place| placing.contains(&place.writer()) && !unplaced.contains(place);
            self.step(heading, acc, |acc, cx| {
                if let Some((_, resource)) = acc.resources.iter().find(|(_, it)| is_validated(it)) {
                    return Err(modified(&resource.id.to_string(), cx.mark));
                }
                if let Some((first, _)) = acc.resources.first_twins() {
                    return Err(modified(&twins(first, &acc.resources), cx.mark));
                }
                acc.resources.take_changes();
                transformer.transform(&mut acc.resources, cx)?;
                let changes = acc.resources.peek_changes();
                if let Some(change) =
                    changes.iter().find(|change| !only_validated_by(change, &is_placed))
                {
                    let changed = change.after.as_ref().or(change.before.as_ref());
                    let id = changed.map(|resource| resource.id.to_string());
                    return Err(modified(&id.unwrap_or_default(), cx.mark));
                }
                let rewrites = match &*kind {
                    "ReplacementTransformer" => false,
                    "ReplicaCountTransformer" | "LabelTransformer" | "AnnotationsTransformer" => cx
                        .unplaced
                        .iter()
                        .flatten()
                        .any(|place| is_placed(place) || is_told_apart(place)),
                    _ => cx.matched > changes.len(),
                };
                if rewrites {
                    return Err(modified("a value was written over an equal one", cx.mark));
                }
                Ok(())
            })?;
        }
        self.record_switched_off(level, &["validators"], StepKind::Validate);
        Ok(())
    }
}

const VALIDATED_BY: &str = "validated-by";

/// True for a resource that has the label before any validator ran. Kustomize takes it out of the result alone, so that
/// the two always differ.
fn is_validated(resource: &Resource) -> bool {
    resource.node.at(&["metadata", "labels", VALIDATED_BY]).is_some()
}

/// True when the label is all that is new. Kustomize compares the nodes of both trees, places in the file included, and
/// labels that were there are made anew, in order and behind all other metadata, when this one is taken out: none of them
/// may have a place, and nothing may have been noted in annotations after them.
fn only_validated_by(change: &Change, has_place: &dyn Fn(&Place) -> bool) -> bool {
    let (Some(before), Some(after)) = (&change.before, &change.after) else { return false };
    if before.previous != after.previous {
        return false;
    }
    let mut node = after.node.clone();
    let labels = before.node.at(&["metadata", "labels"]);
    let is_placed = |node: &Node| has_place(&before.place_of(node));
    let is_made = |labels: &Node| {
        let keys = labels.entries().iter().map(|entry| entry.key.text());
        let metadata = before.node.get("metadata").map(Node::entries).unwrap_or_default();
        // What Kustomize noted before there were labels holds the place of annotations that came later.
        let is_noted =
            |entry: &&Entry| before.has_bookkeeping() && entry.key.text() == Some("annotations");
        let last = metadata.iter().rev().find(|entry| !is_noted(entry));
        let is_last = last.is_some_and(|entry| entry.key.text() == Some("labels"));
        // Those made anew have quotes where they would be misread, and only there.
        let is_string = |node: &Node| {
            node.as_scalar().is_some_and(|scalar| {
                let is_plain = v1_1_reads_string(&scalar.text);
                let style = if is_plain { Style::Plain } else { Style::DoubleQuoted };
                (&scalar.tag, scalar.style) == (&Tag::Str, style)
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

/// Kustomize looks for each resource's like by its id, of which a replacement may have left several.
fn twins(first: Slot, resources: &ResMap) -> String {
    let id = resources.get(first).map(|resource| resource.id.clone()).unwrap_or_default();
    let count = resources.find_current(&id).len();
    format!("id in self matches {count} in other; id: {id}")
}

fn modified(what: &str, mark: Mark) -> TransformError {
    TransformError::Phrase {
        phrase: format!("validator shouldn't modify the resource map: {what}"),
        mark,
        hint: Some("list it under `transformers:` if it is meant to change resources".to_owned()),
    }
}
