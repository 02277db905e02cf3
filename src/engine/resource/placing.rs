//! What changes the places of values that Kustomize sees in a resource.

use crate::yaml::{Mark, Node, WriterId};

use super::bookkeeping::join_annotations;
use super::places::ReadAgain;
use super::{Place, Places, Resource};

impl Resource {
    /// Kustomize wrote something of its own among the annotations, which it makes anew then, behind all other metadata
    /// (`SetAnnotations`).
    pub fn annotations_made_anew(&mut self) {
        join_annotations(self);
        self.settle_labels();
        self.places.annotations_are_made_of = self.writers_of("annotations");
        self.unshare_annotations();
    }

    /// A patch wrote over annotations what they were: they have the places of the patch.
    pub fn annotations_have_places(&mut self) {
        self.places.annotations_are_made_of.clear();
    }

    /// True for the value of an annotation that no other than [`Resource::annotations_made_anew`] wrote.
    pub fn is_annotation_made_anew(&self, value: &Node) -> bool {
        self.places.annotations_are_made_of.contains(&value.mark.writer)
    }

    /// A generator with a behavior was merged into the resource: Kustomize made the labels of both anew, behind all other
    /// metadata (`SetLabels`).
    pub fn labels_made_anew(&mut self) {
        let labels_are_made_of = self.writers_of("labels");
        self.places = Places { labels_are_made_of, ..Places::default() };
    }

    /// Who wrote a map of metadata that is not empty, and what is in it.
    fn writers_of(&self, field: &str) -> Vec<WriterId> {
        let map = self.node.at(&["metadata", field]).filter(|map| !map.entries().is_empty());
        let values = map.into_iter().flat_map(|map| map.entries().iter().map(|it| &it.value));
        let mut writers = Vec::new();
        map.into_iter().chain(values).for_each(|node| note(node.mark.writer, &mut writers));
        writers
    }

    /// True for the value of a label that no other than [`Resource::labels_made_anew`] wrote.
    pub fn is_label_made_anew(&self, value: &Node) -> bool {
        self.places.labels_are_made_of.contains(&value.mark.writer)
    }

    /// Kustomize sent the resource through JSON in the name of this step, and made its annotations anew. Where somebody asks
    /// for places, what was there is remembered by who wrote it.
    pub fn read_again(&mut self, mark: Mark, asks_for_places: bool) {
        self.shared.clear();
        self.annotations_made_anew();
        self.places.labels_are_made_of.clear();
        self.places.read_again = asks_for_places.then(|| {
            let mut written_by = Vec::new();
            self.add_writers(&self.node, &mut written_by);
            written_by.retain(|writer| *writer != mark.writer);
            ReadAgain { by: mark, written_by }
        });
    }

    fn add_writers(&self, node: &Node, writers: &mut Vec<WriterId>) {
        note(self.kept_mark(node).writer, writers);
        let values = node.entries().iter().map(|entry| &entry.value);
        for below in values.chain(node.items().unwrap_or_default()) {
            self.add_writers(below, writers);
        }
    }

    /// Labels that are there from now on stand before what Kustomize notes, or have a place.
    pub(super) fn settle_labels(&mut self) {
        self.places.labels_are_settled = self.node.at(&["metadata", "labels"]).is_some();
    }

    /// What takes the place of a null stands where that stood: labels have a place then, wherever they come from.
    pub(super) fn keep_place_of_null_labels(&mut self) {
        if self.node.at(&["metadata", "labels"]).is_some_and(Node::is_null) {
            self.settle_labels();
        }
    }

    /// A replacement wrote a text over that of a scalar, which stays where it is.
    pub fn keeps_place(&mut self, now: Mark, before: Mark) {
        self.places.kept.insert(0, (now, before));
    }

    /// Where a value stood before replacements wrote over its text.
    pub fn kept_mark(&self, node: &Node) -> Mark {
        let kept = self.places.kept.iter();
        kept.fold(node.mark, |mark, (now, old)| if mark == *now { *old } else { mark })
    }

    /// Where a value of it stands.
    pub fn place_of(&self, node: &Node) -> Place {
        let mark = self.kept_mark(node);
        let read_again = self.places.read_again.as_ref();
        let read_again = read_again.filter(|again| again.written_by.contains(&mark.writer));
        Place { mark, read_again: read_again.map(|again| again.by), ..Place::of(node) }
    }
}

fn note(writer: WriterId, writers: &mut Vec<WriterId>) {
    if !writers.contains(&writer) {
        writers.push(writer);
    }
}
