//! The files of one source. As in Flux's secure file system, a build without load restrictions
//! reads no file outside the source. Files and links that source-controller leaves out of its
//! artifact cannot be read either.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::load::{
    Artifacts, FileError, FileKind, Files, GitTarget, Http, IgnorePatterns, Remote, RemoteError,
    clean,
};

use super::super::Ports;

/// The files that a build may read: those of the repository and of the clones that the build made.
#[derive(Clone)]
pub(super) struct Within {
    files: Arc<dyn Files>,
    remote: Arc<dyn Remote>,
    allowed: Arc<Mutex<Vec<PathBuf>>>,
    root: PathBuf,
    /// The files of the repository that its source leaves out.
    artifact: Option<Arc<IgnorePatterns>>,
    /// Files that are read although they are not in the source.
    others: Arc<Vec<PathBuf>>,
}

impl Within {
    /// Access to the files of the clones that the build makes, and to no others.
    pub(super) fn clones(ports: &Ports) -> Self {
        let (files, remote) = (ports.files.clone(), ports.remote.clone());
        let (allowed, root, others) = (Arc::default(), PathBuf::new(), Arc::default());
        Self { files, remote, allowed, root, artifact: None, others }
    }

    /// Access to the files of a repository, without those that its source leaves out, and of the clones
    /// that the build makes.
    pub(super) fn new(ports: &Ports, root: &Path, artifact: Option<Arc<IgnorePatterns>>) -> Self {
        let allowed = Arc::new(Mutex::new(vec![root.to_owned()]));
        Self { allowed, root: root.to_owned(), artifact, ..Self::clones(ports) }
    }

    /// The ports with this access, and in addition access to the files `others`, which may be
    /// outside the source.
    pub(super) fn ports(self, ports: &Ports, others: &[PathBuf]) -> Ports {
        let within = Arc::new(Self { others: Arc::new(others.to_vec()), ..self });
        Ports { files: within.clone(), remote: within, ..ports.clone() }
    }

    fn is_left_out(&self, path: &Path, kind: FileKind) -> bool {
        let Some(ignored) = &self.artifact else { return false };
        let Ok(below) = path.strip_prefix(&self.root) else { return false };
        let parts: Vec<String> = below
            .components()
            .map(|part| part.as_os_str().to_string_lossy().into_owned())
            .collect();
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        !parts.is_empty() && ignored.leaves_out(&parts, kind == FileKind::Directory)
    }

    /// Resolves a path; an error if the artifact lacks the path or the path is outside the
    /// repository.
    fn resolve_allowed(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        let (resolved, kind) = self.files.resolve(path)?;
        let path = &clean(path);
        let is_link = self.artifact.is_some() && path.starts_with(&self.root) && resolved != *path;
        let is_other = || self.others.iter().any(|other| other == path);
        if (is_link || self.is_left_out(&resolved, kind)) && !is_other() {
            return Err(FileError::Missing { path: path.to_owned() });
        }
        let allowed = self.allowed.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if allowed.iter().any(|root| resolved.starts_with(root)) {
            return Ok((resolved, kind));
        }
        let reason = format!("{} is outside the repository", path.display());
        Err(FileError::Other { reason })
    }

    fn allow_clone(&self, clone: &Path) {
        let clone = self.files.resolve(clone).map_or_else(|_| clone.to_owned(), |(path, _)| path);
        self.allowed.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(clone);
    }
}

impl Files for Within {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        self.resolve_allowed(path)
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        self.resolve_allowed(path)?;
        self.files.read(path)
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        let (directory, _) = self.resolve_allowed(path)?;
        let mut names = self.files.list(path)?;
        if self.artifact.is_none() {
            return Ok(names);
        }
        names.retain(|name| self.resolve_allowed(&directory.join(name)).is_ok());
        Ok(names)
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
        self.allow_clone(&clone);
        Ok(clone)
    }

    fn kept_git(&self, target: &GitTarget) -> Option<PathBuf> {
        let clone = self.remote.kept_git(target)?;
        self.allow_clone(&clone);
        Some(clone)
    }

    fn artifacts(&self) -> &dyn Artifacts {
        self.remote.artifacts()
    }
}
