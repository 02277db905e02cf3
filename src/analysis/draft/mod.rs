//! The draft: edited file texts over the files on disk, with undo and redo.

mod edit;
mod files;
mod history;
mod list_diff;
mod merge;
mod operation;
mod scope;
mod texts;

pub use edit::{Edit, EditError, EntryRef};
pub use files::DraftedFiles;
pub use list_diff::list_diff;
pub use operation::{PastWrite, state_before};
pub use scope::{OutOfScope, WriteScope, work_tree};
pub use texts::{
    DiskChange, Draft, DraftHolder, FileChange, KeptDraft, KeptEdit, ListedDraft, Revision,
    is_draft_name,
};
