//! Content outside of the machine: git repositories and HTTP files (sections 1.8 and 1.9).

use std::path::PathBuf;
use std::sync::Arc;

use super::{Artifacts, GitTarget, NoArtifacts, NotFetchedCause, RemoteError};

/// An HTTP response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Http {
    /// The status code, after redirects.
    pub status: u16,
    /// The reason phrase (`Not Found`).
    pub reason: String,
    pub body: Arc<[u8]>,
}

/// Fetches git repositories, files and artifacts from outside the machine. Implemented by `host`.
pub trait Remote: Send + Sync {
    /// A plain GET with redirects followed.
    fn get(&self, url: &str) -> Result<Http, RemoteError>;
    /// A shallow clone; the path of its work tree.
    fn fetch_git(&self, target: &GitTarget) -> Result<PathBuf, RemoteError>;
    /// The work tree of an earlier clone. Makes no connection.
    fn kept_git(&self, _target: &GitTarget) -> Option<PathBuf> {
        None
    }
    /// Catalogs, scripts and binaries by reference.
    fn artifacts(&self) -> &dyn Artifacts {
        &NoArtifacts
    }
}

/// Refuses every fetch: the port with which the workbench opens a repository.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRemote;

impl Remote for NoRemote {
    fn get(&self, url: &str) -> Result<Http, RemoteError> {
        Err(RemoteError::NotAllowed { subject: url.to_owned(), why: NotFetchedCause::NotAsked })
    }

    fn fetch_git(&self, target: &GitTarget) -> Result<PathBuf, RemoteError> {
        let what = target.repo.clone();
        Err(RemoteError::NotAllowed { subject: what, why: NotFetchedCause::NotAsked })
    }
}
