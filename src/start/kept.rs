//! Drafts and writes between the room that keeps them and the room that makes them.

use kzui::draft::{self, FileChange, ListedDraft};
use kzui::host::{self, KeptFile};

/// Changes as they are kept.
pub(super) fn files(changes: &[FileChange]) -> Vec<KeptFile> {
    let files = changes.iter().cloned();
    files.map(|FileChange { path, base, draft }| KeptFile { path, base, draft }).collect()
}

/// Changes that were kept.
pub(super) fn changes(files: Vec<KeptFile>) -> Vec<FileChange> {
    let files = files.into_iter();
    files.map(|KeptFile { path, base, draft }| FileChange { path, base, draft }).collect()
}

/// A draft as it is kept.
pub(super) fn stored(kept: &draft::KeptDraft) -> host::KeptDraft {
    let edit = |edit: &draft::KeptEdit| {
        let draft::KeptEdit { file, words, before, after, act, intent } = edit.clone();
        host::KeptEdit { file, words, before, after, act, intent }
    };
    host::KeptDraft {
        name: kept.name.clone(),
        files: files(&kept.files),
        done: kept.done.iter().map(edit).collect(),
        undone: kept.undone.iter().map(edit).collect(),
    }
}

/// A draft that was kept.
pub(super) fn draft(kept: host::KeptDraft) -> draft::KeptDraft {
    let edit = |edit: host::KeptEdit| {
        let host::KeptEdit { file, words, before, after, act, intent } = edit;
        draft::KeptEdit { file, words, before, after, act, intent }
    };
    draft::KeptDraft {
        name: kept.name,
        files: changes(kept.files),
        done: kept.done.into_iter().map(edit).collect(),
        undone: kept.undone.into_iter().map(edit).collect(),
    }
}

/// The same with who works on it.
pub(super) fn listed(kept: host::ListedDraft) -> ListedDraft {
    let held_by = match kept.held_by {
        host::HeldBy::Nobody => draft::HeldBy::Nobody,
        host::HeldBy::This => draft::HeldBy::This,
        host::HeldBy::Another => draft::HeldBy::Another,
    };
    ListedDraft { draft: draft(kept.draft), at: kept.at, held_by }
}
