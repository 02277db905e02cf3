//! Records the file queries of a build, so that they can be repeated.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indexmap::IndexMap;

use super::{FileError, FileKind, Files};

/// Limit for the total size in bytes of the files that one build reads; each file counts once.
pub const MAX_BUILD_BYTES: u64 = 512 << 20;

/// A file query and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordedQuery {
    Resolve(PathBuf, Result<(PathBuf, FileKind), FileError>),
    Read(PathBuf, Result<Arc<[u8]>, FileError>),
    List(PathBuf, Result<Vec<String>, FileError>),
}

#[derive(Default)]
struct BytesRead {
    by_path: IndexMap<PathBuf, u64, foldhash::fast::RandomState>,
    sum: u64,
    /// The file that exceeded the limit: no further file is read.
    exceeded: Option<FileError>,
}

impl BytesRead {
    fn add(&mut self, path: &Path, bytes: usize) -> Result<(), FileError> {
        if let Some(error) = &self.exceeded {
            return Err(error.clone());
        }
        if let Some(known) = self.by_path.get(path) {
            self.sum -= known;
        }
        self.sum += bytes as u64;
        if self.sum > MAX_BUILD_BYTES {
            let error = FileError::TooMuch { path: path.to_owned(), limit: MAX_BUILD_BYTES };
            self.exceeded = Some(error.clone());
            return Err(error);
        }
        self.by_path.insert(path.to_owned(), bytes as u64);
        Ok(())
    }
}

/// Records queries to files and their answers; those of parallel builds in no particular order.
pub struct RecordingFiles {
    inner: Arc<dyn Files>,
    // Threads may share the port; recording does not change an answer.
    asked: Mutex<Vec<Arc<RecordedQuery>>>,
    read: Mutex<BytesRead>,
    is_disabled: bool,
}

impl RecordedQuery {
    /// True if the query still has the same answer.
    pub fn still_holds(&self, files: &dyn Files) -> bool {
        match self {
            Self::Resolve(path, answer) => files.resolve(path) == *answer,
            Self::Read(path, answer) => match (files.read(path), answer) {
                (Ok(now), Ok(then)) => Arc::ptr_eq(&now, then) || now == *then,
                (now, then) => now == *then,
            },
            Self::List(path, answer) => files.list(path) == *answer,
        }
    }

    /// The path that was queried.
    pub fn path(&self) -> &Path {
        match self {
            Self::Resolve(path, _) | Self::Read(path, _) | Self::List(path, _) => path,
        }
    }
}

impl RecordingFiles {
    /// Records the queries to these files.
    pub fn new(inner: Arc<dyn Files>) -> Self {
        Self { inner, asked: Mutex::default(), read: Mutex::default(), is_disabled: false }
    }

    /// Disables the record if `forgets` is true.
    #[must_use]
    pub fn without_record_if(self, forgets: bool) -> Self {
        Self { is_disabled: forgets, ..self }
    }

    /// The number of recorded queries so far.
    pub fn mark(&self) -> usize {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The queries recorded since the call of [`Self::mark`] that returned `mark`.
    pub fn queries_since(&self, mark: usize) -> Vec<Arc<RecordedQuery>> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.get(mark..).unwrap_or_default().to_vec()
    }

    /// Adds the recorded queries of an earlier build, whose answers are still valid.
    pub fn extend(&self, asked: &[Arc<RecordedQuery>]) {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(asked);
    }

    /// The wrapped files.
    pub fn inner(&self) -> &dyn Files {
        &*self.inner
    }

    fn bytes_read(&self) -> MutexGuard<'_, BytesRead> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, asked: impl FnOnce() -> RecordedQuery) {
        if !self.is_disabled {
            self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::new(asked()));
        }
    }
}

impl Files for RecordingFiles {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        let answer = self.inner.resolve(path);
        self.remember(|| RecordedQuery::Resolve(path.to_owned(), answer.clone()));
        answer
    }

    fn resolve_below(
        &self,
        directory: &Path,
        path: &Path,
    ) -> Result<(PathBuf, FileKind), FileError> {
        let answer = self.inner.resolve_below(directory, path);
        self.remember(|| RecordedQuery::Resolve(path.to_owned(), answer.clone()));
        answer
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        if let Some(error) = &self.bytes_read().exceeded {
            return Err(error.clone());
        }
        let answer = self.inner.read(path);
        let answer = answer.and_then(|bytes| self.count(path, bytes.len()).map(|()| bytes));
        self.remember(|| RecordedQuery::Read(path.to_owned(), answer.clone()));
        answer
    }

    fn count(&self, path: &Path, bytes: usize) -> Result<(), FileError> {
        self.bytes_read().add(path, bytes)
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        let answer = self.inner.list(path);
        self.remember(|| RecordedQuery::List(path.to_owned(), answer.clone()));
        answer
    }

    fn trusts_settings(&self, file: &Path, target: &Path, is_in_git: bool) -> bool {
        self.inner.trusts_settings(file, target, is_in_git)
    }
}
