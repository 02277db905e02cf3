//! The files of one repository: a build without load restrictions reads no files outside it, as in
//! Flux's secure file system.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::load::{Artifacts, FileError, FileKind, Files, GitTarget, Http, Remote, RemoteError};

/// The readable directories: the repository, and clones made by the build.
#[derive(Clone)]
pub(super) struct Within {
    files: Arc<dyn Files>,
    remote: Arc<dyn Remote>,
    allowed: Arc<Mutex<Vec<PathBuf>>>,
}

impl Within {
    pub(super) fn new(files: Arc<dyn Files>, remote: Arc<dyn Remote>, root: &Path) -> Self {
        Self { files, remote, allowed: Arc::new(Mutex::new(vec![root.to_owned()])) }
    }

    fn checked(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        let (resolved, kind) = self.files.resolve(path)?;
        let allowed = self.allowed.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if allowed.iter().any(|root| resolved.starts_with(root)) {
            return Ok((resolved, kind));
        }
        let reason = format!("{} is outside the repository", path.display());
        Err(FileError::Other { reason })
    }

    fn allow(&self, clone: &Path) {
        let clone = self.files.resolve(clone).map_or_else(|_| clone.to_owned(), |(path, _)| path);
        self.allowed.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(clone);
    }
}

impl Files for Within {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        self.checked(path)
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        self.checked(path)?;
        self.files.read(path)
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        self.checked(path)?;
        self.files.list(path)
    }

    fn trusts_settings(&self, file: &Path, target: &Path, is_in_git: bool) -> bool {
        self.files.trusts_settings(file, target, is_in_git)
    }
}

impl Remote for Within {
    fn get(&self, url: &str) -> Result<Http, RemoteError> {
        self.remote.get(url)
    }

    fn fetch_git(&self, target: &GitTarget) -> Result<PathBuf, RemoteError> {
        let clone = self.remote.fetch_git(target)?;
        self.allow(&clone);
        Ok(clone)
    }

    fn kept_git(&self, target: &GitTarget) -> Option<PathBuf> {
        let clone = self.remote.kept_git(target)?;
        self.allow(&clone);
        Some(clone)
    }

    fn artifacts(&self) -> &dyn Artifacts {
        self.remote.artifacts()
    }
}
