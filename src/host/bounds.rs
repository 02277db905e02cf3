//! Limits for input from outside.

/// The size limit in bytes of one file of a repository, of a blob, and of standard input. No
/// cluster accepts a resource of this size.
pub(super) const FILE_LIMIT: u64 = 256 << 20;

/// The size limit in bytes of a file with settings, trust decisions, the journal or cache metadata,
/// and of a file below `/proc`.
pub(super) const SETTINGS_LIMIT: u64 = 64 << 20;

/// The size limit in bytes of a file with a draft, or with a write that can be reverted.
pub(super) const KEPT_LIMIT: u64 = 1 << 30;

pub(super) const CATALOG_LIMIT: u64 = 5 << 20;

pub(super) const DOWNLOAD_LIMIT: u64 = 512 << 20;
