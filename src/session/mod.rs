//! The what-if state: a draft of file texts over what is on disk, with undo and redo.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::load::Files;

/// One entry of a list in a kustomization file, switched off ones included in the count.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EntryRef {
    /// The kustomization file, absolute.
    pub file: PathBuf,
    /// The top-level field (`components`).
    pub field: String,
    /// Its place in [`OutlineField::entries`](crate::engine::manifest::OutlineField).
    pub index: usize,
}

/// What a person does to a kustomization file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Comments an entry out where it stands, or restores it.
    ToggleEntry(EntryRef),
    /// Comments a whole top-level field out (`namePrefix`), or restores it.
    ToggleField {
        /// The kustomization file.
        file: PathBuf,
        /// The field.
        field: String,
    },
    /// Moves an entry within its list, down for positive numbers.
    MoveEntry {
        /// Which.
        entry: EntryRef,
        /// How far.
        by: isize,
    },
    /// Adds an entry at the end of a list, in the file's own style; makes the list when it is missing.
    AddEntry {
        /// The kustomization file.
        file: PathBuf,
        /// The field.
        field: String,
        /// The entry as YAML, without dash and indentation.
        text: String,
    },
    /// Replaces the text of a file: an editor inside the workbench.
    SetText {
        /// The file.
        file: PathBuf,
        /// All of it.
        text: Arc<[u8]>,
    },
}

/// Why an edit cannot be done; the file stays as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The file cannot be read.
    #[error("{path}: {reason}")]
    Read {
        /// The file.
        path: String,
        /// The system's words.
        reason: String,
    },
    /// The list or the entry is not there (any more).
    #[error("{path}: no entry {index} in `{field}`")]
    NoEntry {
        /// The file.
        path: String,
        /// The field.
        field: String,
        /// The entry.
        index: usize,
    },
    /// The text is written in a way that cannot be edited without touching other bytes.
    #[error("{path}:{line}: {reason}")]
    Unsupported {
        /// The file.
        path: String,
        /// 1-based.
        line: u32,
        /// What stands in the way, and what to do.
        reason: String,
    },
}

/// A file that the draft changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// Absolute path.
    pub path: PathBuf,
    /// What the draft is based on: the bytes on disk when it was begun or last rebased. `None`: a new file.
    pub base: Option<Arc<[u8]>>,
    /// What the draft has.
    pub draft: Arc<[u8]>,
}

/// What a change on disk means for the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskChange {
    /// The draft does not touch the file.
    Unrelated,
    /// Disk and draft agree now.
    Agrees,
    /// The draft's edits were carried over to the new text.
    Rebased,
    /// Both changed the same place: nothing is overwritten until the user decides.
    Conflict,
}

/// Counts drafts, so that late answers can be told from current ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Revision(pub u64);

/// The draft with its history.
#[derive(Clone, Debug, Default)]
pub struct Session {}

#[expect(unused_variables, reason = "signatures first")]
impl Session {
    /// Does an edit on the draft.
    pub fn apply(&mut self, edit: &Edit, disk: &dyn Files) -> Result<(), EditError> {
        todo!()
    }
    /// Takes the last edit back; its words.
    pub fn undo(&mut self) -> Option<String> {
        todo!()
    }
    /// Does the last undone edit again; its words.
    pub fn redo(&mut self) -> Option<String> {
        todo!()
    }
    /// The files that differ from disk.
    pub fn changes(&self) -> Vec<FileChange> {
        todo!()
    }
    /// How many edits are not written.
    pub fn pending(&self) -> usize {
        todo!()
    }
    /// Goes up with every change of the draft.
    pub fn revision(&self) -> Revision {
        todo!()
    }
    /// The files as the draft has them, over those on disk.
    pub fn files(&self, disk: Arc<dyn Files>) -> Arc<dyn Files> {
        todo!()
    }
    /// The file was written as the draft has it: undoing from here writes the other way.
    pub fn written(&mut self, path: &Path) {
        todo!()
    }
    /// The file has these bytes on disk now (`None`: it is gone).
    pub fn disk_changed(&mut self, path: &Path, bytes: Option<Arc<[u8]>>) -> DiskChange {
        todo!()
    }
    /// Throws the draft of a file away.
    pub fn discard(&mut self, path: &Path) {
        todo!()
    }
}
