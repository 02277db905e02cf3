//! The origin of a node.

/// A file of the build, by its number in [`SourceNumbers`](crate::load::SourceNumbers).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u32);

/// The step that wrote a node, as an index into the trace's table of step names; stable across
/// re-evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WriterId(pub u32);

impl SourceId {
    /// No file: the engine created the node.
    pub const NONE: Self = Self(0);
}

impl WriterId {
    /// No step yet.
    pub const NONE: Self = Self(0);
}

impl Mark {
    /// This location with the writer of `step`; the step's own mark if the location is not known.
    #[must_use]
    pub fn written_by(self, step: Self) -> Self {
        if self.line == 0 { step } else { Self { writer: step.writer, ..self } }
    }
}

/// The location of a node's text and the step that last wrote the node. Sixteen bytes. The location
/// is the text to edit in order to change the value; the writer is the last step that wrote it,
/// even if the value was equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mark {
    pub source: SourceId,
    /// 1-based line; 0 if not known.
    pub line: u32,
    /// 1-based column in characters; 0 if not known.
    pub column: u32,
    /// The step that last wrote the node.
    pub writer: WriterId,
}
