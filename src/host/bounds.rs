//! Limits for input from outside.

/// The size limit in bytes of one file of a repository, of a blob, and of standard input. No
/// cluster accepts a resource of this size.
pub(super) const MAX_FILE_BYTES: u64 = 256 << 20;

/// The size limit in bytes of a file with settings, trust decisions, the journal or cache metadata,
/// and of a file below `/proc`.
pub(super) const MAX_SETTINGS_BYTES: u64 = 64 << 20;

/// The size limit in bytes of a file with a draft, or with a write that can be reverted.
pub(super) const MAX_KEPT_FILE_BYTES: u64 = 1 << 30;

pub(super) const MAX_CATALOG_BYTES: u64 = 5 << 20;

pub(super) const MAX_DOWNLOAD_BYTES: u64 = 512 << 20;
