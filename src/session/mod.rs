//! The what-if state: a draft of file texts over what is on disk, with undo and redo.

mod draft;
mod edit;
mod files;
mod history;
mod merge;

pub use draft::{DiskChange, FileChange, Revision, Session};
pub use edit::{Edit, EditError, EntryRef};
