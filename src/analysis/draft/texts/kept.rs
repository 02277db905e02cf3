//! A stored draft between two sessions: its files and their edits.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::super::edit::file_name_text;
use super::super::history::{EditHistory, EditRecord};
use super::edit_list::without_opposites;
use super::{DiskChange, Draft, FileChange, FileDraft, Revision};
use crate::engine::load::Files;

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct StoredDraft {
    /// The name that the user chose; `None` for the unnamed draft.
    pub name: Option<String>,
    pub files: Vec<FileChange>,
    pub done: Vec<EditRecord>,
    /// The undone edits, the next one to redo last.
    pub undone: Vec<EditRecord>,
    /// The edits that the draft leaves out, oldest first.
    pub left_out: Vec<EditRecord>,
}

impl StoredDraft {
    pub fn is_empty(&self) -> bool {
        !self.has_edits() && self.name.is_none()
    }

    pub fn has_edits(&self) -> bool {
        !(self.files.is_empty() && self.left_out.is_empty())
    }

    /// The number of edits as in a list of them, without those that are left out.
    pub fn edit_count(&self) -> usize {
        let all: Vec<&EditRecord> = self.done.iter().collect();
        let effective = without_opposites(&all);
        effective.iter().map(|record| record.act).collect::<BTreeSet<u64>>().len()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DraftHolder {
    NoWorkbench,
    ThisWorkbench,
    AnotherWorkbench,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedDraft {
    pub draft: StoredDraft,
    pub at: String,
    pub held_by: DraftHolder,
}

/// The limit on bytes of the texts of all stored edits; the edits of a file are restored as one if
/// older ones are left out.
const MAX_TEXT_BYTES: usize = 8 << 20;

/// True for a valid draft name: one word of at most 64 bytes, without a colon.
pub fn is_draft_name(name: &str) -> bool {
    let fits = |c: char| !c.is_whitespace() && !c.is_control() && c != ':';
    (1..=64).contains(&name.len()) && name.chars().all(fits)
}

impl Draft {
    pub fn to_stored(&self, name: Option<&str>) -> StoredDraft {
        let mut room = MAX_TEXT_BYTES;
        let mut newest = |records: &[EditRecord]| {
            let mut kept: Vec<EditRecord> =
                records.iter().filter(|record| !record.written).cloned().collect();
            let fits = |edit: &&EditRecord| {
                let left = room.checked_sub(edit.after.as_ref().map_or(0, |text| text.len()));
                room = left.unwrap_or(0);
                left.is_some()
            };
            let count = kept.iter().rev().take_while(fits).count();
            kept.split_off(kept.len() - count)
        };
        let (done, undone) = (newest(&self.history.undo_stack), newest(&self.history.undone));
        let (name, files) = (name.map(str::to_owned), self.changes());
        StoredDraft { name, files, done, undone, left_out: self.left_out.clone() }
    }

    /// This draft with a revision above that of the draft that it replaces, `other`.
    #[must_use]
    pub fn with_revision_after(mut self, other: Revision) -> Self {
        self.revision = Revision(self.revision.0.max(other.0.saturating_add(1)));
        self
    }

    /// Restores a stored draft over the current files, and returns the effect of changes on disk
    /// for each of its files.
    pub fn from_stored(kept: StoredDraft, disk: &dyn Files) -> (Self, Vec<DiskChange>) {
        let StoredDraft { files, mut done, undone, left_out, .. } = kept;
        let mut draft = Self::default();
        for change in &files {
            if !are_edits_complete(&done, change) {
                // The stored edits are incomplete: all changes of the file become one edit.
                done.retain(|edit| edit.file != change.path);
                let all = done.iter().chain(&undone).chain(&left_out);
                let act = all.map(|edit| edit.act + 1).max().unwrap_or(0);
                let words = format!("the kept draft of {}", file_name_text(&change.path));
                done.push(change.clone().into_record(words, act));
            }
        }
        let all = || done.iter().chain(&undone).chain(&left_out);
        let last = all().map(|edit| edit.act).max();
        draft.revision = Revision(last.map_or(0, |act| act.saturating_add(1)));
        for path in all().map(|edit| edit.file.clone()) {
            let now = disk.read(&path).ok();
            let same = FileDraft { base: now.clone(), text: now, conflict: None };
            draft.files.entry(path).or_insert(same);
        }
        draft.history = EditHistory { undo_stack: done, undone };
        draft.left_out = left_out;
        let mut met = Vec::new();
        for FileChange { path, base, draft: text } in files {
            draft.files.insert(path.clone(), FileDraft { base, text, conflict: None });
            met.push(draft.disk_changed(&path, disk.read(&path).ok()));
        }
        draft.increment_revision();
        (draft, met)
    }
}

/// True if the edits lead from the base of a file to its drafted text without a gap.
fn are_edits_complete(edits: &[EditRecord], change: &FileChange) -> bool {
    let mut now = &change.base;
    let mut edits = edits.iter().filter(|edit| edit.file == change.path).peekable();
    let has_one = edits.peek().is_some();
    for edit in edits {
        if edit.before != *now {
            return false;
        }
        now = &edit.after;
    }
    has_one && *now == change.draft
}
