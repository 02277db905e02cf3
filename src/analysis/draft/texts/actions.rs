//! Edits of several files at once, and the descriptions of all edits.

use std::path::PathBuf;
use std::sync::Arc;

use super::super::history::DISCARD_DESCRIPTION;
use super::{Draft, FileChange, FileDraft};
use crate::engine::load::Files;

impl Draft {
    /// Discards all unwritten edits, as edits that can be undone like any other. A file in conflict
    /// is left unchanged.
    pub fn discard_all(&mut self) {
        let files = self.files.iter_mut().filter(|(_, file)| file.is_edited());
        for (path, file) in files.filter(|(_, file)| file.conflict.is_none()) {
            let before = std::mem::replace(&mut file.text, file.base.clone());
            let change = FileChange { path: path.clone(), base: before, draft: file.base.clone() };
            let record = change.into_record(DISCARD_DESCRIPTION.to_owned(), self.revision.0);
            self.history.undo_stack.push(record);
        }
        self.history.undone.clear();
        self.left_out.clear();
        self.increment_revision();
    }

    /// Restores former texts of files (`None`: no file) as one action with this description, which
    /// can be undone like any other. Returns false if all files have these texts already. A file in
    /// conflict or out of scope is left unchanged.
    pub fn restore(
        &mut self,
        files: Vec<(PathBuf, Option<Arc<[u8]>>)>,
        words: &str,
        disk: &dyn Files,
    ) -> bool {
        let (act, done) = (self.revision.0, self.history.undo_stack.len());
        for (path, text) in files {
            let is_conflict = self.files.get(&path).is_some_and(|file| file.conflict.is_some());
            if is_conflict || self.scope.check(&path, disk).is_err() {
                continue;
            }
            let drafted = self.files.get(&path).filter(|file| file.is_edited());
            let (base, before) = if let Some(file) = drafted {
                (file.base.clone(), file.text.clone())
            } else {
                let now = disk.read(&path).ok();
                (now.clone(), now)
            };
            if before == text {
                continue;
            }
            let change = FileChange { path: path.clone(), base: before, draft: text.clone() };
            self.files.insert(path, FileDraft { base, text, conflict: None });
            self.history.undo_stack.push(change.into_record(words.to_owned(), act));
        }
        if self.history.undo_stack.len() == done {
            return false;
        }
        self.history.undone.clear();
        self.increment_revision();
        true
    }

    /// The descriptions of the changes that a write makes, each action once: first the undone edits
    /// that were written, then the new edits, oldest first.
    pub fn unwritten(&self) -> Vec<String> {
        let back = self.history.undone.iter().filter(|record| record.written);
        let back = back.map(|record| (record.act, format!("undo: {}", record.words)));
        let done = self.effective_records().into_iter();
        let mut words: Vec<(u64, String)> = Vec::new();
        for (act, text) in back.chain(done.map(|record| (record.act, record.words.clone()))) {
            if words.last().is_none_or(|(last, _)| *last != act) {
                words.push((act, text));
            }
        }
        words.into_iter().map(|(_, words)| words).collect()
    }
}
