//! The draft, its base, and the effect of changes on disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::edit::{Edit, Intent};
use super::files::{DraftText, DraftedFiles};
use super::history::{DISCARD_DESCRIPTION, EditHistory, EditRecord, bytes_or_empty};
use super::merge::merge;
use super::scope::WriteScope;
use super::stored_text;
use crate::engine::load::{FileError, Files};

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct FileChange {
    pub path: PathBuf,
    /// The bytes on disk when the draft was begun or last rebased. `None`: a new file.
    #[serde(with = "stored_text")]
    pub base: Option<Arc<[u8]>>,
    /// The drafted bytes. `None`: the file is deleted, because the edit that created it was undone.
    #[serde(with = "stored_text")]
    pub draft: Option<Arc<[u8]>>,
}

impl FileChange {
    /// The first line that the change adds, changes or removes, from 1.
    pub fn first_changed_line(&self) -> u32 {
        let [base, draft] = [&self.base, &self.draft].map(|text| bytes_or_empty(text.as_ref()));
        let mut pairs = base.split(|byte| *byte == b'\n').zip(draft.split(|byte| *byte == b'\n'));
        let same = pairs.by_ref().take_while(|(before, after)| before == after).count();
        u32::try_from(same + 1).unwrap_or(u32::MAX)
    }

    /// An edit that is known only by the texts before and after it.
    fn into_record(self, words: String, act: u64) -> EditRecord {
        let Self { path: file, base: before, draft: after } = self;
        EditRecord { file, intent: Intent::Text, words, before, after, act, written: false }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskChange {
    /// The draft does not touch the file.
    Unrelated,
    /// The file on disk now has the drafted text.
    Agrees,
    /// The edits of the draft were applied to the new text.
    Rebased,
    /// Disk and draft changed the same lines: the file is not written until the user decides.
    Conflict,
}

/// A number that increases with each change of a draft, so that outdated results can be recognized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Revision(pub u64);

/// The text after the removal of an entry, the edit, and its description.
type RemovedEntry = (DraftText, Intent, String);

#[derive(Clone, Debug)]
struct FileDraft {
    /// The text on disk on which the draft is based.
    base: DraftText,
    /// `None`: the draft created the file and has deleted it again.
    text: DraftText,
    /// The text on disk, if it cannot be merged with the draft.
    conflict: Option<DraftText>,
}

impl FileDraft {
    fn is_edited(&self) -> bool {
        self.text != self.base
    }
}

#[derive(Clone, Debug, Default)]
pub struct Draft {
    files: BTreeMap<PathBuf, FileDraft>,
    history: EditHistory,
    left_out: Vec<EditRecord>,
    /// The edits that were dropped from the list, and whether each was left out before: an undo
    /// restores them first.
    dropped: BTreeMap<u64, bool>,
    revision: Revision,
    scope: WriteScope,
}

impl Draft {
    #[must_use]
    pub fn limited_to_scope(mut self, scope: WriteScope) -> Self {
        self.scope = scope;
        self
    }

    pub fn scope(&self) -> &WriteScope {
        &self.scope
    }

    /// Applies an edit. An edit that changes no byte is not recorded.
    ///
    /// # Errors
    /// The reason in words; the file is unchanged.
    pub fn apply(&mut self, edit: &Edit, disk: &dyn Files) -> Result<(), String> {
        let path = edit.file();
        let refused = |reason| format!("not editable here: {reason}");
        self.scope.check(path, disk).map_err(refused)?;
        let base = match self.files.get(path) {
            Some(file) if file.is_edited() || file.conflict.is_some() => file.base.clone(),
            _ => match disk.read(path) {
                Ok(bytes) => Some(bytes),
                Err(FileError::Missing { .. }) if matches!(edit, Edit::SetText { .. }) => None,
                Err(error) => return Err(format!("{}: {error}", path.display())),
            },
        };
        let draft = self.files.get(path).filter(|file| file.is_edited());
        let before = draft.map_or_else(|| base.clone(), |file| file.text.clone());
        let text = before.as_deref().unwrap_or_default();
        let (after, intent, words) = if let Some(removal) = self.removal(edit, before.as_ref()) {
            removal
        } else {
            let (intent, words) = edit.to_intent(text);
            (Some(edit.apply_to(text)?.into()), intent, words)
        };
        if before == after {
            return Ok(());
        }
        let file = path.to_owned();
        let conflict = self.files.get(path).and_then(|file| file.conflict.clone());
        let text = after.clone();
        self.files.insert(file.clone(), FileDraft { base, text, conflict });
        self.history.undone.clear();
        let act = self.revision.0;
        let record = EditRecord { file, intent, words, before, after, act, written: false };
        self.history.undo_stack.push(record);
        self.increment_revision();
        Ok(())
    }

    /// The removal of an entry, in place of an edit that switches it off, if an unwritten edit added
    /// the entry: the text after it, the edit and its description.
    fn removal(&self, edit: &Edit, now: Option<&Arc<[u8]>>) -> Option<RemovedEntry> {
        let text = now?;
        let added = self.unwritten_records().filter(|record| record.file == edit.file());
        let mut removals =
            added.filter_map(|record| Some((record, record.intent.removal(edit, text)?)));
        let (record, (intent, words)) = removals.next()?;
        Some((record.text_without_edit(now)?, intent, words))
    }

    /// Undoes all edits of the last action, and returns the description of the last edit. `None` if
    /// no edit is left, or if the same lines have been changed since. A file that an edit created is
    /// deleted, even if it was written.
    pub fn undo(&mut self) -> Option<String> {
        self.move_through_history(true)
    }

    /// Redoes all edits of the last undone action, and returns the description of the first one.
    /// `None` if no undone edit is left, or if the same lines have been changed since.
    pub fn redo(&mut self) -> Option<String> {
        self.move_through_history(false)
    }

    fn move_through_history(&mut self, is_undo: bool) -> Option<String> {
        let mut first: Option<(u64, String)> = None;
        loop {
            let EditHistory { undo_stack, undone } = &mut self.history;
            let (from, to) = if is_undo { (undo_stack, undone) } else { (undone, undo_stack) };
            let mut change_file = |record: &EditRecord| {
                let file = self.files.get_mut(&record.file)?;
                let now = file.text.as_ref();
                file.text = if is_undo {
                    record.text_without_edit(now)?
                } else {
                    record.text_with_edit(now)?
                };
                Some(())
            };
            let is_next = |record: &mut EditRecord| {
                first.as_ref().is_none_or(|(act, _)| *act == record.act)
                    && change_file(record).is_some()
            };
            let Some(record) = from.pop_if(is_next) else { return first.map(|(_, words)| words) };
            first.get_or_insert_with(|| (record.act, record.words.clone()));
            to.push(record);
            self.increment_revision();
        }
    }

    pub fn changes(&self) -> Vec<FileChange> {
        let changed = self.files.iter().filter(|(_, file)| file.is_edited());
        let change = |(path, file): (&PathBuf, &FileDraft)| {
            let (base, draft) = (file.base.clone(), file.text.clone());
            FileChange { path: path.clone(), base, draft }
        };
        changed.map(change).collect()
    }

    /// The number of unwritten edits: new edits, and written edits that were undone.
    pub fn pending(&self) -> usize {
        self.edits().iter().filter(|edit| !edit.is_left_out).count()
    }

    pub fn revision(&self) -> Revision {
        self.revision
    }

    pub fn files(&self, disk: Arc<dyn Files>) -> Arc<dyn Files> {
        let changes = self.changes();
        if changes.is_empty() {
            return disk;
        }
        let drafts = changes.into_iter().map(|change| (change.path, change.draft));
        Arc::new(DraftedFiles::new(drafts, disk))
    }

    /// Notes that the drafted text of a file was written: an undo then creates an unwritten change.
    pub fn mark_written(&mut self, path: &Path) {
        let Some(file) = self.files.get_mut(path) else { return };
        file.base.clone_from(&file.text);
        file.conflict = None;
        let EditHistory { undo_stack: done, undone } = &mut self.history;
        done.iter_mut()
            .filter(|record| record.file == path)
            .for_each(|record| record.written = true);
        undone
            .iter_mut()
            .filter(|record| record.file == path)
            .for_each(|record| record.written = false);
    }

    /// Rebases the draft on new bytes of a file on disk (`None`: deleted).
    pub fn disk_changed(&mut self, path: &Path, bytes: Option<Arc<[u8]>>) -> DiskChange {
        let Some(file) = self.files.get_mut(path) else { return DiskChange::Unrelated };
        if file.text == bytes {
            file.base = bytes;
            file.conflict = None;
            return DiskChange::Agrees;
        }
        if !file.is_edited() {
            file.base.clone_from(&bytes);
            file.text = bytes;
            return DiskChange::Unrelated;
        }
        if file.base == bytes {
            file.conflict = None;
            return DiskChange::Unrelated;
        }
        if let Some(change) = bytes.as_ref().and_then(|bytes| self.rebase(path, bytes)) {
            return change;
        }
        if let Some(file) = self.files.get_mut(path) {
            file.conflict = Some(bytes);
        }
        DiskChange::Conflict
    }

    /// Repeats the unwritten edits of a file on new bytes; `None` if one of them cannot be repeated.
    /// If written edits have been undone since, the result is one change of the complete text.
    fn rebase(&mut self, path: &Path, bytes: &Arc<[u8]>) -> Option<DiskChange> {
        let file = self.files.get_mut(path)?;
        let mut records = self.history.undo_stack.clone();
        let mut unwritten =
            records.iter_mut().filter(|it| it.file == path && !it.written).peekable();
        let has_one = unwritten.peek().is_some();
        let is_from_base = unwritten.peek().is_none_or(|record| record.before == file.base);
        let mut now = Some(if has_one && is_from_base {
            Arc::clone(bytes)
        } else {
            merge(file.base.as_deref()?, file.text.as_deref()?, bytes)?.into()
        });
        if is_from_base {
            unwritten.try_for_each(|record| record.repeat(&mut now))?;
        }
        records.retain(|record| record.before != record.after);
        self.history.undo_stack = records;
        *file = FileDraft { base: Some(Arc::clone(bytes)), text: now, conflict: None };
        let agrees = !file.is_edited();
        self.increment_revision();
        Some(if agrees { DiskChange::Agrees } else { DiskChange::Rebased })
    }

    /// The text on disk of a file with an unresolved conflict; the inner `None` for a deleted file.
    pub fn conflicting_disk_text(&self, path: &Path) -> Option<DraftText> {
        self.files.get(path)?.conflict.clone()
    }

    /// Resolves a conflict in favour of the draft: the next write replaces the text on disk.
    pub fn keep_draft(&mut self, path: &Path) {
        if let Some(file) = self.files.get_mut(path)
            && let Some(disk) = file.conflict.take()
        {
            file.base = disk;
            self.increment_revision();
        }
    }

    /// Discards the draft of a file in favour of the text on disk. Written edits stay in the
    /// history of the file.
    pub fn discard_file(&mut self, path: &Path) {
        let Some(file) = self.files.get_mut(path) else { return };
        if let Some(disk) = file.conflict.take() {
            file.base = disk;
        }
        file.text.clone_from(&file.base);
        self.left_out.retain(|record| record.file != path);
        let EditHistory { undo_stack: done, undone } = &mut self.history;
        done.retain(|record| record.file != path || record.written);
        let back: Vec<EditRecord> = undone.extract_if(.., |record| record.file == path).collect();
        done.extend(back.into_iter().rev().filter(|record| record.written));
        self.increment_revision();
    }

    fn increment_revision(&mut self) {
        self.revision.0 += 1;
    }
}

mod actions;
mod edit_list;
mod kept;
#[cfg(test)]
mod tests;

pub use edit_list::ListedEdit;
pub use kept::{DraftHolder, ListedDraft, StoredDraft, is_draft_name};
