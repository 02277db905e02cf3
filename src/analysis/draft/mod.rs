//! The draft: edited file texts over the files on disk, with undo and redo.

mod edit;
mod files;
mod history;
mod kustomization_text;
mod merge;
mod named_entry;
mod past_write;
mod scalar_token;
mod scope;
mod stored_text;
mod texts;

pub use edit::{Edit, EntryRef, Intent};
pub use files::DraftedFiles;
pub use history::EditRecord;
pub use kustomization_text::{KustomizationText, PairKind};
pub use named_entry::{entry_number, entry_value, mapping_of, set_named_entry};
pub use past_write::{PastWrite, state_before};
pub use scalar_token::{replace_scalar, replace_scalar_at};
pub use scope::{WriteScope, work_tree_root};
pub use texts::{
    DiskChange, Draft, DraftHolder, FileChange, ListedDraft, ListedEdit, Revision, StoredDraft,
    is_draft_name,
};
