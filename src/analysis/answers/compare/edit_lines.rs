//! An index from lines of a file to the edits that wrote or removed them.

use std::ops::Range;
use std::path::Path;

use super::edit::line_number;
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
    /// The ids of the edits that may cause a difference, by number.
    pub(super) ids: Vec<EditId>,
    files: Vec<IndexedFile<'a>>,
    /// The indices in `files`, for each side by path.
    by_path: [QuickMap<&'a Path, Vec<usize>>; 2],
}

struct IndexedFile<'a> {
    /// The numbers of its edits.
    numbers: Range<usize>,
    sides: [SideLines<'a>; 2],
}

struct SideLines<'a> {
    /// First line, last line and index of each edit with lines on this side, in order.
    edits: Vec<(u32, u32, usize)>,
    lines: Vec<&'a str>,
}

impl<'a> EditLines<'a> {
    /// Indexes the edits of the `relevant` files: only these may be the cause of a difference.
    pub(super) fn new(files: &'a [FileEdits], relevant: &[usize]) -> Self {
        let mut found =
            Self { ids: Vec::new(), files: Vec::new(), by_path: <[QuickMap<_, _>; 2]>::default() };
        for (number, file) in relevant.iter().filter_map(|at| Some((*at, files.get(*at)?))) {
            for (paths, path) in found.by_path.iter_mut().zip([&file.before_path, &file.path]) {
                paths.entry(path).or_default().push(found.files.len());
            }
            let first = found.ids.len();
            found.ids.extend((0..file.edits.len()).map(|edit| (number, edit)));
            let sides = [false, true].map(|is_new| SideLines::from_edits(file, is_new));
            found.files.push(IndexedFile { numbers: first..found.ids.len(), sides });
        }
        found
    }

    pub(super) fn edits_of_same_file(&self, number: usize) -> Range<usize> {
        let at = self.files.partition_point(|file| file.numbers.end <= number);
        self.files.get(at).map(|file| file.numbers.clone()).unwrap_or_default()
    }

    /// The numbers of the edits that wrote or removed one of these lines, in order.
    pub(super) fn edits_in(&self, lines: &SideLineRange<'_>) -> Vec<usize> {
        let mut found = Vec::new();
        for file in self.files_at(lines) {
            let edits = &file.sides[usize::from(lines.is_new)].edits;
            let from = edits.partition_point(|(_, last, _)| *last < lines.first);
            let meeting = edits[from..].iter().take_while(|(first, ..)| *first <= lines.last);
            found.extend(meeting.map(|(.., edit)| file.numbers.start + edit));
        }
        found.sort_unstable();
        found
    }

    /// The block that begins at a line: the line with all deeper lines below it (a text of several
    /// lines, a mapping, an element).
    pub(super) fn block_at<'p>(&self, line: &SideLineRange<'p>) -> Option<SideLineRange<'p>> {
        let file = self.files_at(line).next()?;
        let last = file.sides[usize::from(line.is_new)].block_end(line.first)?;
        (last > line.first).then_some(SideLineRange { last, ..*line })
    }

    fn files_at(&self, lines: &SideLineRange<'_>) -> impl Iterator<Item = &IndexedFile<'a>> {
        let known = self.by_path[usize::from(lines.is_new)].get(lines.path);
        known.into_iter().flatten().map(|at| &self.files[*at])
    }
}

impl<'a> SideLines<'a> {
    fn from_edits(file: &'a FileEdits, is_new: bool) -> Self {
        let lines = file.edits.iter().map(|edit| if is_new { &edit.new } else { &edit.old });
        let lines = lines.enumerate().filter(|(_, lines)| !lines.is_empty());
        let edits =
            lines.map(|(at, lines)| (line_number(lines.start), line_number(lines.end - 1), at));
        let mut edits: Vec<(u32, u32, usize)> = edits.collect();
        edits.sort_unstable();
        let lines = file.text(is_new).unwrap_or_default().lines().collect();
        Self { edits, lines }
    }

    /// The last line of the block that begins at a line, both from 1.
    fn block_end(&self, first: u32) -> Option<u32> {
        let mut lines = self.lines.iter().skip(usize::try_from(first).ok()?.checked_sub(1)?);
        let own = indent(lines.next()?);
        let is_in = |below: &&&str| below.trim().is_empty() || indent(below) > own;
        let count = u32::try_from(lines.take_while(is_in).count()).unwrap_or(u32::MAX);
        Some(first.saturating_add(count))
    }
}
