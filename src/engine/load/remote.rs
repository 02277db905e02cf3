//! What lies outside the machine: git repositories and HTTP files (sections 1.8 and 1.9).

use std::path::PathBuf;
use std::sync::Arc;

use super::{Artifacts, NoArtifacts};

/// A git repository, a ref in it and a path below it, as Kustomize reads it from an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct GitTarget {
    /// What `git fetch` is given.
    pub repo: String,
    /// The ref; empty for HEAD.
    pub reference: String,
    /// The path inside the repository, without a leading slash.
    pub path: String,
    /// Seconds that each git command may take.
    pub timeout_seconds: u64,
    /// Whether submodules are fetched.
    pub submodules: bool,
}

/// An answer over HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Http {
    /// The status code, after redirects.
    pub status: u16,
    /// Its words (`Not Found`).
    pub reason: String,
    /// The body.
    pub body: Arc<[u8]>,
}

/// Why something remote could not be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RemoteError {
    /// Nobody asked for it yet: the workbench fetches nothing by itself, and `--offline` forbids it.
    #[error("{what} is not fetched: {why}")]
    NotAllowed {
        /// The URL or repository.
        what: String,
        /// Why not, and what to do.
        why: String,
    },
    /// The git program failed, or took too long.
    #[error("{0}")]
    Git(String),
    /// An answer was refused because somebody on the way could have changed it: nobody else is asked in its place.
    #[error("{0}")]
    Insecure(String),
    /// No connection, no such host.
    #[error("{0}")]
    Connection(String),
}

/// Fetches from outside. Implemented by `host`.
pub trait Remote: Send + Sync {
    /// A plain GET with redirects followed.
    fn get(&self, url: &str) -> Result<Http, RemoteError>;
    /// A shallow clone; the path of its work tree.
    fn fetch_git(&self, target: &GitTarget) -> Result<PathBuf, RemoteError>;
    /// The work tree of an earlier clone. Nothing is connected to.
    fn kept_git(&self, _target: &GitTarget) -> Option<PathBuf> {
        None
    }
    /// Catalogs, scripts and binaries by reference.
    fn artifacts(&self) -> &dyn Artifacts {
        &NoArtifacts
    }
}

/// Fetches nothing and says so: what the workbench opens a tree with.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRemote;

impl Remote for NoRemote {
    fn get(&self, url: &str) -> Result<Http, RemoteError> {
        Err(RemoteError::NotAllowed {
            what: url.to_owned(),
            why: "nothing is fetched without being asked".to_owned(),
        })
    }

    fn fetch_git(&self, target: &GitTarget) -> Result<PathBuf, RemoteError> {
        let why = "nothing is fetched without being asked".to_owned();
        Err(RemoteError::NotAllowed { what: target.repo.clone(), why })
    }
}
