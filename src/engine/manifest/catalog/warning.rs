//! Oddities of a catalog that do not prevent its use (B.2).

use std::fmt;

use crate::diagnostic::printable;
use crate::yaml::Mark;

use super::CATALOG_API_VERSION;

/// An oddity of a catalog that does not prevent its use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogWarning {
    pub oddity: CatalogOddity,
    /// The function concerned (`example.com/Logger`), or `catalog`.
    pub subject: String,
    pub mark: Mark,
}

/// The kinds of oddities. Their texts are made printable, because catalogs may come from strangers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CatalogOddity {
    /// `kustomize.io/v1` (B.1).
    ApiVersion,
    Empty,
    /// A runtime at the level of `versions` instead of within a version; the number of versions
    /// that have their own runtime (B.2 #2).
    RuntimeLevel(usize),
    /// A field that the schema requires is missing (B.2 #3, #11, #25).
    Missing(&'static str),
    /// `kind` at the level of `versions` instead of `names.kind` (B.2 #4).
    KindLevel,
    /// `platform` instead of `platforms` (B.2 #5).
    Platform,
    /// Two binaries for one platform, `linux/amd64` (B.8).
    PlatformTwice(String),
    /// `requireFilesystem` for `requireStorageMount` (B.2 #6).
    Filesystem,
    /// A Starlark location that looks like an OCI reference (B.2 #8).
    StarlarkScheme(String),
    /// A schema that is a URI (B.2 #9).
    SchemaUri,
    /// A list below `exec` (B.2 #23).
    ExecList,
    /// `exec.path` (B.2 #23).
    ExecPath,
    /// `network` for `requireNetwork` (B.2 #24).
    Network,
    /// The id of a function that the catalog defines twice; the first definition is used (B.2 #26).
    Shadowed(String),
    /// An image with a version tag and no sha256 (B.2 #28).
    UnpinnedImage(String),
    /// The platform of a binary without a digest, such as `linux/amd64`.
    UnpinnedExec(String),
    /// A script with a URL and without a sha256.
    UnpinnedScript(String),
    /// A script beside the catalog, without a sha256: a decision about trust pins it.
    FloatingScript(String),
    /// An image that is not pinned at all (B.6).
    Floating(String),
    /// A field that is in no version of the schema, by its path (B.2 #29).
    Unknown(String),
    /// Several runtimes; the first is used (D-B3).
    Runtimes(Vec<&'static str>),
    /// The field with control characters, which are not displayed (B.12).
    Control(String),
}

impl CatalogOddity {
    /// The location of a script without a digest that is a path.
    pub fn floating_script(&self) -> Option<&str> {
        match self {
            Self::FloatingScript(path) => Some(path),
            _ => None,
        }
    }

    /// The code for documentation and messages.
    pub fn code(&self) -> &'static str {
        match self {
            Self::ApiVersion => "CAT-API-VERSION",
            Self::Empty => "CAT-EMPTY",
            Self::RuntimeLevel(_) => "CAT-RUNTIME-LEVEL",
            Self::Missing(_) => "CAT-MISSING",
            Self::KindLevel => "CAT-KIND-LEVEL",
            Self::Platform => "CAT-PLATFORM",
            Self::PlatformTwice(_) => "CAT-PLATFORM-TWICE",
            Self::Filesystem => "CAT-FILESYSTEM",
            Self::StarlarkScheme(_) => "CAT-STARLARK-SCHEME",
            Self::SchemaUri => "CAT-SCHEMA-URI",
            Self::ExecList | Self::ExecPath => "CAT-EXEC-PATH",
            Self::Network => "CAT-NETWORK",
            Self::Shadowed(_) => "CAT-SHADOWED",
            Self::UnpinnedImage(_) | Self::UnpinnedExec(_) | Self::UnpinnedScript(_) => {
                "CAT-UNPINNED"
            }
            Self::Floating(_) | Self::FloatingScript(_) => "CAT-FLOATING",
            Self::Unknown(_) => "CAT-UNKNOWN",
            Self::Runtimes(_) => "CAT-RUNTIMES",
            Self::Control(_) => "CAT-CONTROL",
        }
    }

    fn words(&self) -> String {
        match self {
            Self::ApiVersion => {
                format!("apiVersion: kustomize.io/v1 is read as {CATALOG_API_VERSION}")
            }
            Self::Empty => "the catalog has no functions".into(),
            Self::RuntimeLevel(0) => "runtime beside versions; it belongs in each version".into(),
            Self::RuntimeLevel(own) => {
                format!(
                    "runtime beside versions, and in {own} of them; the runtime of the version is used"
                )
            }
            Self::Missing(key) => format!("{key} is missing"),
            Self::KindLevel => "kind is next to the versions; it belongs in names.kind".into(),
            Self::Platform => "platform is read as platforms".into(),
            Self::PlatformTwice(platform) => {
                format!("{platform} is listed twice; the first is used")
            }
            Self::Filesystem => "requireFilesystem is read as requireStorageMount".into(),
            Self::StarlarkScheme(uri) => {
                format!("{uri} is read as a plain HTTPS file; did you mean oci://…?")
            }
            Self::SchemaUri => {
                "schema is a URI, which is not fetched; write openAPIV3Schema".into()
            }
            Self::ExecList => "exec is a list of paths; it is an object with platforms".into(),
            Self::ExecPath => "exec.path is read as a local file".into(),
            Self::Network => "network is read as requireNetwork".into(),
            Self::Shadowed(id) => format!("{id} is defined again; the first definition is used"),
            Self::UnpinnedImage(image) => {
                format!("image {image} has a version tag but no sha256")
            }
            Self::UnpinnedExec(platform) => format!(
                "exec for {platform} has no sha256: it cannot run until the catalog gives one"
            ),
            Self::UnpinnedScript(uri) => {
                format!("script {uri} has no sha256: it cannot run until the catalog gives one")
            }
            Self::FloatingScript(path) => format!("script {path} has no sha256"),
            Self::Floating(image) => format!("image {image} is not pinned"),
            Self::Unknown(path) => format!("unknown field {path:?}"),
            Self::Runtimes(given) => {
                let first = given.first().copied().unwrap_or_default();
                format!("runtimes {}: {first} is used", given.join(", "))
            }
            Self::Control(path) => format!("{path}: control characters are not shown"),
        }
    }
}

impl fmt::Display for CatalogOddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.words()))
    }
}
