//! Files that are read once, for many builds of one moment.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexMap;

use crate::engine::load::{FileError, FileKind, Files, MOST_BUILD_BYTES};

type Kept<T> = Mutex<IndexMap<PathBuf, Result<T, FileError>>>;

/// Remembers every answer of the files behind it: what many targets share is read once. It stands for one moment; a
/// later moment needs another one, or [`KeptFiles::forget`]. Of the bytes of files no more are kept than one build may
/// read; what comes after is read again when it is asked for.
pub struct KeptFiles {
    inner: Arc<dyn Files>,
    bytes: AtomicU64,
    resolved: Kept<(PathBuf, FileKind)>,
    read: Kept<Arc<[u8]>>,
    listed: Kept<Vec<String>>,
}

impl KeptFiles {
    /// Over these files.
    pub fn new(inner: Arc<dyn Files>) -> Self {
        let (resolved, read, listed) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { inner, bytes: AtomicU64::new(0), resolved, read, listed }
    }

    /// What these files say now is asked anew: they changed, came or went, and so may have the folders above them.
    pub fn forget(&self, changed: &[PathBuf]) {
        for path in changed {
            if let Some(Ok(bytes)) = forget(&self.read, path) {
                self.bytes.fetch_sub(bytes.len() as u64, Ordering::Relaxed);
            }
            for above in path.ancestors() {
                forget(&self.resolved, above);
                forget(&self.listed, above);
            }
        }
    }
}

fn forget<T>(kept: &Kept<T>, path: &Path) -> Option<Result<T, FileError>> {
    kept.lock().unwrap_or_else(PoisonError::into_inner).swap_remove(path)
}

fn recall<T: Clone>(
    kept: &Kept<T>,
    path: &Path,
    ask: impl FnOnce() -> Result<T, FileError>,
    has_room: impl FnOnce(&Result<T, FileError>) -> bool,
) -> Result<T, FileError> {
    if let Some(answer) = kept.lock().unwrap_or_else(PoisonError::into_inner).get(path) {
        return answer.clone();
    }
    // Asked without the lock: two threads may ask once each, and get the same answer.
    let answer = ask();
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    if !kept.contains_key(path) && has_room(&answer) {
        kept.insert(path.to_owned(), answer.clone());
    }
    answer
}

impl KeptFiles {
    /// True for a folder that was asked about, and is no link nor below one.
    fn known_folder(&self, path: &Path) -> bool {
        let kept = self.resolved.lock().unwrap_or_else(PoisonError::into_inner);
        matches!(kept.get(path), Some(Ok((resolved, FileKind::Directory))) if resolved == path)
    }
}

impl KeptFiles {
    /// Counts the bytes of an answer, if there is room to keep them.
    fn has_room(&self, answer: &Result<Arc<[u8]>, FileError>) -> bool {
        let more = answer.as_ref().map_or(0, |bytes| bytes.len() as u64);
        let fits = self.bytes.fetch_add(more, Ordering::Relaxed) + more <= MOST_BUILD_BYTES;
        if !fits {
            self.bytes.fetch_sub(more, Ordering::Relaxed);
        }
        fits
    }
}

impl Files for KeptFiles {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        recall(
            &self.resolved,
            path,
            || {
                // Of a folder that is known only what is below it has to be asked.
                let known = path.parent().map(|above| (above, self.known_folder(above)));
                match known {
                    Some((above, true)) => self.inner.resolve_below(above, path),
                    _ => self.inner.resolve(path),
                }
            },
            |_| true,
        )
    }

    fn resolve_below(
        &self,
        directory: &Path,
        path: &Path,
    ) -> Result<(PathBuf, FileKind), FileError> {
        recall(&self.resolved, path, || self.inner.resolve_below(directory, path), |_| true)
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        recall(&self.read, path, || self.inner.read(path), |answer| self.has_room(answer))
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        recall(&self.listed, path, || self.inner.list(path), |_| true)
    }

    fn trusts_settings(&self, file: &Path, target: &Path, is_in_git: bool) -> bool {
        self.inner.trusts_settings(file, target, is_in_git)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files of 256 MiB, which count how often they are read.
    struct LargeFiles(Arc<[u8]>, AtomicU64);

    impl Files for LargeFiles {
        fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
            Ok((path.to_owned(), FileKind::File))
        }

        fn read(&self, _: &Path) -> Result<Arc<[u8]>, FileError> {
            self.1.fetch_add(1, Ordering::Relaxed);
            Ok(self.0.clone())
        }

        fn list(&self, _: &Path) -> Result<Vec<String>, FileError> {
            Ok(Vec::new())
        }
    }

    #[test]
    fn bytes_beyond_the_limit_are_read_again() {
        let large = Arc::new(LargeFiles(vec![0; 256 << 20].into(), AtomicU64::new(0)));
        let files = KeptFiles::new(large.clone());
        let read = |names: &[&str]| {
            for name in names {
                assert!(files.read(Path::new(name)).is_ok());
            }
            large.1.swap(0, Ordering::Relaxed)
        };
        assert_eq!(read(&["/a", "/b", "/a", "/b"]), 2);
        assert_eq!(read(&["/c", "/c", "/a"]), 2, "there is no room for another file");
        files.forget(&["/a".into()]);
        assert_eq!(read(&["/c", "/c", "/a", "/a"]), 3, "its room is free again");
    }
}
