//! What changes the places of values that Kustomize sees in a resource.

use crate::yaml::{Mark, Node, WriterId};

use super::{Place, Places, Resource};

impl Resource {
    /// Kustomize wrote something of its own among the annotations, which it makes anew then, behind all other metadata
    /// (`SetAnnotations`).
    pub fn annotations_made_anew(&mut self) {
        self.settle_labels();
        self.places.annotations_are_made_until = self.last_writer("annotations");
        self.unshare_annotations();
    }

    /// A patch wrote over annotations what they were: they have the places of the patch.
    pub fn annotations_have_places(&mut self) {
        self.places.annotations_are_made_until = None;
    }

    /// True for the value of an annotation that no other than [`Resource::annotations_made_anew`] wrote.
    pub fn is_annotation_made_anew(&self, value: &Node) -> bool {
        self.places.annotations_are_made_until.is_some_and(|until| value.mark.writer <= until)
    }

    /// A generator with a behavior was merged into the resource: Kustomize made the labels of both anew, behind all other
    /// metadata (`SetLabels`).
    pub fn labels_made_anew(&mut self) {
        let labels_are_made_until = self.last_writer("labels");
        self.places = Places { labels_are_made_until, ..Places::default() };
    }

    fn last_writer(&self, field: &str) -> Option<WriterId> {
        let entries = self.node.at(&["metadata", field]).map(Node::entries).unwrap_or_default();
        entries.iter().map(|entry| entry.value.mark.writer).max()
    }

    /// True for the value of a label that no other than [`Resource::labels_made_anew`] wrote.
    pub fn is_label_made_anew(&self, value: &Node) -> bool {
        self.places.labels_are_made_until.is_some_and(|until| value.mark.writer <= until)
    }

    /// Kustomize sent the resource through JSON in the name of this step, and made its annotations anew.
    pub fn read_again(&mut self, mark: Mark) {
        self.shared.clear();
        self.annotations_made_anew();
        self.places.labels_are_made_until = None;
        self.places.read_again = Some(mark);
    }

    /// Labels that are there from now on stand before what Kustomize notes, or have a place.
    pub(super) fn settle_labels(&mut self) {
        self.places.labels_are_settled = self.node.at(&["metadata", "labels"]).is_some();
    }

    /// A replacement wrote a text over that of a scalar, which stays where it is.
    pub fn keeps_place(&mut self, now: Mark, before: Mark) {
        self.places.kept.insert(0, (now, before));
    }

    /// Where a value of it stands.
    pub fn place_of(&self, node: &Node) -> Place {
        let kept = self.places.kept.iter();
        let mark = kept.fold(node.mark, |mark, (now, old)| if mark == *now { *old } else { mark });
        let read_again = self.places.read_again.filter(|again| mark.writer < again.writer);
        Place { mark, read_again, ..Place::of(node) }
    }
}
