//! The undo and redo history of a draft.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::edit::Intent;
use super::files::DraftText;
use super::merge::merge;
use super::stored_text;

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct EditRecord {
    pub file: PathBuf,
    pub intent: Intent,
    pub words: String,
    /// The text before the edit; `None` if the file did not exist.
    #[serde(with = "stored_text")]
    pub before: Option<Arc<[u8]>>,
    /// The text after the edit; `None` if the edit deleted the file.
    #[serde(with = "stored_text")]
    pub after: Option<Arc<[u8]>>,
    /// The number of the user action with this edit: edits of one action are undone and redone
    /// together.
    pub act: u64,
    /// True if the effect of the edit is on disk; such edits are not kept.
    #[serde(skip)]
    pub written: bool,
}

pub(super) const DISCARD_DESCRIPTION: &str = "discard the draft";

impl EditRecord {
    /// The text without this edit: the former bytes if no other edit followed, otherwise the
    /// current text without the change of this edit. `None` if the same lines have been changed
    /// since; the inner `None` for no file.
    pub(super) fn text_without_edit(&self, now: Option<&Arc<[u8]>>) -> Option<DraftText> {
        changed_text([&self.after, &self.before], now, |_| None)
    }

    /// The text with this edit; `None` if the same lines have been changed since.
    pub(super) fn text_with_edit(&self, now: Option<&Arc<[u8]>>) -> Option<DraftText> {
        changed_text([&self.before, &self.after], now, |now| self.intent.replay(now))
    }

    /// Repeats the edit on another text, which becomes the text after it; `None` if the same lines
    /// have been changed since.
    pub(super) fn repeat(&mut self, now: &mut DraftText) -> Option<()> {
        let after = self.text_with_edit(now.as_ref())?;
        self.before = std::mem::replace(now, after.clone());
        self.after = after;
        Some(())
    }
}

fn changed_text(
    [from, to]: [&DraftText; 2],
    now: Option<&Arc<[u8]>>,
    replay: impl FnOnce(&[u8]) -> Option<Vec<u8>>,
) -> Option<DraftText> {
    if now == from.as_ref() {
        return Some(to.clone());
    }
    let [old, new, now] = [from.as_ref(), to.as_ref(), now].map(bytes_or_empty);
    let text = replay(now).or_else(|| merge(old, new, now))?;
    // A file that the edit created is deleted with the edit.
    let gone = to.is_none() && text.is_empty();
    Some((!gone).then(|| text.into()))
}

pub(super) fn bytes_or_empty(file: Option<&Arc<[u8]>>) -> &[u8] {
    file.map_or(&[], |text| text)
}

/// All edits, the last at the end, and all undone edits, the next to redo at the end.
#[derive(Clone, Debug, Default)]
pub(super) struct EditHistory {
    pub(super) undo_stack: Vec<EditRecord>,
    pub(super) undone: Vec<EditRecord>,
}
