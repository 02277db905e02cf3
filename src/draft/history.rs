//! What was done, in order, and what was taken back.

use std::path::PathBuf;
use std::sync::Arc;

use super::edit::Intent;
use super::merge::merge;

/// One edit that was done.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) file: PathBuf,
    pub(super) intent: Intent,
    pub(super) words: String,
    /// The text that it was done to; `None`: there was no file.
    pub(super) before: Option<Arc<[u8]>>,
    pub(super) after: Arc<[u8]>,
    /// Its effect is on disk.
    pub(super) written: bool,
}

/// What it is called when a whole draft is thrown away.
pub(super) const THROWN: &str = "throw the draft away";

impl Record {
    /// The text without this edit: the former bytes where nothing else has happened, else its change taken out of
    /// the text as it is now. `None` when others have changed the same place.
    pub(super) fn undone(&self, now: &[u8]) -> Option<Arc<[u8]>> {
        let before = self.before.as_deref().unwrap_or_default();
        if now == &*self.after {
            return Some(before.into());
        }
        merge(&self.after, before, now).map(Into::into)
    }

    /// The text with this edit.
    pub(super) fn redone(&self, now: &[u8]) -> Option<Arc<[u8]>> {
        let before = self.before.as_deref().unwrap_or_default();
        if now == before {
            return Some(Arc::clone(&self.after));
        }
        let replayed = self.intent.replay(now);
        replayed.or_else(|| merge(before, &self.after, now)).map(Into::into)
    }
}

/// Everything done, the last at the end, and everything taken back, the next to redo at the end.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    pub(super) done: Vec<Record>,
    pub(super) undone: Vec<Record>,
}
