//! An index from lines of a file to the edits that wrote or removed them.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use super::{EditId, FileEdits};
use crate::engine::resource::QuickMap;

/// A range of lines (from 1) of a file on one side of a comparison.
#[derive(Clone, Copy)]
pub(super) struct SideLineRange<'p> {
    pub(super) is_new: bool,
    pub(super) path: &'p Path,
    pub(super) first: u32,
    pub(super) last: u32,
}

/// Finds the edits at given lines of files. Edits that may cause a difference have consecutive
/// numbers, in the order of their ids.
pub(super) struct EditLines<'a> {
    files: &'a [FileEdits],
    /// For each file, the number of its first edit; `None` if edits of the file cannot be the cause
    /// of a difference.
    first: Vec<Option<usize>>,
    ids: Vec<EditId>,
    by_path: [QuickMap<&'a Path, Vec<usize>>; 2],
    sides: RefCell<QuickMap<(usize, bool), Rc<SideLines>>>,
}

/// Lookup tables for the lines of one side of a file.
struct SideLines {
    /// First line, last line and index of each edit with lines on this side, in order.
    edits: Vec<(u32, u32, usize)>,
    /// For each line, the last line of its block: of the deeper lines that follow it.
    blocks: Vec<u32>,
}

impl<'a> EditLines<'a> {
    /// Indexes the edits of all files. Only edits of the `relevant` files may be the cause of a
    /// difference.
    pub(super) fn new(files: &'a [FileEdits], relevant: &[usize]) -> Self {
        let mut first = vec![None; files.len()];
        let mut ids = Vec::new();
        for file in relevant {
            let Some(edits) = files.get(*file) else { continue };
            first[*file] = Some(ids.len());
            ids.extend((0..edits.edits.len()).map(|edit| (*file, edit)));
        }
        let mut by_path: [QuickMap<&Path, Vec<usize>>; 2] = Default::default();
        for (at, file) in files.iter().enumerate() {
            by_path[0].entry(&*file.before_path).or_default().push(at);
            by_path[1].entry(&*file.path).or_default().push(at);
        }
        Self { files, first, ids, by_path, sides: RefCell::default() }
    }

    /// The ids of the edits that may cause a difference, by number.
    pub(super) fn ids(&self) -> &[EditId] {
        &self.ids
    }

    /// The numbers of the edits in the file of an edit.
    pub(super) fn edits_of_same_file(&self, number: usize) -> std::ops::Range<usize> {
        let file = self.ids.get(number).map(|id| id.0);
        let first = file.and_then(|file| self.first[file]).unwrap_or_default();
        let count = file.map_or(0, |file| self.files[file].edits.len());
        first..first + count
    }

    /// The numbers of the edits that wrote or removed one of these lines, in order.
    pub(super) fn edits_in(&self, lines: &SideLineRange<'_>) -> Vec<usize> {
        let mut found = Vec::new();
        for file in self.file_indices(lines) {
            let Some(number) = self.first[*file] else { continue };
            let side = self.side_lines(*file, lines.is_new);
            let from = side.edits.partition_point(|(_, last, _)| *last < lines.first);
            let meeting = side.edits[from..].iter().take_while(|(first, ..)| *first <= lines.last);
            found.extend(meeting.map(|(.., edit)| number + edit));
        }
        found.sort_unstable();
        found
    }

    /// The block that begins at a line: the line with all deeper lines below it (a text of several
    /// lines, a mapping, an element).
    pub(super) fn block_at<'p>(&self, line: &SideLineRange<'p>) -> Option<SideLineRange<'p>> {
        let file = *self.file_indices(line).first()?;
        let side = self.side_lines(file, line.is_new);
        let last = *side.blocks.get(usize::try_from(line.first).ok()?.checked_sub(1)?)?;
        (last > line.first).then_some(SideLineRange { last, ..*line })
    }

    fn file_indices(&self, lines: &SideLineRange<'_>) -> &[usize] {
        self.by_path[usize::from(lines.is_new)].get(lines.path).map_or(&[], Vec::as_slice)
    }

    fn side_lines(&self, file: usize, is_new: bool) -> Rc<SideLines> {
        let mut sides = self.sides.borrow_mut();
        let side = sides.entry((file, is_new));
        Rc::clone(side.or_insert_with(|| Rc::new(SideLines::from_edits(&self.files[file], is_new))))
    }
}

impl SideLines {
    fn from_edits(file: &FileEdits, is_new: bool) -> Self {
        let mut edits: Vec<(u32, u32, usize)> = Vec::new();
        for (place, edit) in file.edits.iter().enumerate() {
            let (first, lines) =
                if is_new { (edit.new_line, &edit.new) } else { (edit.old_line, &edit.old) };
            let count = u32::try_from(lines.len()).unwrap_or(u32::MAX);
            if count > 0 {
                edits.push((first, first.saturating_add(count - 1), place));
            }
        }
        edits.sort_unstable();
        Self { edits, blocks: file.text(is_new).map(block_ends).unwrap_or_default() }
    }
}

/// For each line, the number (from 1) of the last of the following lines that are indented deeper.
fn block_ends(text: &str) -> Vec<u32> {
    let lines: Vec<&str> = text.lines().collect();
    let mut ends = vec![0; lines.len()];
    // The lines below the current one that may end a block, the nearest last. Their indentation
    // increases in this order.
    let mut behind: Vec<(usize, usize)> = Vec::new();
    for (at, line) in lines.iter().enumerate().rev() {
        let own = line.len() - line.trim_start_matches(' ').len();
        let ending = behind.partition_point(|(indent, _)| *indent <= own).checked_sub(1);
        let end = ending.map_or(lines.len(), |ending| behind[ending].1);
        ends[at] = u32::try_from(end).unwrap_or(u32::MAX);
        if !line.trim().is_empty() {
            while behind.last().is_some_and(|(indent, _)| *indent >= own) {
                behind.pop();
            }
            behind.push((own, at));
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference implementation for the test: reads line by line from `at` to the end of its
    /// block.
    fn scan_block_end(lines: &[&str], at: usize) -> usize {
        let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
        let own = indent(lines[at]);
        let is_in = |line: &&&str| line.trim().is_empty() || indent(line) > own;
        at + 1 + lines[at + 1..].iter().take_while(is_in).count()
    }

    proptest::proptest! {
        #[test]
        fn block_end_equals_linear_scan(lines in proptest::collection::vec("( {0,4}a|[ \t]{0,3})", 0..24)) {
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let expected: Vec<u32> =
                (0..lines.len()).map(|at| u32::try_from(scan_block_end(&lines, at)).unwrap()).collect();
            proptest::prop_assert_eq!(block_ends(&text), expected);
        }
    }
}
