//! Files that are read once, for many builds of one moment.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexMap;

use crate::engine::load::{FileError, FileKind, Files};

type Kept<T> = Mutex<IndexMap<PathBuf, Result<T, FileError>>>;

/// Remembers every answer of the files behind it: what many targets share is read once. It stands for one moment; a
/// later moment needs another one, or [`KeptFiles::forget`].
pub struct KeptFiles {
    inner: Arc<dyn Files>,
    resolved: Kept<(PathBuf, FileKind)>,
    read: Kept<Arc<[u8]>>,
    listed: Kept<Vec<String>>,
}

impl KeptFiles {
    /// Over these files.
    pub fn new(inner: Arc<dyn Files>) -> Self {
        let (resolved, read, listed) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { inner, resolved, read, listed }
    }

    /// What these files say now is asked anew: they changed, came or went, and so may have the folders above them.
    pub fn forget(&self, changed: &[PathBuf]) {
        for path in changed {
            forget(&self.read, path);
            for above in path.ancestors() {
                forget(&self.resolved, above);
                forget(&self.listed, above);
            }
        }
    }
}

fn forget<T>(kept: &Kept<T>, path: &Path) {
    kept.lock().unwrap_or_else(PoisonError::into_inner).swap_remove(path);
}

fn recall<T: Clone>(
    kept: &Kept<T>,
    path: &Path,
    ask: impl FnOnce() -> Result<T, FileError>,
) -> Result<T, FileError> {
    if let Some(answer) = kept.lock().unwrap_or_else(PoisonError::into_inner).get(path) {
        return answer.clone();
    }
    // Asked without the lock: two threads may ask once each, and get the same answer.
    let answer = ask();
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    kept.insert(path.to_owned(), answer.clone());
    answer
}

impl KeptFiles {
    /// True for a folder that was asked about, and is no link nor below one.
    fn known_folder(&self, path: &Path) -> bool {
        let kept = self.resolved.lock().unwrap_or_else(PoisonError::into_inner);
        matches!(kept.get(path), Some(Ok((resolved, FileKind::Directory))) if resolved == path)
    }
}

impl Files for KeptFiles {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        recall(&self.resolved, path, || {
            // Of a folder that is known only what is below it has to be asked.
            let known = path.parent().map(|above| (above, self.known_folder(above)));
            match known {
                Some((above, true)) => self.inner.resolve_below(above, path),
                _ => self.inner.resolve(path),
            }
        })
    }

    fn resolve_below(
        &self,
        directory: &Path,
        path: &Path,
    ) -> Result<(PathBuf, FileKind), FileError> {
        recall(&self.resolved, path, || self.inner.resolve_below(directory, path))
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        recall(&self.read, path, || self.inner.read(path))
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        recall(&self.listed, path, || self.inner.list(path))
    }

    fn trusts_settings(&self, file: &Path, target: &Path, is_in_git: bool) -> bool {
        self.inner.trusts_settings(file, target, is_in_git)
    }
}
