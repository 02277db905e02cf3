//! The edits between two texts of a file, which can be reverted separately.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use similar::{DiffOp, TextDiff};

use super::documents::moved_documents;
use super::edit::FileEdit;
use super::entry_edits::{EntryParts, added_entries, entry_edits, is_well_formed};
use super::scalar_edits::join_edits_in_scalars;
use crate::answers::secrets::Secrets;
use crate::engine::evaluate::target_file_names;

/// The two texts of a file, and the edits between them.
#[derive(Clone, Debug)]
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
}

/// The limit on edits by line in a kustomization file: with more, edits by entry are used.
const MAX_LINE_EDITS: usize = 200;

/// The edits that turn one text into the other.
pub fn file_edits(
    before_path: &Path,
    path: &Path,
    before: Option<Arc<[u8]>>,
    after: Option<Arc<[u8]>>,
) -> FileEdits {
    let text = |bytes: &Option<Arc<[u8]>>| {
        std::str::from_utf8(bytes.as_deref().unwrap_or_default()).map(str::to_owned).ok()
    };
    let (old, new) = (text(&before), text(&after));
    let is_whole = before.is_none() || after.is_none() || old.is_none() || new.is_none();
    let lines = |text: &Option<String>| -> Vec<String> {
        let text = text.as_deref().unwrap_or_default();
        text.split_inclusive('\n').map(str::to_owned).collect()
    };
    let (old, new) = (lines(&old), lines(&new));
    let edits = if is_whole {
        vec![FileEdit { file: path.to_owned(), old_line: 1, old, new_line: 1, new }]
    } else {
        join_edits_in_scalars(line_edits(path, &old, &new), &old, &new)
    };
    let (before_path, path) = (before_path.to_owned(), path.to_owned());
    let mut found = FileEdits { before_path, path, before, after, edits, is_whole, parts: None };
    if !found.are_lines_separate()
        && let (Some(old), Some(new)) = (found.text(false), found.text(true))
        && let Some((edits, parts)) = entry_edits(&found.path, old, new)
    {
        (found.edits, found.parts) = (edits, Some(parts));
    }
    found
}

impl FileEdits {
    /// Replaces edits by line with edits by entry if an edit spans several fields of a
    /// kustomization file: in files of different folders, equal lines do not separate the fields.
    pub(super) fn split_by_field(mut self) -> Self {
        let name = self.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_open = self.parts.is_none() && !self.is_whole;
        if is_open
            && target_file_names().any(|it| it == name)
            && self.edits.iter().any(has_several_fields)
            && let (Some(old), Some(new)) = (self.text(false), self.text(true))
            && let Some((edits, parts)) = entry_edits(&self.path, old, new)
        {
            (self.edits, self.parts) = (edits, Some(parts));
        }
        self
    }
}

/// True if the lines of an edit begin more than one field.
fn has_several_fields(edit: &FileEdit) -> bool {
    let key = |line: &'_ String| {
        let key = line.split_once(':').map(|(key, _)| key.to_owned());
        key.filter(|key| key.starts_with(|first: char| first.is_ascii_alphabetic()))
    };
    edit.old.iter().chain(&edit.new).filter_map(key).collect::<BTreeSet<String>>().len() > 1
}

/// Edits that each add an entry of a kustomization file, except for the entry at `line`. `None` if
/// the text cannot be read as a mapping.
pub(super) fn layer_entry_edits(path: &Path, text: &Arc<[u8]>, line: u32) -> Option<FileEdits> {
    let read = std::str::from_utf8(text).ok()?;
    let (edits, parts) = added_entries(path, read, line)?;
    let (before_path, path) = (path.to_owned(), path.to_owned());
    let after = Some(text.clone());
    let parts = Some(parts);
    Some(FileEdits { before_path, path, before: None, after, edits, is_whole: false, parts })
}

/// The edits between two versions of a file, with moved documents compared to their old version.
fn line_edits(path: &Path, old: &[String], new: &[String]) -> Vec<FileEdit> {
    let mut edits = Vec::new();
    for (from, to) in
        moved_documents(old, new).unwrap_or_else(|| vec![(0..old.len(), 0..new.len())])
    {
        let old_lines: Vec<&str> = old[from.clone()].iter().map(String::as_str).collect();
        let new_lines: Vec<&str> = new[to.clone()].iter().map(String::as_str).collect();
        let diff = TextDiff::from_slices(&old_lines, &new_lines);
        for op in diff.ops().iter().filter(|op| !matches!(op, DiffOp::Equal { .. })) {
            let shifted = |range: Range<usize>, by: usize| range.start + by..range.end + by;
            let (old_at, new_at) =
                (shifted(op.old_range(), from.start), shifted(op.new_range(), to.start));
            for (old_at, new_at) in split_replacement(old, new, old_at, new_at) {
                edits.push(FileEdit {
                    file: path.to_owned(),
                    old_line: line_number(old_at.start),
                    old: old[old_at].to_vec(),
                    new_line: line_number(new_at.start),
                    new: new[new_at].to_vec(),
                });
            }
        }
    }
    edits
}

/// Splits a replacement into pieces that can be reverted separately. Equal numbers of lines are
/// paired line by line; otherwise the first lines are paired as long as their keys are equal, and
/// the rest is one piece. Inserted lines give one piece for each block; removed lines are one
/// piece, because they all return to the same position.
fn split_replacement(
    old: &[String],
    new: &[String],
    from: Range<usize>,
    to: Range<usize>,
) -> Vec<(Range<usize>, Range<usize>)> {
    if from.is_empty() {
        return indented_blocks(new, to).into_iter().map(|to| (from.clone(), to)).collect();
    }
    let key = |line: &String| line.split_once(':').map(|(key, _)| key.to_owned());
    let pairs = if from.len() == to.len() {
        from.len()
    } else {
        let lines = old[from.clone()].iter().zip(&new[to.clone()]);
        lines.take_while(|(old, new)| key(old).is_some() && key(old) == key(new)).count()
    };
    let pair = |at: usize| (from.start + at..from.start + at + 1, to.start + at..to.start + at + 1);
    let mut pieces: Vec<_> = (0..pairs).map(pair).collect();
    let rest = (from.start + pairs..from.end, to.start + pairs..to.end);
    if !rest.0.is_empty() || !rest.1.is_empty() {
        pieces.push(rest);
    }
    pieces
}

/// Splits lines into blocks: a line with less indentation than all lines before it begins the next
/// block.
fn indented_blocks(lines: &[String], range: Range<usize>) -> Vec<Range<usize>> {
    let indent = |at: usize| {
        let line = &lines[at];
        let is_text = !line.trim().is_empty();
        is_text.then(|| line.len() - line.trim_start_matches(' ').len())
    };
    let mut found = vec![range.clone()];
    let mut least = None;
    for at in range {
        let Some(own) = indent(at) else { continue };
        if least.is_some_and(|least| own < least)
            && let Some(last) = found.last_mut()
        {
            let rest = at..last.end;
            last.end = at;
            found.push(rest);
            least = None;
        }
        least.get_or_insert(own);
    }
    found
}

/// The number of a line, from 1.
fn line_number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

impl FileEdits {
    /// The edits with both sides swapped. Such edits can be shown, but not reverted.
    pub(super) fn flipped(self) -> Self {
        let edits = self.edits.into_iter().map(|edit| FileEdit {
            file: edit.file,
            old_line: edit.new_line,
            old: edit.new,
            new_line: edit.old_line,
            new: edit.old,
        });
        Self {
            before_path: self.path,
            path: self.before_path,
            before: self.after,
            after: self.before,
            edits: edits.collect(),
            is_whole: self.is_whole,
            parts: None,
        }
    }

    /// The text of the second side if `is_new`, otherwise that of the first. `None` without a UTF-8
    /// text.
    pub(super) fn text(&self, is_new: bool) -> Option<&str> {
        let bytes = if is_new { &self.after } else { &self.before };
        std::str::from_utf8(bytes.as_deref()?).ok()
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
        if self.is_whole || !target_file_names().any(|target| name == target) {
            return true;
        }
        let is_read = |text: &Option<Arc<[u8]>>| text.as_deref().is_some_and(is_well_formed);
        if !is_read(&self.before) || !is_read(&self.after) {
            return true;
        }
        self.edits.len() <= MAX_LINE_EDITS
            && (0..self.edits.len())
                .all(|edit| is_read(&self.with_edits_reverted(&|at| at == edit)))
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
        let after = String::from_utf8_lossy(self.after.as_deref().unwrap_or_default());
        let lines: Vec<&str> = after.split_inclusive('\n').collect();
        let mut text = String::new();
        let mut at = 0;
        for (place, edit) in self.edits.iter().enumerate() {
            let start = edit.new_line as usize - 1;
            text.extend(lines.get(at..start).unwrap_or_default().iter().copied());
            let kept = if is_taken_back(place) { &edit.old } else { &edit.new };
            text.extend(kept.iter().map(String::as_str));
            at = start + edit.new.len();
        }
        text.extend(lines.get(at..).unwrap_or_default().iter().copied());
        Some(text.into_bytes().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edit_can_be_reverted_alone() {
        let (old, new) = ("a\nb\nc\nd\ne", "a\nB\nC\nd\nx\ny\n");
        let bytes = |text: &str| Some(Arc::from(text.as_bytes()));
        let path = Path::new("/r/f.yaml");
        let edits = file_edits(path, path, bytes(old), bytes(new));
        let lines: Vec<(u32, u32)> =
            edits.edits.iter().map(|it| (it.old_line, it.new_line)).collect();
        assert_eq!(lines, [(2, 2), (3, 3), (5, 5)]);
        let without = |taken: &[usize]| {
            let bytes = edits.with_edits_reverted(&|at| taken.contains(&at)).unwrap();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        assert_eq!(without(&[]), new);
        assert_eq!(without(&[0]), "a\nb\nC\nd\nx\ny\n");
        assert_eq!(without(&[2]), "a\nB\nC\nd\ne");
        assert_eq!(without(&[0, 1, 2]), old);
        // A line inserted below another block is a separate edit.
        let edits = file_edits(
            path,
            path,
            bytes("a:\n  b:\n    c: 1\ne: 1\n"),
            bytes("a:\n  b:\n    c: 1\n    x: 1\n\n    y: 1\n  z: 1\nd: 1\ne: 1\n"),
        );
        let lines: Vec<(u32, usize)> =
            edits.edits.iter().map(|it| (it.new_line, it.new.len())).collect();
        assert_eq!(lines, [(4, 3), (7, 1), (8, 1)]);
        let whole = file_edits(path, path, None, bytes("a\n"));
        assert_eq!(whole.with_edits_reverted(&|_| true), None);
        assert!(whole.edits[0].writes_in(1, 1) && !whole.edits[0].writes_in(2, 9));
        assert!(!whole.edits[0].removes_in(1, 9), "there was nothing");
    }
}
