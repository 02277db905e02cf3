//! One edit of a file.

use std::ops::Range;
use std::path::PathBuf;

/// An edit: the index of its file, and its index in the file.
pub type EditId = (usize, usize);

/// Consecutive lines of a file, and the lines that replace them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEdit {
    /// The path at which the second build reads the file.
    pub file: PathBuf,
    /// The first old line, from 1; for an insertion, the line before which the new lines are
    /// inserted.
    pub old_line: u32,
    pub old: Vec<String>,
    /// The first new line, from 1; for a removal, the line before which the old lines were.
    pub new_line: u32,
    pub new: Vec<String>,
    /// The part of the line that the edit replaces: then `old` and `new` are elements of a
    /// collection on that line.
    pub part: Option<LinePart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinePart {
    /// The bytes of the new line.
    pub range: Range<usize>,
    pub old_text: String,
    /// The columns of the element on both sides, in characters from 1.
    pub old_column: u32,
    pub new_column: u32,
}
