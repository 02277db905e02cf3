//! The port [`Files`] over the disk of this machine.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::links::{PathPart, resolve_links};
use super::names::text_path;
use super::ownership;
use super::read::{ReadError, read_file};
use crate::engine::load::{FileError, FileKind, Files};
use crate::host::bounds::MAX_FILE_BYTES;

/// The files on the disk, each read anew without a cache.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskFiles;

impl DiskFiles {
    fn walk(resolved: PathBuf, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        resolve_links(resolved, path, |path| {
            let found = path.symlink_metadata().map_err(|error| failure("lstat", path, &error))?;
            if found.is_symlink() {
                let target = path.read_link().and_then(text_path);
                return target
                    .map(PathPart::Link)
                    .map_err(|error| failure("readlink", path, &error));
            }
            Ok(if found.is_dir() { PathPart::Folder } else { PathPart::File })
        })
    }
}

impl Files for DiskFiles {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        Self::walk(PathBuf::new(), path)
    }

    fn resolve_below(
        &self,
        directory: &Path,
        path: &Path,
    ) -> Result<(PathBuf, FileKind), FileError> {
        match path.strip_prefix(directory) {
            Ok(rest) => Self::walk(directory.to_owned(), rest),
            Err(_) => self.resolve(path),
        }
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        let refused = |call: &str, error: &ReadError| FileError::Other {
            reason: format!("{call} {}: {error}", path.display()),
        };
        read_file(path, MAX_FILE_BYTES).map(Into::into).map_err(|error| match error {
            ReadError::System(error) => {
                failure(if path.is_dir() { "read" } else { "open" }, path, &error)
            }
            ReadError::NotRegular => refused("open", &error),
            ReadError::TooLarge(_) | ReadError::WouldWait => refused("read", &error),
        })
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        let wrong = |error: io::Error| failure("open", path, &error);
        let mut names = Vec::new();
        for entry in std::fs::read_dir(path).map_err(wrong)? {
            names.push(entry.map_err(wrong)?.file_name().to_string_lossy().into_owned());
        }
        names.sort_unstable();
        Ok(names)
    }

    fn trusts_settings(&self, file: &Path, target: &Path, is_in_git: bool) -> bool {
        ownership::check_settings(file, Some(target), is_in_git).is_ok()
    }
}

/// Disk files that report each settings file that is not used to a callback, once for each file.
pub struct NotingFiles<F> {
    note: F,
    noted: Mutex<BTreeSet<PathBuf>>,
}

impl<F: Fn(&str)> NotingFiles<F> {
    /// `note` receives a note for each settings file that is not used.
    pub fn new(note: F) -> Self {
        Self { note, noted: Mutex::default() }
    }
}

impl<F: Fn(&str) + Send + Sync> Files for NotingFiles<F> {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        DiskFiles.resolve(path)
    }

    fn resolve_below(
        &self,
        directory: &Path,
        path: &Path,
    ) -> Result<(PathBuf, FileKind), FileError> {
        DiskFiles.resolve_below(directory, path)
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        DiskFiles.read(path)
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        DiskFiles.list(path)
    }

    fn trusts_settings(&self, file: &Path, target: &Path, is_in_git: bool) -> bool {
        let checked = ownership::check_settings(file, Some(target), is_in_git);
        let Err(reason) = checked else { return true };
        if self.noted.lock().unwrap_or_else(PoisonError::into_inner).insert(file.to_owned()) {
            (self.note)(&reason.to_string());
        }
        false
    }
}

/// The error for a failed system call on a path, with the message that Go prints for it.
fn failure(call: &str, path: &Path, error: &io::Error) -> FileError {
    if error.kind() == io::ErrorKind::NotFound {
        return FileError::Missing { path: path.to_owned() };
    }
    let words = error.to_string();
    let words = words.split(" (os error").next().unwrap_or(&words).to_lowercase();
    FileError::Other { reason: format!("{call} {}: {words}", path.display()) }
}

#[cfg(all(test, unix))]
mod tests {
    use crate::host::fs::disk::*;

    #[test]
    fn links_are_resolved_and_missing_parts_named() {
        let scratch = tempfile::tempdir().unwrap();
        let top = scratch.path().canonicalize().unwrap();
        std::fs::create_dir_all(top.join("a/b")).unwrap();
        std::fs::write(top.join("a/b/f"), "x").unwrap();
        std::os::unix::fs::symlink("a/b", top.join("link")).unwrap();
        std::os::unix::fs::symlink("loop", top.join("loop")).unwrap();
        let resolve = |path: &str| DiskFiles.resolve(&top.join(path));
        assert_eq!(resolve("link/f"), Ok((top.join("a/b/f"), FileKind::File)));
        assert_eq!(resolve("link/.."), Ok((top.join("a"), FileKind::Directory)));
        assert_eq!(resolve("link/x/y"), Err(FileError::Missing { path: top.join("a/b/x") }));
        assert_eq!(resolve("a/b/f/x").unwrap_err().to_string(), "not a directory");
        assert_eq!(resolve("loop").unwrap_err().to_string(), "EvalSymlinks: too many links");
        for path in ["link/f", "link/..", "link/x/y", "a/b/f/x", "a/b/f", "none", "../x"] {
            let below = DiskFiles.resolve_below(&top, &top.join(path));
            assert_eq!(below, resolve(path), "{path}");
        }
        assert_eq!(DiskFiles.list(&top), Ok(["a", "link", "loop"].map(str::to_owned).to_vec()));
    }
}
