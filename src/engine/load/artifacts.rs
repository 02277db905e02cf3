//! The ports for content outside of the machine: git repositories and HTTP files (sections 1.8 and
//! 1.9), and catalogs, scripts and binaries by reference.

use std::path::PathBuf;
use std::sync::Arc;

use super::{
    Digest, GitTarget, NotFetchedCause, OciReference, Reference, RemoteError, SignatureRequest,
    SignatureVerdict,
};

/// The expected kind of content; it determines the media type in a registry (B.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArtifactKind {
    /// A catalog, or a definition of one function.
    Catalog,
    Starlark,
    /// A binary, or an archive with one.
    Executable,
}

const CATALOG: &str = "application/vnd.cncf.kubernetes.krm-func-catalog.layer.v1+yaml";
const DEFINITION: &str = "application/vnd.cncf.kubernetes.krm-func-definition.layer.v1+yaml";
/// The media type of a Starlark script. By mistake the proposal prints the type for executables
/// also as the type for Starlark (B.2 #16).
const STARLARK: &str = "application/vnd.cncf.kubernetes.krm-func-runtime-starlark.layer.v1";
const EXEC: &str = "application/vnd.cncf.kubernetes.krm-func-runtime-exec.layer.v1";

/// Of an artifact with layers, as a registry expects it in a push.
pub const MANIFEST_MEDIA_TYPE: &str = "application/vnd.oci.image.manifest.v1+json";
/// The annotation of a layer with the name of its file.
pub const LAYER_TITLE: &str = "org.opencontainers.image.title";

/// An artifact to publish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publication {
    pub manifest: Vec<u8>,
    pub blobs: Vec<Arc<[u8]>>,
}

/// Publishes artifacts in a registry or an OCI layout. Implemented by `host`.
pub trait Publisher {
    /// The digest of the manifest that has the tag of a reference now.
    ///
    /// # Errors
    /// The registry does not answer, or the folder is no OCI layout.
    fn published(&self, reference: &Reference) -> Result<Option<Digest>, String>;

    /// Writes the blobs, then the manifest, then the tag.
    ///
    /// # Errors
    /// The registry or the disk refuses.
    fn publish(&self, reference: &Reference, publication: &Publication) -> Result<(), String>;
}

impl ArtifactKind {
    /// The word for the kind in messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Catalog => "catalog",
            Self::Starlark => "script",
            Self::Executable => "program",
        }
    }

    /// The media types of the layer with an artifact of this kind; the first one is written.
    pub fn media_types(self) -> &'static [&'static str] {
        match self {
            Self::Catalog => &[CATALOG, DEFINITION],
            Self::Starlark => &[STARLARK],
            Self::Executable => &[EXEC, STARLARK],
        }
    }
}

/// The content of a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    pub bytes: Arc<[u8]>,
    pub digest: Digest,
    /// The digest of the manifest in a registry or layout.
    pub manifest: Option<Digest>,
    /// The directory to which relative paths in the content refer; `None` if it has none.
    pub directory: Option<PathBuf>,
    /// The time of the fetch, as RFC 3339; `None` for a file.
    pub fetched: Option<String>,
}

impl Artifact {
    /// The content of a file in a directory of this machine, or of none.
    pub fn local(bytes: Arc<[u8]>, directory: Option<PathBuf>) -> Self {
        Self { digest: Digest::compute(&bytes), bytes, manifest: None, directory, fetched: None }
    }

    /// True if a pin matches: it is the digest of the content or, in a registry, of the manifest.
    pub fn matches_pin(&self, pin: &Digest) -> bool {
        self.digest == *pin || self.manifest.as_ref() == Some(pin)
    }
}

/// A request for a binary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinaryRequest {
    pub reference: Reference,
    /// The member of the archive, by path or base name.
    pub bin: String,
    /// The digest of the download or of the binary in it; `None` if the reference has a digest.
    pub sha256: Option<Digest>,
}

/// The reason why an artifact cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArtifactError {
    /// The user did not request the fetch: the workbench fetches only on request.
    #[error("{subject} is not fetched: {why}")]
    NotAllowed { subject: String, why: NotFetchedCause },
    /// Not cached, and `--offline` forbids a fetch (B.9).
    #[error("offline: '{subject}' is not in the cache")]
    Offline { subject: String },
    #[error("sha256 mismatch for {subject}: expected {expected}, got {found}")]
    Mismatch { subject: String, expected: Digest, found: Digest },
    #[error("{0}")]
    Failed(String),
}

impl ArtifactError {
    fn not_asked(subject: &dyn std::fmt::Display) -> Self {
        Self::NotAllowed { subject: subject.to_string(), why: NotFetchedCause::NotAsked }
    }
}

impl From<String> for ArtifactError {
    fn from(reason: String) -> Self {
        Self::Failed(reason)
    }
}

/// Fetches artifacts by reference, or takes them from the cache. Implemented by `host`; without an
/// implementation, every fetch is refused.
pub trait Artifacts: Send + Sync {
    /// Fetches the content of a reference, or takes it from the cache. A pin must match.
    fn fetch(
        &self,
        reference: &Reference,
        _kind: ArtifactKind,
        _pin: Option<&Digest>,
    ) -> Result<Artifact, ArtifactError> {
        Err(ArtifactError::not_asked(reference))
    }

    /// Fetches a binary or takes it from the cache; its bytes are verified every time.
    fn binary(&self, request: &BinaryRequest) -> Result<Artifact, ArtifactError> {
        Err(ArtifactError::not_asked(&request.reference))
    }

    /// The content from an earlier fetch of a reference, even if outdated. Makes no connection.
    fn kept(&self, _reference: &Reference, _kind: ArtifactKind) -> Option<Artifact> {
        None
    }

    /// Verifies the signatures of some content. An implementation without a verifier returns
    /// [`SignatureVerdict::Unavailable`].
    fn signature(&self, _request: &SignatureRequest<'_>) -> SignatureVerdict {
        SignatureVerdict::Unavailable("signatures are not verified here".to_owned())
    }

    /// The contents of the image with this digest: from the cache, or else from `registry`, if it is
    /// given and fetches are allowed. Every digest is verified.
    fn image(
        &self,
        digest: &Digest,
        _registry: Option<&OciReference>,
    ) -> Result<ImageContents, ArtifactError> {
        Err(ArtifactError::not_asked(digest))
    }

    /// The operating system and processor of this machine, in the catalog's words.
    fn platform(&self) -> (String, String) {
        ("linux".to_owned(), "amd64".to_owned())
    }
}

/// Refuses every fetch: the port with which the workbench opens a repository.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoArtifacts;

impl Artifacts for NoArtifacts {}

impl Publisher for NoArtifacts {
    fn published(&self, _reference: &Reference) -> Result<Option<Digest>, String> {
        Err("publishing is not possible here".to_owned())
    }

    fn publish(&self, _reference: &Reference, _publication: &Publication) -> Result<(), String> {
        Err("publishing is not possible here".to_owned())
    }
}

/// The contents of a container image, as its manifest and configuration describe them: the user,
/// program and layers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImageContents {
    /// The user of the configuration; empty if it sets none, which means root.
    pub user: String,
    pub entrypoint: Vec<String>,
    pub command: Vec<String>,
    /// The layers from the lowest up.
    pub layers: Vec<ImageLayer>,
    /// `linux/amd64`, as the configuration states it.
    pub platform: String,
    /// The number of manifests in the list from which the one for this machine was chosen; `None`
    /// for an image without a list.
    pub offered: Option<usize>,
}

/// A layer, which an image can have in common with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageLayer {
    pub digest: Digest,
    /// The size of the download in bytes.
    pub size: u64,
}

impl ImageContents {
    /// The user for display: `root` if the configuration sets none.
    pub fn user_name(&self) -> &str {
        if self.user.is_empty() { "root (the image sets no user)" } else { &self.user }
    }
}

/// An HTTP response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Http {
    /// The status code, after redirects.
    pub status: u16,
    /// The reason phrase (`Not Found`).
    pub reason: String,
    pub body: Arc<[u8]>,
}

/// Fetches git repositories, files and artifacts from outside the machine. Implemented by `host`;
/// without an implementation, every fetch is refused.
pub trait Remote: Send + Sync {
    /// A plain GET with redirects followed.
    fn get(&self, url: &str) -> Result<Http, RemoteError> {
        Err(RemoteError::NotAllowed { subject: url.to_owned(), why: NotFetchedCause::NotAsked })
    }
    /// A shallow clone; the path of its work tree.
    fn fetch_git(&self, target: &GitTarget) -> Result<PathBuf, RemoteError> {
        let subject = target.repo.clone();
        Err(RemoteError::NotAllowed { subject, why: NotFetchedCause::NotAsked })
    }
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

impl Remote for NoRemote {}
