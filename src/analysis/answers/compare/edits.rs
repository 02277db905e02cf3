//! The edits between two texts of a file, which can be reverted separately.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use similar::{Algorithm, DiffOp, capture_diff};

use super::documents::paired_documents;
use super::edit::{FileEdit, LineRanges};
use super::edit_pieces::{join_edits_in_scalars, split_flow_edits};
use super::entry_edits::{EntryParts, added_entries, entry_edits};
use super::entry_lines::{EntryLines, is_well_formed};
use super::fields::best_pairs;
use crate::answers::secrets::Secrets;
use crate::engine::evaluate::target_file_names;

/// The two texts of a file, and the edits between them.
#[derive(Clone, Debug, Default)]
pub struct FileEdits {
    /// The path at which the first build reads the file.
    pub before_path: PathBuf,
    /// The path at which the second build reads the file.
    pub path: PathBuf,
    before: Option<Arc<[u8]>>,
    after: Option<Arc<[u8]>>,
    /// In the order of the lines of the second text.
    pub edits: Vec<FileEdit>,
    /// True if the file is not text, was added or was removed: all of it is one edit.
    is_whole: bool,
    /// The parts of the kustomization file, if the edits are entries and not ranges of lines.
    parts: Option<EntryParts>,
    /// True if both texts are YAML trees without a key twice.
    is_tree: bool,
    has_unique_names: bool,
}

/// The limit on edits by line in a kustomization file: with more, edits by entry are used.
const MAX_LINE_EDITS: usize = 200;

pub fn file_edits(
    before_path: &Path,
    path: &Path,
    before: Option<Arc<[u8]>>,
    after: Option<Arc<[u8]>>,
) -> FileEdits {
    let (before_path, path) = (before_path.to_owned(), path.to_owned());
    let found = FileEdits { before_path, path, before, after, ..FileEdits::default() };
    let (Some(old), Some(new)) = (found.text(false), found.text(true)) else {
        let [old, new] = [false, true].map(|is_new| 0..found.lines(is_new).len());
        return FileEdits { edits: vec![FileEdit::of_lines(old, new)], is_whole: true, ..found };
    };
    let (old, new) = (EntryLines::read(old), EntryLines::read(new));
    let edits = join_edits_in_scalars(line_edits(&old, &new), &old, &new);
    let edits = split_flow_edits(edits, &old, &new);
    let is_tree = old.is_well_formed() && new.is_well_formed();
    let has_unique_names = old.has_unique_names() && new.has_unique_names();
    let found = FileEdits { edits, is_tree, has_unique_names, ..found };
    if found.are_lines_separate() { found } else { found.split_by_entry() }
}

impl FileEdits {
    /// Replaces edits by line with edits by entry if an edit spans several fields of a
    /// kustomization file: in files of different folders, equal lines do not separate the fields.
    pub(super) fn split_by_field(self) -> Self {
        let name = self.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_open = self.parts.is_none() && !self.is_whole;
        let (old, new) = (self.lines(false), self.lines(true));
        let is_wide = is_open
            && target_file_names().any(|it| it == name)
            && self.edits.iter().any(|edit| {
                has_several_fields(old[edit.old.clone()].iter().chain(&new[edit.new.clone()]))
            });
        if is_wide { self.split_by_entry() } else { self }
    }

    fn split_by_entry(mut self) -> Self {
        if let (Some(old), Some(new)) = (self.text(false), self.text(true))
            && let Some((edits, parts)) = entry_edits(old, new)
        {
            (self.edits, self.parts) = (edits, Some(parts));
        }
        self
    }
}

fn has_several_fields<'l>(lines: impl Iterator<Item = &'l &'l str>) -> bool {
    let keys = lines.filter_map(|line| line.split_once(':')).map(|(key, _)| key);
    let fields = keys.filter(|key| key.starts_with(|first: char| first.is_ascii_alphabetic()));
    fields.collect::<BTreeSet<&str>>().len() > 1
}

/// Edits that each add an entry of a kustomization file, except for the entry at `line`. `None` if
/// the text cannot be read as a mapping.
pub(super) fn layer_entry_edits(path: &Path, text: &Arc<[u8]>, line: u32) -> Option<FileEdits> {
    let read = std::str::from_utf8(text).ok()?;
    let (edits, parts) = added_entries(read, line)?;
    Some(FileEdits { parts: Some(parts), ..FileEdits::with_additions(path, text, edits) })
}

impl FileEdits {
    /// Edits of a file of which the first side has no text.
    fn with_additions(path: &Path, text: &Arc<[u8]>, edits: Vec<FileEdit>) -> Self {
        let (before_path, path) = (path.to_owned(), path.to_owned());
        let (after, is_tree) = (Some(text.clone()), true);
        Self { before_path, path, after, edits, is_tree, ..Self::default() }
    }

    /// Edits that each add a range of lines, counted from 0, to a file; `None` without a range.
    pub(super) fn with_added_lines(
        path: &Path,
        text: &Arc<[u8]>,
        ranges: &[Range<usize>],
    ) -> Option<Self> {
        std::str::from_utf8(text).ok().filter(|_| !ranges.is_empty())?;
        // Both sides have the same file: the edit has one location on both.
        let edit =
            |range: &Range<usize>| FileEdit::of_lines(range.start..range.start, range.clone());
        let mut found = Self::with_additions(path, text, ranges.iter().map(edit).collect());
        found.before = found.with_edits_reverted(&|_| true);
        Some(found)
    }
}

/// The edits between two versions of a file, with each document compared to its old version.
fn line_edits(old: &EntryLines<'_>, new: &EntryLines<'_>) -> Vec<FileEdit> {
    let parts = paired_documents(old, new);
    let parts = parts.unwrap_or_else(|| vec![(0..old.lines.len(), 0..new.lines.len())]);
    let changed = parts.iter().flat_map(|(from, to)| changed_ranges((old, from), (new, to)));
    let edits = changed.flat_map(|(from, to)| split_replacement(old, new, from, to));
    edits.map(|(old, new)| FileEdit::of_lines(old, new)).collect()
}

/// The range at the same distance from `to` as before from `from`.
fn shifted(range: &Range<usize>, from: usize, to: usize) -> Range<usize> {
    range.start + to - from..range.end + to - from
}

/// The ranges of lines that differ. Of equal ranges, the one that begins with an entry is taken:
/// after an insertion before a line that is equal to its first line, a comparison of lines may find
/// the insertion one line lower, where no part of it is an entry.
fn changed_ranges(
    (old, from): (&EntryLines<'_>, &Range<usize>),
    (new, to): (&EntryLines<'_>, &Range<usize>),
) -> Vec<LineRanges> {
    let (before, after) = (old.lines.as_slice(), new.lines.as_slice());
    let diff = capture_diff(Algorithm::Myers, before, from.clone(), after, to.clone());
    let mut found: Vec<LineRanges> = Vec::new();
    let mut ends = (from.start, to.start);
    for (at, op) in diff.iter().enumerate() {
        let (old_at, new_at) = (op.old_range(), op.new_range());
        // A removal and an insertion at one position may both be at its start.
        let before = old_at.start.saturating_sub(ends.0).min(new_at.start.saturating_sub(ends.1));
        let after = match diff.get(at + 1) {
            Some(DiffOp::Equal { len, .. }) => *len,
            _ => 0,
        };
        let (old_at, new_at) = match op {
            DiffOp::Equal { .. } => continue,
            DiffOp::Insert { .. } => {
                let slid = new.slid(new_at.clone(), before, after);
                (shifted(&old_at, new_at.start, slid.start), slid)
            }
            DiffOp::Delete { .. } => {
                let slid = old.slid(old_at.clone(), before, after);
                (slid.clone(), shifted(&new_at, old_at.start, slid.start))
            }
            DiffOp::Replace { .. } => (old_at, new_at),
        };
        ends = (ends.0.max(old_at.end), ends.1.max(new_at.end));
        found.push((old_at, new_at));
    }
    found
}

/// Splits a replacement into pieces that can be reverted separately. Equal numbers of lines are
/// paired line by line; otherwise the first lines are paired as long as their keys are equal, and
/// the rest is one piece. Inserted and removed lines give one piece for each entry.
fn split_replacement(
    old: &EntryLines<'_>,
    new: &EntryLines<'_>,
    from: Range<usize>,
    to: Range<usize>,
) -> Vec<LineRanges> {
    let pieces = commented_entries((old, &from), (new, &to));
    if let Some(pieces) = pieces.or_else(|| paired_elements((old, &from), (new, &to))) {
        return pieces;
    }
    let key = |line: &'_ str| line.split_once(':').map(|(key, _)| key.to_owned());
    let pairs = if from.len() == to.len() {
        from.len()
    } else {
        let lines = old.lines[from.clone()].iter().zip(&new.lines[to.clone()]);
        lines.take_while(|(old, new)| key(old).is_some() && key(old) == key(new)).count()
    };
    let pair = |at: usize| (from.start + at..from.start + at + 1, to.start + at..to.start + at + 1);
    let mut pieces: Vec<_> = (0..pairs).map(pair).collect();
    let (from, to) = (from.start + pairs..from.end, to.start + pairs..to.end);
    if from.is_empty() {
        pieces.extend(new.indented_blocks(to).into_iter().map(|to| (from.clone(), to)));
    } else if to.is_empty() {
        pieces.extend(old.indented_blocks(from).into_iter().map(|from| (from, to.clone())));
    } else {
        pieces.push((from, to));
    }
    pieces
}

/// The pieces of lines of which some are comments on one side only: there, the entries of the other
/// side are the pieces. `None` for other lines, and for different numbers of lines.
fn commented_entries(
    (old, from): (&EntryLines<'_>, &Range<usize>),
    (new, to): (&EntryLines<'_>, &Range<usize>),
) -> Option<Vec<LineRanges>> {
    let is_comment = |line: &str| line.trim_start().starts_with('#');
    let pairs = old.lines[from.clone()].iter().zip(&new.lines[to.clone()]);
    let are_comments: Vec<[bool; 2]> =
        pairs.map(|(old, new)| [is_comment(old), is_comment(new)]).collect();
    if from.len() != to.len() || are_comments.iter().all(|[old, new]| old == new) {
        return None;
    }
    let mut pieces = Vec::new();
    let mut at = 0;
    for run in are_comments.chunk_by(|one, next| one == next) {
        let (here, there) = (shifted(&(at..at + run.len()), 0, from.start), (from.start, to.start));
        at += run.len();
        let partner = |old: &Range<usize>| shifted(old, there.0, there.1);
        pieces.extend(
            match run[0] {
                [true, false] => {
                    let entries = new.indented_blocks(partner(&here)).into_iter();
                    entries.map(|new| shifted(&new, there.1, there.0)).collect()
                }
                [false, true] => old.indented_blocks(here),
                _ => here.map(|line| line..line + 1).collect(),
            }
            .into_iter()
            .map(|old| (old.clone(), partner(&old))),
        );
    }
    Some(pieces)
}

const MAX_COMPARED_LINES: usize = 4_096;

/// Pairs of similar elements of a list, and the elements without a counterpart. `None` for equal
/// numbers of lines, and for lines that are not all elements of one list.
fn paired_elements(
    (old, from): (&EntryLines<'_>, &Range<usize>),
    (new, to): (&EntryLines<'_>, &Range<usize>),
) -> Option<Vec<LineRanges>> {
    let is_few = from.len() * to.len() <= MAX_COMPARED_LINES;
    if from.len() == to.len() || from.is_empty() || to.is_empty() || !is_few {
        return None;
    }
    let (before, after) = (old.elements(from)?, new.elements(to)?);
    let score = |at: usize, by: usize| similarity(before[at], after[by]);
    let mut pieces = Vec::new();
    let mut ends = (from.start, to.start);
    let pairs = best_pairs([from.len(), to.len()], score).into_iter();
    let pairs = pairs.map(|(at, by)| (from.start + at, to.start + by));
    for (at, by) in pairs.chain([(from.end, to.end)]) {
        pieces.extend((ends.0..at).map(|gone| (gone..gone + 1, ends.1..ends.1)));
        pieces.extend((ends.1..by).map(|new| (at..at, new..new + 1)));
        if at < from.end && by < to.end {
            pieces.push((at..at + 1, by..by + 1));
        }
        ends = (at + 1, by + 1);
    }
    Some(pieces)
}

/// The number of common characters at the start and at the end of two texts; `None` if they are
/// less than half of the longer text.
fn similarity(one: &str, other: &str) -> Option<usize> {
    let longer = one.chars().count().max(other.chars().count());
    let shorter = one.chars().count().min(other.chars().count());
    let start = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let end = one.chars().rev().zip(other.chars().rev()).take_while(|(a, b)| a == b).count();
    let common = (start + end).min(shorter);
    (2 * common >= longer).then_some(common)
}

impl FileEdits {
    /// The edits with both sides swapped. Such edits can be shown, but not reverted.
    pub(super) fn flipped(mut self) -> Self {
        for edit in &mut self.edits {
            std::mem::swap(&mut edit.old, &mut edit.new);
            if let Some(part) = &mut edit.part {
                part.columns.reverse();
                part.elements.reverse();
            }
        }
        std::mem::swap(&mut self.before_path, &mut self.path);
        std::mem::swap(&mut self.before, &mut self.after);
        Self { parts: None, ..self }
    }

    /// The text of the second side if `is_new`, otherwise that of the first. `None` without a UTF-8
    /// text.
    pub(super) fn text(&self, is_new: bool) -> Option<&str> {
        let bytes = if is_new { &self.after } else { &self.before };
        std::str::from_utf8(bytes.as_deref()?).ok()
    }

    /// The lines of a text with their ends.
    pub(super) fn lines(&self, is_new: bool) -> Vec<&str> {
        self.text(is_new).unwrap_or_default().split_inclusive('\n').collect()
    }

    /// The lines of both texts without their ends, values of Secrets masked.
    pub fn masked_lines(&self, secrets: &Secrets) -> [Vec<String>; 2] {
        [(&self.before_path, &self.before), (&self.path, &self.after)].map(|(path, bytes)| {
            let masked = secrets.file(path, bytes.as_deref().unwrap_or_default());
            let text = String::from_utf8_lossy(&masked).into_owned();
            let lines = text.split_inclusive('\n');
            lines.map(|line| line.trim_end_matches(['\n', '\r']).to_owned()).collect()
        })
    }

    /// True if each edit can be reverted alone. Outside of kustomization files this is assumed. In
    /// these, reverting a line that is paired with a line of another entry can give a text that is
    /// not YAML, or that contains a key twice.
    fn are_lines_separate(&self) -> bool {
        let name = self.path.file_name().unwrap_or_default();
        if !self.is_tree || !target_file_names().any(|target| name == target) {
            return true;
        }
        self.edits.len() <= MAX_LINE_EDITS
            && (0..self.edits.len())
                .all(|edit| self.is_sound(self.with_edits_reverted(&|at| at == edit).as_deref()))
    }

    /// False for a text that is no YAML, has a key twice or a list with two elements of one name,
    /// unless a side is such a text as well: a build of it is no proof.
    pub(super) fn is_sound(&self, text: Option<&[u8]>) -> bool {
        let is_checked = self.is_tree || self.has_unique_names;
        !is_checked
            || text.is_none_or(|text| is_well_formed(text, self.is_tree, self.has_unique_names))
    }

    /// The second text without the edits that `is_taken_back` selects by index; `None` if no file
    /// exists without them.
    pub fn with_edits_reverted(&self, is_taken_back: &dyn Fn(usize) -> bool) -> Option<Arc<[u8]>> {
        let has_reverted_edit = (0..self.edits.len()).any(is_taken_back);
        if !has_reverted_edit {
            return self.after.clone();
        }
        if self.is_whole {
            return self.before.clone();
        }
        if let Some(parts) = &self.parts {
            return Some(parts.text(is_taken_back));
        }
        let (after, old_lines) = (self.text(true).unwrap_or_default(), self.lines(false));
        let mut starts: Vec<usize> = vec![0];
        starts.extend(after.match_indices('\n').map(|(at, _)| at + 1));
        let start = |line: usize| starts.get(line).copied().unwrap_or(after.len());
        let mut text = String::new();
        let mut at = 0;
        for (_, edit) in self.edits.iter().enumerate().filter(|(at, _)| is_taken_back(*at)) {
            let first = start(edit.new.start);
            let (range, old) = match &edit.part {
                Some(part) => {
                    (first + part.range.start..first + part.range.end, part.elements[0].clone())
                }
                None => (
                    first..start(edit.new.end),
                    old_lines.get(edit.old.clone()).unwrap_or_default().concat(),
                ),
            };
            text.push_str(after.get(at..range.start).unwrap_or_default());
            text.push_str(&old);
            at = range.end;
        }
        text.push_str(after.get(at..).unwrap_or_default());
        Some(text.into_bytes().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edits(old: &str, new: &str) -> FileEdits {
        let (path, bytes) = (Path::new("/r/f.yaml"), |text: &str| Some(Arc::from(text.as_bytes())));
        file_edits(path, path, bytes(old), bytes(new))
    }

    const LINES: &str = r"(|  |- )[abc](|:|: \[[xyz](, [xyz]){0,2}\])|---|";

    proptest::proptest! {
        #[test]
        fn text_without_all_edits_is_the_first_text(
            old in proptest::collection::vec(LINES, 0..24),
            new in proptest::collection::vec(LINES, 0..24),
        ) {
            let text = |lines: &[String]| -> String {
                lines.iter().map(|line| format!("{line}\n")).collect()
            };
            let (old, new) = (text(&old), text(&new));
            let edits = edits(&old, &new);
            let reverted = |is_reverted| {
                let bytes = edits.with_edits_reverted(&|_| is_reverted);
                String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
            };
            proptest::prop_assert_eq!((reverted(true), reverted(false)), (old, new));
        }
    }
}
