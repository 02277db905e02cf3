//! An index from lines of a file to the edits that wrote or removed them.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use super::entry_lines::indent;
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
    sides: RefCell<QuickMap<(usize, bool), Rc<SideLines<'a>>>>,
}

struct SideLines<'a> {
    /// First line, last line and index of each edit with lines on this side, in order.
    edits: Vec<(u32, u32, usize)>,
    lines: Vec<&'a str>,
    /// The last lines of the blocks that were asked for, by their first lines: many differences may
    /// have the same line.
    block_ends: RefCell<QuickMap<u32, u32>>,
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
        let last = self.side_lines(file, line.is_new).block_end(line.first)?;
        (last > line.first).then_some(SideLineRange { last, ..*line })
    }

    fn file_indices(&self, lines: &SideLineRange<'_>) -> &[usize] {
        self.by_path[usize::from(lines.is_new)].get(lines.path).map_or(&[], Vec::as_slice)
    }

    fn side_lines(&self, file: usize, is_new: bool) -> Rc<SideLines<'a>> {
        let mut sides = self.sides.borrow_mut();
        let side = sides.entry((file, is_new));
        Rc::clone(side.or_insert_with(|| Rc::new(SideLines::from_edits(&self.files[file], is_new))))
    }
}

impl<'a> SideLines<'a> {
    fn from_edits(file: &'a FileEdits, is_new: bool) -> Self {
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
        let lines = file.text(is_new).unwrap_or_default().lines().collect();
        Self { edits, lines, block_ends: RefCell::default() }
    }

    /// The last line of the block that begins at a line, both from 1.
    fn block_end(&self, first: u32) -> Option<u32> {
        let known = self.block_ends.borrow().get(&first).copied();
        if known.is_some() {
            return known;
        }
        let mut lines = self.lines.iter().skip(usize::try_from(first).ok()?.checked_sub(1)?);
        let own = indent(lines.next()?);
        let is_in = |below: &&&str| below.trim().is_empty() || indent(below) > own;
        let count = u32::try_from(lines.take_while(is_in).count()).unwrap_or(u32::MAX);
        let last = first.saturating_add(count);
        self.block_ends.borrow_mut().insert(first, last);
        Some(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_ends_before_the_next_line_that_is_not_deeper() {
        let lines = vec!["a:", "  b: |", "    x", "", "    y", "  c: 1", "d: 1"];
        let side = SideLines { edits: Vec::new(), lines, block_ends: RefCell::default() };
        for _ in 0..2 {
            let ends: Vec<u32> = (1..=7).filter_map(|line| side.block_end(line)).collect();
            assert_eq!(ends, [6, 5, 4, 6, 5, 6, 7]);
        }
        assert_eq!((side.block_end(0), side.block_end(8)), (None, None));
    }
}
