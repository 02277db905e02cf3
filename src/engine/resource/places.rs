//! The values of a resource that have a position in a text to Kustomize, which compares positions
//! after a validator ran.

use crate::yaml::{Mark, Node, Tag, WriterId};

/// Positions that marks do not contain: a mark is the writer of a value, and is kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValuePositions {
    /// The labels existed when Kustomize last wrote an annotation of its own (annotations follow
    /// them since), or when it read the whole resource again, which gave them positions. For a
    /// validator such labels differ from its own.
    pub labels_are_settled: bool,
    /// Kustomize rebuilt the labels: the values of these steps until then have no position. The
    /// order of two steps does not follow from their numbers, which they keep from one build to the
    /// next.
    pub(super) labels_are_made_of: Vec<WriterId>,
    /// The same for annotations.
    pub(super) annotations_are_made_of: Vec<WriterId>,
    /// Scalars with another text by a replacement: each has the place of its predecessor.
    pub(super) kept: Vec<(Mark, Mark)>,
    /// Kustomize read everything again, so that all values until then have a place.
    pub(super) read_again: Option<JsonRoundTrip>,
    /// Annotations existed when Kustomize first wrote one of its own among them: they keep their
    /// positions.
    pub annotations_are_settled: bool,
}

/// The values at the time when Kustomize sent a resource through JSON.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct JsonRoundTrip {
    pub(super) by: Mark,
    /// The other steps that had written values until then.
    pub(super) written_by: Vec<WriterId>,
}

/// The position of a value to Kustomize, and its writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ValuePosition {
    pub(super) mark: Mark,
    /// The JSON patch after which it was read again.
    pub(super) read_again: Option<Mark>,
    /// A text without a tag: writing an equal one adds a tag, which is a change like that of a
    /// position.
    pub(super) is_untagged: bool,
}

impl ValuePosition {
    /// The position of a value that was not read again since.
    pub fn from_node(node: &Node) -> Self {
        let is_untagged = node.as_scalar().is_some_and(|scalar| scalar.tag == Tag::None);
        Self { mark: node.mark, read_again: None, is_untagged }
    }

    /// The step that wrote it.
    pub fn writer(&self) -> WriterId {
        self.read_again.unwrap_or(self.mark).writer
    }

    /// True for a text without a tag.
    pub fn is_untagged(&self) -> bool {
        self.is_untagged
    }
}
