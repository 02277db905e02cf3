//! What of a resource has a place in a text to Kustomize, which compares places when a validator ran.

use crate::yaml::{Mark, Node, Tag, WriterId};

use super::Resource;

/// What happened to the places that marks do not tell: marks say who wrote a value, and stay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Places {
    /// There were labels when Kustomize last noted something in annotations, which are behind them since, or when it
    /// read the whole resource again, which gave them a place. A validator tells such labels from its own.
    pub labels_are_settled: bool,
    /// Kustomize made the labels anew: what was written until then, by this step at last, has no place.
    labels_are_made_until: Option<WriterId>,
    /// The same of the annotations.
    annotations_are_made_until: Option<WriterId>,
    /// Scalars that a replacement gave another text: the place of each is that of the one that was there.
    kept: Vec<(Mark, Mark)>,
    /// The last JSON patch: Kustomize read everything again after it, so that all that was there has a place.
    read_again: Option<Mark>,
}

/// Where a value stands to Kustomize, and who put it there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    mark: Mark,
    /// The JSON patch after which it was read again.
    read_again: Option<Mark>,
    /// A text without a tag: whoever writes an equal one gives it a tag, which is a change as a place would be.
    is_untagged: bool,
}

impl Place {
    /// Where a value stands that was not read again since.
    pub fn of(node: &Node) -> Self {
        let is_untagged = node.as_scalar().is_some_and(|scalar| scalar.tag == Tag::None);
        Self { mark: node.mark, read_again: None, is_untagged }
    }

    /// The step that put it there.
    pub fn writer(&self) -> WriterId {
        self.read_again.unwrap_or(self.mark).writer
    }

    /// True for a text without a tag.
    pub fn is_untagged(&self) -> bool {
        self.is_untagged
    }
}

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
