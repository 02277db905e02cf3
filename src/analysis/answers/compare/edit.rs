//! One edit of a file.

use std::ops::Range;

/// An edit: the index of its file, and its index in the file.
pub type EditId = (usize, usize);

/// Lines of the first text from 0, and the lines of the second text that replace them.
pub(super) type LineRanges = (Range<usize>, Range<usize>);

/// Consecutive lines of the first text of a file, and the lines of the second text that replace
/// them, both from 0. An empty range is at the line before which the lines of the other text are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEdit {
    pub old: Range<usize>,
    pub new: Range<usize>,
    /// The part of the line that the edit replaces.
    pub part: Option<LinePart>,
}

/// An element of a collection on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinePart {
    /// The bytes of the new line.
    pub range: Range<usize>,
    pub elements: [String; 2],
    /// The columns of the element on both sides, in characters from 1.
    pub columns: [u32; 2],
}

impl FileEdit {
    pub(super) fn of_lines(old: Range<usize>, new: Range<usize>) -> Self {
        Self { old, new, part: None }
    }

    /// The number of the first old line, from 1.
    pub fn old_line(&self) -> u32 {
        line_number(self.old.start)
    }

    /// The number of the first new line, from 1.
    pub fn new_line(&self) -> u32 {
        line_number(self.new.start)
    }
}

/// The number of a line, from 1.
pub(super) fn line_number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}
