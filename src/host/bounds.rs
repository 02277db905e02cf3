//! Limits for input from outside.

/// Bytes of one file of a repository, of a blob, and of standard input. No cluster accepts a
/// resource of this size.
pub(super) const FILE_LIMIT: u64 = 256 << 20;

/// Bytes of a file of settings, of trust decisions, of the journal, of cache metadata, and of one
/// below `/proc`.
pub(super) const SETTINGS_LIMIT: u64 = 64 << 20;

/// Bytes of a file with a draft or with a write that can be reverted.
pub(super) const KEPT_LIMIT: u64 = 1 << 30;

pub(super) const CATALOG_LIMIT: u64 = 5 << 20;

pub(super) const DOWNLOAD_LIMIT: u64 = 512 << 20;
