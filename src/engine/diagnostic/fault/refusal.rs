//! Reasons why a function is not allowed to run, or cannot be resolved.

use crate::load::{Digest, LoadError, ReferenceError};
use crate::resource::ResId;

use super::catalog::CatalogFault;
use super::runtime::RuntimeFault;
use super::schema_violation::SchemaViolation;

/// The reason why a function does not run. `function` is the object that configures it, as
/// `Kind/name (apiVersion)`.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RefusalCause {
    #[error("external plugins disabled; unable to load external plugin '{0}'")]
    PluginsDisabled(String),
    #[error("{kind} function '{function}' needs {flag}")]
    Gate {
        /// The kind of the runtime, such as `exec`.
        kind: &'static str,
        function: String,
        flag: &'static str,
    },
    #[error("function {0}: network required but not enabled with --network")]
    Network(String),
    #[error("function {0} is not run: kzui runs programs only on request")]
    NotAsked(String),
    #[error("{subject} is not in {lock}")]
    NotLocked { subject: String, lock: String },
    #[error("{subject} has digest {found}, {lock} has {locked}")]
    LockMismatch { subject: String, lock: String, found: Digest, locked: Digest },
    #[error("{0}")]
    BadLock(String),
    #[error("catalog '{catalog}' is needed to resolve {function} but could not be read: {fault}")]
    UnreadCatalog { catalog: String, function: String, fault: Box<CatalogFault> },
    /// An entry of `catalogs` is not a reference.
    #[error(transparent)]
    NoReference(#[from] ReferenceError),
    #[error("{0}")]
    Runtime(RuntimeFault),
    #[error(
        "no implementation found for {} {} (\"{}\"): not built in, and no runtime given; set `runtime`, or list the catalog that defines it under `catalogs`",
        .0.gvk.api_version(),
        .0.gvk.kind,
        .0.name
    )]
    NotImplemented(ResId),
    #[error(
        "no implementation found for {} {} (\"{}\"): not built in, no runtime given, and none of the catalogs defines it (searched: {}){}{}",
        id.gvk.api_version(),
        id.gvk.kind,
        id.name,
        searched.join(", "),
        others.iter().map(|(catalog, versions)| other_versions_text(id, catalog, versions)).collect::<String>(),
        if *.elsewhere { "; catalogs of the including kustomization are not used for components" } else { "" }
    )]
    InNoCatalog {
        id: Box<ResId>,
        searched: Vec<String>,
        /// The catalogs with other versions of the function, each with these versions.
        others: Vec<(String, Vec<String>)>,
        /// True if a catalog of the including kustomization contains the function.
        elsewhere: bool,
    },
    #[error("{}", wrong.iter().map(|it| format!("{function}: {it} (schema of {catalog})")).collect::<Vec<_>>().join("\n"))]
    Schema { function: String, catalog: String, wrong: Vec<SchemaViolation> },
    #[error("sha256 mismatch for {subject}: expected {expected}, got {found}")]
    Mismatch { subject: String, expected: String, found: String },
    #[error("the digest in the image and its sha256 differ")]
    DigestsDiffer,
    #[error(transparent)]
    Unpinned(UnpinnedImage),
    #[error("{kind} function {function} has no sha256{missing}")]
    NoDigest { kind: &'static str, function: String, missing: MissingDigest },
    #[error("{kind} function {function}: '{path}' cannot be read: {error}")]
    Unreadable { kind: &'static str, function: String, path: String, error: Box<LoadError> },
    #[error("function path {0} not allowed to start with ../")]
    PathAbove(String),
    #[error("function {0} needs kzui-starlark, which is not installed")]
    NoInterpreter(String),
    #[error("exec function {0}: '{1}' is not in PATH, so its sha256 cannot be checked")]
    NotInPath(String, String),
    #[error("KRM_FN_RUNTIME must be docker, podman or nerdctl, not '{0}'")]
    UnknownEngine(String),
    /// A reason that no code asks for.
    #[error("{0}")]
    Other(String),
}

impl From<String> for RefusalCause {
    fn from(text: String) -> Self {
        Self::Other(text)
    }
}

impl RefusalCause {
    pub(super) fn remedy(&self) -> Option<&'static str> {
        match self {
            Self::Unpinned(UnpinnedImage::Version(_)) => Some(
                "write the digest of the image in the catalog, or allow the tag with --allow-unpinned-images",
            ),
            Self::Unpinned(UnpinnedImage::Floating(_)) => Some(
                "write the digest of the image in the catalog; --require-pinned refuses others",
            ),
            Self::NoDigest { .. } => Some(
                "write its `sha256` in the catalog; `kzui catalog pin` writes the digests of files beside the catalog",
            ),
            Self::PathAbove(_) => Some(
                "move the script below the folder of this file, or allow the path with --load-restrictor LoadRestrictionsNone",
            ),
            _ => None,
        }
    }
}

/// An image without a digest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnpinnedImage {
    #[error("container image '{0}' has a version tag but no sha256; the catalog must pin it")]
    Version(String),
    #[error("image '{0}' is not pinned")]
    Floating(String),
}

/// A binary or file without a digest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MissingDigest {
    #[error(" for {0}")]
    File(String),
    #[error(" for {0} and its location is not an OCI digest reference")]
    Platform(String),
    #[error(" and its location is not an OCI digest reference")]
    Location,
}

fn other_versions_text(id: &ResId, catalog: &str, versions: &[String]) -> String {
    let (group, kind) = (&id.gvk.group, &id.gvk.kind);
    let name = if group.is_empty() { kind.to_string() } else { format!("{group}/{kind}") };
    format!("; {catalog} has {name} in versions {}", versions.join(", "))
}
