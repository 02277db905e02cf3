//! Paths above `host` are texts: a name that is not UTF-8 is refused.

use std::io;
use std::path::{Path, PathBuf};

/// A path that came from the system.
///
/// # Errors
/// The path is not UTF-8.
pub(in crate::host) fn text_path(path: PathBuf) -> io::Result<PathBuf> {
    if path.to_str().is_some() {
        return Ok(path);
    }
    Err(io::Error::other(format!("{}: the name is not UTF-8", path.display())))
}

pub fn current_directory() -> io::Result<PathBuf> {
    text_path(std::env::current_dir()?)
}

/// The path with all links resolved.
pub fn resolved(path: &Path) -> io::Result<PathBuf> {
    text_path(path.canonicalize()?)
}

/// True for a missing path and for a regular file; false for a link, a pipe, a folder or another
/// special file.
pub fn is_plain_file_or_none(path: &Path) -> bool {
    path.symlink_metadata().map_or(true, |there| there.is_file())
}
