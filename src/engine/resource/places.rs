//! What of a resource has a place in a text to Kustomize, which compares places when a validator ran.

use crate::yaml::{Mark, Node, Tag, WriterId};

/// What happened to the places that marks do not tell: marks say who wrote a value, and stay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Places {
    /// There were labels when Kustomize last noted something in annotations, which are behind them since, or when it
    /// read the whole resource again, which gave them a place. A validator tells such labels from its own.
    pub labels_are_settled: bool,
    /// Kustomize made the labels anew: what these steps had written until then has no place. Which of two steps came first
    /// is not told by their numbers, which they keep from one build to the next.
    pub(super) labels_are_made_of: Vec<WriterId>,
    /// The same of the annotations.
    pub(super) annotations_are_made_of: Vec<WriterId>,
    /// Scalars that a replacement gave another text: the place of each is that of the one that was there.
    pub(super) kept: Vec<(Mark, Mark)>,
    /// Kustomize read everything again, so that all that was there has a place.
    pub(super) read_again: Option<ReadAgain>,
    /// There were annotations when Kustomize first noted something among them: they stand where they stood.
    pub annotations_are_settled: bool,
}

/// What was there when Kustomize sent a resource through JSON.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReadAgain {
    /// The JSON patch.
    pub(super) by: Mark,
    /// The other steps that had written something until then.
    pub(super) written_by: Vec<WriterId>,
}

/// Where a value stands to Kustomize, and who put it there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub(super) mark: Mark,
    /// The JSON patch after which it was read again.
    pub(super) read_again: Option<Mark>,
    /// A text without a tag: whoever writes an equal one gives it a tag, which is a change as a place would be.
    pub(super) is_untagged: bool,
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
