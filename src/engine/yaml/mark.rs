//! Where a node came from.

/// A file of the build, by its number in [`Sources`](crate::load::Sources).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u32);

/// A step that wrote a node, by its number in the trace's table of step names; stable across re-evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WriterId(pub u32);

impl SourceId {
    /// No file: the node was made by the engine.
    pub const NONE: Self = Self(0);
}

impl WriterId {
    /// No step yet.
    pub const NONE: Self = Self(0);
}

impl Mark {
    /// This place, written in the name of a step: of the step's own mark where there is no place.
    #[must_use]
    pub fn written_by(self, step: Self) -> Self {
        if self.line == 0 { step } else { Self { writer: step.writer, ..self } }
    }
}

/// Where a node came from and which step last wrote it. Sixteen bytes.
/// The place is that of the text which has to be changed to change the value, and the writer the last step that wrote
/// it, also when it wrote what was there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mark {
    pub source: SourceId,
    /// 1-based line; 0 when there is none.
    pub line: u32,
    /// 1-based column in characters; 0 when there is none.
    pub column: u32,
    /// The step that last wrote the node.
    pub writer: WriterId,
}
