//! Folders that belong to the user: state, drafts, writes, cache, trust.

pub(super) mod cache;
pub(super) mod drafts;
pub(super) mod operations;
pub(super) mod private_files;
pub(super) mod tree_digest;
pub(super) mod trust_file;
pub(super) mod write;
