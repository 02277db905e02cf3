//! One edit of a file.

use std::path::PathBuf;

/// An edit: the index of its file, and its index in the file.
pub type EditId = (usize, usize);

/// One edit of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEdit {
    /// The path at which the second build reads the file.
    pub file: PathBuf,
    /// The first old line, from 1; for an insertion, the line before which the new lines are
    /// inserted.
    pub old_line: u32,
    /// The old lines, with their line ends.
    pub old: Vec<String>,
    /// The first new line, from 1; for a removal, the line before which the old lines were.
    pub new_line: u32,
    pub new: Vec<String>,
}

impl FileEdit {
    /// True if the edit wrote a line in this range.
    pub fn writes_in(&self, from: u32, to: u32) -> bool {
        overlaps_lines(self.new_line, self.new.len(), from, to)
    }

    /// True if the edit removed a line in this range.
    pub fn removes_in(&self, from: u32, to: u32) -> bool {
        overlaps_lines(self.old_line, self.old.len(), from, to)
    }
}

fn overlaps_lines(first: u32, count: usize, from: u32, to: u32) -> bool {
    count > 0 && first <= to && (from.saturating_sub(first) as usize) < count
}
