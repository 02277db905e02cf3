//! What of a resource has a place in a text to Kustomize, which compares places when a validator ran.

use crate::engine::yaml::Mark;

use super::Resource;

/// What happened to the places that marks do not tell: marks say who wrote a value, and stay.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Places {
    /// There were labels when Kustomize last noted something in annotations, which are behind them since, or when it
    /// read the whole resource again, which gave them a place. A validator tells such labels from its own.
    pub labels_are_settled: bool,
    /// Kustomize made the annotations anew, so that their values have no place until a patch writes some.
    pub annotations_are_made: bool,
    /// The last JSON patch: Kustomize read everything again after it, so that all that was there has a place.
    read_again: Option<Mark>,
}

impl Resource {
    /// Kustomize wrote something of its own among the annotations, which it makes anew then, behind all other metadata
    /// (`SetAnnotations`).
    pub fn annotations_made_anew(&mut self) {
        self.settle_labels();
        self.places.annotations_are_made = true;
        self.unshare_annotations();
    }

    /// Kustomize sent the resource through JSON in the name of this step, and made its annotations anew.
    pub fn read_again(&mut self, mark: Mark) {
        self.shared.clear();
        self.annotations_made_anew();
        self.places.read_again = Some(mark);
    }

    /// Labels that are there from now on stand before what Kustomize notes, or have a place.
    pub(super) fn settle_labels(&mut self) {
        self.places.labels_are_settled = self.node.at(&["metadata", "labels"]).is_some();
    }

    /// Where Kustomize would say that a value stands: what was there at the last JSON patch was read again by it.
    pub fn place_of(&self, mark: Mark) -> Mark {
        self.places.read_again.filter(|again| mark.writer < again.writer).unwrap_or(mark)
    }
}
