//! Remembers what was asked of the files, so that it can be asked again.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::{FileError, FileKind, Files};

/// One question and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// [`Files::resolve`]
    Resolve(PathBuf, Result<(PathBuf, FileKind), FileError>),
    /// [`Files::read`]
    Read(PathBuf, Result<Arc<[u8]>, FileError>),
    /// [`Files::list`]
    List(PathBuf, Result<Vec<String>, FileError>),
}

/// Files that remember what was asked of them, in no particular order within a parallel read.
pub struct RecordingFiles {
    inner: Arc<dyn Files>,
    // A port is shared between the threads that read side by side; what was asked changes no answer.
    asked: Mutex<Vec<Arc<Asked>>>,
    /// Nobody will ask what was asked.
    forgets: bool,
}

impl Asked {
    /// True when the answer would be the same now.
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

    /// The path that was asked about.
    pub fn path(&self) -> &Path {
        match self {
            Self::Resolve(path, _) | Self::Read(path, _) | Self::List(path, _) => path,
        }
    }
}

impl RecordingFiles {
    /// Over these files.
    pub fn new(inner: Arc<dyn Files>) -> Self {
        Self { inner, asked: Mutex::default(), forgets: false }
    }

    /// Over these files, without remembering anything when nobody will ask for it.
    #[must_use]
    pub fn forgetting(self, forgets: bool) -> Self {
        Self { forgets, ..self }
    }

    /// How much was asked so far.
    pub fn mark(&self) -> usize {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// What was asked since a mark.
    pub fn since(&self, mark: usize) -> Vec<Arc<Asked>> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.get(mark..).unwrap_or_default().to_vec()
    }

    /// Takes over what was asked earlier and still holds.
    pub fn extend(&self, asked: &[Arc<Asked>]) {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(asked);
    }

    /// The files behind it.
    pub fn inner(&self) -> &dyn Files {
        &*self.inner
    }

    fn remember(&self, asked: impl FnOnce() -> Asked) {
        if !self.forgets {
            self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::new(asked()));
        }
    }
}

impl Files for RecordingFiles {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        let answer = self.inner.resolve(path);
        self.remember(|| Asked::Resolve(path.to_owned(), answer.clone()));
        answer
    }

    fn resolve_below(
        &self,
        directory: &Path,
        path: &Path,
    ) -> Result<(PathBuf, FileKind), FileError> {
        let answer = self.inner.resolve_below(directory, path);
        self.remember(|| Asked::Resolve(path.to_owned(), answer.clone()));
        answer
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        let answer = self.inner.read(path);
        self.remember(|| Asked::Read(path.to_owned(), answer.clone()));
        answer
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        let answer = self.inner.list(path);
        self.remember(|| Asked::List(path.to_owned(), answer.clone()));
        answer
    }

    fn trusts_settings(&self, file: &Path, target: &Path, is_in_git: bool) -> bool {
        self.inner.trusts_settings(file, target, is_in_git)
    }
}
