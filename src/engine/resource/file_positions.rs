//! The file positions that values of a resource have in Kustomize, which compares them after a
//! validator ran.

use crate::yaml::{Mark, Node, Tag, WriterId};

/// The facts about file positions that marks do not show: Kustomize gives or removes the position
/// of a value when it rebuilds labels or annotations, but a mark keeps naming the writer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValuePositions {
    /// True if Kustomize gave the labels positions: because they existed when it last wrote an
    /// internal annotation (annotations are placed after them since then), or because it parsed
    /// the entire resource again. For a validator, such labels differ from equal ones that it
    /// writes.
    pub labels_are_settled: bool,
    /// The steps that wrote values of the labels before Kustomize rebuilt the labels: these values
    /// have no position. A list is needed, because the order of two steps does not follow from
    /// their numbers, which are kept from one build to the next.
    pub(super) labels_are_made_of: Vec<WriterId>,
    /// The steps that wrote values of the annotations before Kustomize rebuilt the annotations:
    /// these values have no position.
    pub(super) annotations_are_made_of: Vec<WriterId>,
    /// Scalars whose text a replacement changed: each has the position of the former scalar. Pairs
    /// of the new and the former mark.
    pub(super) kept: Vec<(Mark, Mark)>,
    /// Set if Kustomize parsed the entire resource again: all values until then have a position.
    pub(super) read_again: Option<JsonRoundTrip>,
    /// True if annotations existed when Kustomize first added its own annotation: they keep their
    /// positions.
    pub annotations_are_settled: bool,
}

/// The values that existed when Kustomize converted a resource to JSON and back.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct JsonRoundTrip {
    pub(super) by: Mark,
    /// The other steps that had written values until that time.
    pub(super) written_by: Vec<WriterId>,
}

/// The file position of a value in Kustomize, and the writer of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ValuePosition {
    pub(super) mark: Mark,
    /// The JSON patch after which Kustomize parsed the value again.
    pub(super) read_again: Option<Mark>,
    /// True for a text without a tag: an equal text that is written over it has a tag, which
    /// Kustomize detects as a change, as it detects a position.
    pub(super) is_untagged: bool,
}

impl ValuePosition {
    /// The position of a value that was not parsed again after it was written.
    pub fn from_node(node: &Node) -> Self {
        let is_untagged = node.as_scalar().is_some_and(|scalar| scalar.tag == Tag::None);
        Self { mark: node.mark, read_again: None, is_untagged }
    }

    /// The step that wrote the value, or after which it was parsed again.
    pub fn writer(&self) -> WriterId {
        self.read_again.unwrap_or(self.mark).writer
    }

    /// True for a text without a tag.
    pub fn is_untagged(&self) -> bool {
        self.is_untagged
    }
}
