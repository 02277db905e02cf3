//! Updates the file positions that values of a resource have in Kustomize.

use crate::yaml::{Mark, Node, WriterId};

use super::bookkeeping::join_annotations;
use super::file_positions::JsonRoundTrip;
use super::{Resource, ValuePosition, ValuePositions};

impl Resource {
    /// Records that Kustomize added its own annotation and thereby rebuilt all annotations
    /// after the other metadata (`SetAnnotations`).
    pub fn mark_annotations_rewritten(&mut self) {
        join_annotations(self);
        self.freeze_label_positions();
        self.places.annotations_are_made_of = self.writers_of("annotations");
        self.unshare_annotations();
    }

    /// Records that a patch overwrote annotations with equal values, which then have the positions
    /// of the patch.
    pub fn mark_annotations_positioned(&mut self) {
        self.places.annotations_are_made_of.clear();
    }

    /// True if the value of an annotation has no file position in Kustomize: it was written before
    /// Kustomize rebuilt the annotations.
    pub fn annotation_lacks_position(&self, value: &Node) -> bool {
        self.places.annotations_are_made_of.contains(&value.mark.writer)
    }

    /// Records that a generator with a behavior was merged into the resource, for which Kustomize
    /// rebuilt the labels after all other metadata (`SetLabels`).
    pub fn mark_labels_rewritten(&mut self) {
        let labels_are_made_of = self.writers_of("labels");
        self.places = ValuePositions { labels_are_made_of, ..ValuePositions::default() };
    }

    /// The writers of a non-empty mapping in the metadata and of its values.
    fn writers_of(&self, field: &str) -> Vec<WriterId> {
        let map = self.node.at(&["metadata", field]).filter(|map| !map.entries().is_empty());
        let values = map.into_iter().flat_map(|map| map.entries().iter().map(|it| &it.value));
        let mut writers = Vec::new();
        map.into_iter().chain(values).for_each(|node| note(node.mark.writer, &mut writers));
        writers
    }

    /// True if the value of a label has no file position in Kustomize: it was written before
    /// Kustomize rebuilt the labels.
    pub fn label_lacks_position(&self, value: &Node) -> bool {
        self.places.labels_are_made_of.contains(&value.mark.writer)
    }

    /// Records that Kustomize converted the resource to JSON and back for this step, and rebuilt
    /// its annotations. If `asks_for_places` is true, the writers of all present values are
    /// recorded.
    pub fn mark_json_round_trip(&mut self, mark: Mark, asks_for_places: bool) {
        self.shared.clear();
        self.mark_annotations_rewritten();
        self.places.labels_are_made_of.clear();
        self.places.read_again = asks_for_places.then(|| {
            let mut written_by = Vec::new();
            for node in self.node.nodes() {
                note(self.kept_mark(node).writer, &mut written_by);
            }
            written_by.retain(|writer| *writer != mark.writer);
            JsonRoundTrip { by: mark, written_by }
        });
    }

    /// Records whether the resource has labels now: present labels keep their file positions or
    /// precede Kustomize's annotations.
    pub(super) fn freeze_label_positions(&mut self) {
        self.places.labels_are_settled = self.node.at(&["metadata", "labels"]).is_some();
    }

    /// Records that null labels have a position: the labels that replace the null keep this
    /// position, whatever their origin.
    pub(super) fn keep_place_of_null_labels(&mut self) {
        if self.node.at(&["metadata", "labels"]).is_some_and(Node::is_null) {
            self.freeze_label_positions();
        }
    }

    /// Records that a replacement wrote a new text into a scalar, which keeps its position.
    pub fn record_kept_position(&mut self, now: Mark, before: Mark) {
        self.places.kept.insert(0, (now, before));
    }

    /// The position of a value before replacements overwrote its text.
    pub fn kept_mark(&self, node: &Node) -> Mark {
        let kept = self.places.kept.iter();
        kept.fold(node.mark, |mark, (now, old)| if mark == *now { *old } else { mark })
    }

    /// The position of a value of this resource.
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
