//! Files below one folder: no path, and no link, leads out of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kzui::engine::load::{FileError, FileKind, Files};

/// Reads files below a folder only.
pub(super) struct RootedFiles {
    /// The folder, links resolved.
    pub(super) root: PathBuf,
    pub(super) inner: Arc<dyn Files>,
}

impl RootedFiles {
    fn checked(&self, path: &Path, real: &Path) -> Result<(), FileError> {
        if real.starts_with(&self.root) {
            return Ok(());
        }
        let reason = format!("{}: outside of the only folder that may be read", path.display());
        Err(FileError::Other { reason })
    }
}

impl Files for RootedFiles {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        let (real, kind) = self.inner.resolve(path)?;
        // The folders above the root are resolved on the way, and are not read.
        if kind == FileKind::File || !self.root.starts_with(&real) {
            self.checked(path, &real)?;
        }
        Ok((real, kind))
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        let (real, _) = self.inner.resolve(path)?;
        self.checked(path, &real)?;
        self.inner.read(&real)
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        let (real, _) = self.inner.resolve(path)?;
        self.checked(path, &real)?;
        self.inner.list(&real)
    }

    fn trusts_settings(&self, file: &Path, target: &Path, is_in_git: bool) -> bool {
        self.inner.trusts_settings(file, target, is_in_git)
    }
}

#[cfg(test)]
mod tests {
    use kzui::engine::load::MemoryFiles;

    use super::*;

    #[test]
    fn files_outside_are_refused_and_folders_above_resolve() {
        let inner = MemoryFiles::default().file("/a/r/k.yaml", "a").file("/a/other.yaml", "b");
        let files = RootedFiles { root: PathBuf::from("/a/r"), inner: Arc::new(inner) };
        assert!(files.read(Path::new("/a/r/k.yaml")).is_ok());
        assert!(files.read(Path::new("/a/r/../other.yaml")).is_err());
        assert!(files.resolve(Path::new("/a/other.yaml")).is_err());
        assert!(files.resolve(Path::new("/a")).is_ok());
        assert!(files.list(Path::new("/a")).is_err());
        assert!(files.list(Path::new("/a/r")).is_ok());
    }
}
