//! A file system in a map: tests, recorded workspaces.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{FileError, FileKind, Files};

/// Files by absolute path. A directory exists if it contains a file, or was added with
/// [`MemoryFiles::directory`].
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles {
    files: BTreeMap<PathBuf, Arc<[u8]>>,
    directories: Vec<PathBuf>,
}

impl MemoryFiles {
    /// Adds a file.
    #[must_use]
    pub fn file(mut self, path: impl Into<PathBuf>, text: impl AsRef<[u8]>) -> Self {
        self.files.insert(path.into(), text.as_ref().into());
        self
    }

    /// Adds an empty directory.
    #[must_use]
    pub fn directory(mut self, path: impl Into<PathBuf>) -> Self {
        self.directories.push(path.into());
        self
    }

    fn is_directory(&self, path: &Path) -> bool {
        self.directories.iter().any(|directory| directory.starts_with(path))
            || self
                .files
                .range(path.to_path_buf()..)
                // Paths are sorted: the content of a directory follows it directly.
                .take(2)
                .any(|(file, _)| file.starts_with(path) && file != path)
    }
}

impl Files for MemoryFiles {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        let path = super::paths::clean(path);
        if self.files.contains_key(&path) {
            return Ok((path, FileKind::File));
        }
        if self.is_directory(&path) {
            return Ok((path, FileKind::Directory));
        }
        Err(FileError::Missing { path })
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        let path = super::paths::clean(path);
        self.files.get(&path).cloned().ok_or(FileError::Missing { path })
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        let path = super::paths::clean(path);
        let children = self.files.keys().chain(&self.directories).filter_map(|file| {
            let below = file.strip_prefix(&path).ok()?;
            Some(below.components().next()?.as_os_str().to_string_lossy().into_owned())
        });
        let mut names: Vec<String> = children.collect();
        names.sort();
        names.dedup();
        Ok(names)
    }
}
