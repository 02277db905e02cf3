//! The port through which catalogs, scripts and binaries are had by reference.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Digest, Reference, Unfetched};

/// What is expected behind a reference; in a registry it decides the media type (B.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArtifactKind {
    /// A catalog, or a definition of one function.
    Catalog,
    /// A Starlark script.
    Starlark,
    /// A binary, or an archive with one.
    Executable,
}

/// What stands behind a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// Its bytes.
    pub bytes: Arc<[u8]>,
    /// The digest of these bytes.
    pub digest: Digest,
    /// The digest of the manifest in a registry or layout.
    pub manifest: Option<Digest>,
    /// The directory at which its relative paths start; nothing for what has none.
    pub directory: Option<PathBuf>,
    /// When it was fetched, as RFC 3339; nothing for a file.
    pub fetched: Option<String>,
}

impl Artifact {
    /// True when this is what a pin asks for: the content or, in a registry, the manifest.
    pub fn is(&self, pin: &Digest) -> bool {
        self.digest == *pin || self.manifest.as_ref() == Some(pin)
    }
}

/// A binary to be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinaryRequest {
    /// Where it is.
    pub reference: Reference,
    /// The member of the archive, by path or base name.
    pub bin: String,
    /// The digest of the download or of the member; nothing only for a reference that is itself a digest.
    pub sha256: Option<Digest>,
}

/// A binary whose bytes were checked. What runs is a copy of these bytes, not a file that was checked earlier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binary {
    /// The bytes.
    pub bytes: Arc<[u8]>,
    /// Their digest.
    pub digest: Digest,
    /// What the expected digest was the digest of (D-B11).
    pub matched: Matched,
}

/// What a digest was the digest of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matched {
    /// The download.
    Download,
    /// The member of the archive.
    Member,
    /// The manifest in the registry.
    Manifest,
}

/// Why something could not be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArtifactError {
    /// Nobody asked for it: the workbench fetches nothing by itself.
    #[error("{what} is not fetched: {why}")]
    NotAllowed {
        /// The reference.
        what: String,
        /// Why not.
        why: Unfetched,
    },
    /// `--offline` (B.9).
    #[error("offline: '{what}' is not in the cache")]
    Offline {
        /// The reference.
        what: String,
    },
    /// The bytes are not those that were asked for.
    #[error("sha256 mismatch for {what}: expected {expected}, got {found}")]
    Mismatch {
        /// The reference.
        what: String,
        /// The digest that was asked for.
        expected: Digest,
        /// The digest of what came.
        found: Digest,
    },
    /// Anything else, in words.
    #[error("{0}")]
    Failed(String),
}

/// Has artifacts by reference. Implemented by `host`.
pub trait Artifacts: Send + Sync {
    /// Fetches, or takes from the cache, what stands behind a reference. A pin must be met.
    fn fetch(
        &self,
        reference: &Reference,
        kind: ArtifactKind,
        pin: Option<&Digest>,
    ) -> Result<Artifact, ArtifactError>;

    /// Fetches, or takes from the cache, a binary; its bytes are checked every time.
    fn binary(&self, request: &BinaryRequest) -> Result<Binary, ArtifactError>;

    /// What an earlier fetch of a reference left, whatever is there now. Nothing is connected to.
    fn kept(&self, _reference: &Reference, _kind: ArtifactKind) -> Option<Artifact> {
        None
    }

    /// The operating system and processor of this machine, in the catalog's words (`linux`, `amd64`).
    fn platform(&self) -> (String, String);
}

/// Fetches nothing and says so: what the workbench opens a tree with.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoArtifacts;

impl NoArtifacts {
    fn refuse(reference: &Reference) -> ArtifactError {
        let what = reference.to_string();
        ArtifactError::NotAllowed { what, why: Unfetched::NotAsked }
    }
}

impl Artifacts for NoArtifacts {
    fn fetch(
        &self,
        reference: &Reference,
        _kind: ArtifactKind,
        _pin: Option<&Digest>,
    ) -> Result<Artifact, ArtifactError> {
        Err(Self::refuse(reference))
    }

    fn binary(&self, request: &BinaryRequest) -> Result<Binary, ArtifactError> {
        Err(Self::refuse(&request.reference))
    }

    fn platform(&self) -> (String, String) {
        ("linux".to_owned(), "amd64".to_owned())
    }
}
