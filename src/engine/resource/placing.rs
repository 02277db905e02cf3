//! Changes of the positions that values of a resource have to Kustomize.

use crate::yaml::{Mark, Node, WriterId};

use super::bookkeeping::join_annotations;
use super::places::JsonRoundTrip;
use super::{Resource, ValuePosition, ValuePositions};

impl Resource {
    /// Kustomize wrote an annotation of its own, and rebuilt all of them after the other metadata
    /// (`SetAnnotations`).
    pub fn mark_annotations_rewritten(&mut self) {
        join_annotations(self);
        self.freeze_label_positions();
        self.places.annotations_are_made_of = self.writers_of("annotations");
        self.unshare_annotations();
    }

    /// A patch overwrote annotations with equal values: they have the positions of the patch.
    pub fn annotations_have_places(&mut self) {
        self.places.annotations_are_made_of.clear();
    }

    /// True for the value of an annotation that only [`Resource::mark_annotations_rewritten`] wrote.
    pub fn is_annotation_rewritten(&self, value: &Node) -> bool {
        self.places.annotations_are_made_of.contains(&value.mark.writer)
    }

    /// A generator with a behavior was merged into the resource: Kustomize rebuilt the labels of
    /// both, after all other metadata (`SetLabels`).
    pub fn mark_labels_rewritten(&mut self) {
        let labels_are_made_of = self.writers_of("labels");
        self.places = ValuePositions { labels_are_made_of, ..ValuePositions::default() };
    }

    /// The writers of a map of metadata that is not empty, and of its values.
    fn writers_of(&self, field: &str) -> Vec<WriterId> {
        let map = self.node.at(&["metadata", field]).filter(|map| !map.entries().is_empty());
        let values = map.into_iter().flat_map(|map| map.entries().iter().map(|it| &it.value));
        let mut writers = Vec::new();
        map.into_iter().chain(values).for_each(|node| note(node.mark.writer, &mut writers));
        writers
    }

    /// True for the value of a label that only [`Resource::mark_labels_rewritten`] wrote.
    pub fn is_label_rewritten(&self, value: &Node) -> bool {
        self.places.labels_are_made_of.contains(&value.mark.writer)
    }

    /// Kustomize sent the resource through JSON for this step, and rebuilt its annotations. If
    /// positions are needed, the values until then are kept with their writers.
    pub fn read_again(&mut self, mark: Mark, asks_for_places: bool) {
        self.shared.clear();
        self.mark_annotations_rewritten();
        self.places.labels_are_made_of.clear();
        self.places.read_again = asks_for_places.then(|| {
            let mut written_by = Vec::new();
            self.add_writers(&self.node, &mut written_by);
            written_by.retain(|writer| *writer != mark.writer);
            JsonRoundTrip { by: mark, written_by }
        });
    }

    fn add_writers(&self, node: &Node, writers: &mut Vec<WriterId>) {
        note(self.kept_mark(node).writer, writers);
        let values = node.entries().iter().map(|entry| &entry.value);
        for below in values.chain(node.items().unwrap_or_default()) {
            self.add_writers(below, writers);
        }
    }

    /// Labels that exist from now on precede Kustomize's annotations, or have a position.
    pub(super) fn freeze_label_positions(&mut self) {
        self.places.labels_are_settled = self.node.at(&["metadata", "labels"]).is_some();
    }

    /// The replacement of a null has its position: labels then have one, whatever their origin.
    pub(super) fn keep_place_of_null_labels(&mut self) {
        if self.node.at(&["metadata", "labels"]).is_some_and(Node::is_null) {
            self.freeze_label_positions();
        }
    }

    /// A replacement wrote a text over that of a scalar, which stays where it is.
    pub fn keeps_place(&mut self, now: Mark, before: Mark) {
        self.places.kept.insert(0, (now, before));
    }

    /// The position of a value before replacements overwrote its text.
    pub fn kept_mark(&self, node: &Node) -> Mark {
        let kept = self.places.kept.iter();
        kept.fold(node.mark, |mark, (now, old)| if mark == *now { *old } else { mark })
    }

    /// The position of one of its values.
    pub fn place_of(&self, node: &Node) -> ValuePosition {
        let mark = self.kept_mark(node);
        let read_again = self.places.read_again.as_ref();
        let read_again = read_again.filter(|again| again.written_by.contains(&mark.writer));
        ValuePosition {
            mark,
            read_again: read_again.map(|again| again.by),
            ..ValuePosition::from_node(node)
        }
    }
}

fn note(writer: WriterId, writers: &mut Vec<WriterId>) {
    if !writers.contains(&writer) {
        writers.push(writer);
    }
}
