//! Oddities of a catalog that do not prevent its use (B.2).

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
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum CatalogOddity {
    /// B.1
    #[error("apiVersion: kustomize.io/v1 is read as {}", CATALOG_API_VERSION)]
    ApiVersion,
    #[error("the catalog has no functions")]
    Empty,
    /// The number of versions that have their own runtime (B.2 #2).
    #[error("runtime beside versions{}", runtime_remedy(*.0))]
    RuntimeLevel(usize),
    /// A field that the schema requires (B.2 #3, #11, #25).
    #[error("{0} is missing")]
    Missing(&'static str),
    /// B.2 #4
    #[error("kind is next to the versions; it belongs in names.kind")]
    KindLevel,
    /// B.2 #5
    #[error("platform is read as platforms")]
    Platform,
    /// The platform, such as `linux/amd64` (B.8).
    #[error("{} is listed twice; the first is used", printable(.0))]
    PlatformTwice(String),
    /// B.2 #6
    #[error("requireFilesystem is read as requireStorageMount")]
    Filesystem,
    /// B.2 #8
    #[error("{} is read as a plain HTTPS file; did you mean oci://…?", printable(.0))]
    StarlarkScheme(String),
    /// B.2 #9
    #[error("schema is a URI, which is not fetched; write openAPIV3Schema")]
    SchemaUri,
    /// B.2 #23
    #[error("exec is a list of paths; it is an object with platforms")]
    ExecList,
    /// B.2 #23
    #[error("exec.path is read as a local file")]
    ExecPath,
    /// B.2 #24
    #[error("network is read as requireNetwork")]
    Network,
    /// The id of a function (B.2 #26).
    #[error("{} is defined again; the first definition is used", printable(.0))]
    Shadowed(String),
    /// B.2 #28
    #[error("image {} has a version tag but no sha256", printable(.0))]
    UnpinnedImage(String),
    /// The platform of a binary, such as `linux/amd64`.
    #[error(
        "exec for {} has no sha256: it cannot run until the catalog gives one", printable(.0)
    )]
    UnpinnedExec(String),
    /// A script with a URL.
    #[error("script {} has no sha256: it cannot run until the catalog gives one", printable(.0))]
    UnpinnedScript(String),
    /// A script beside the catalog: a decision about trust pins it.
    #[error("script {} has no sha256", printable(.0))]
    FloatingScript(String),
    /// B.6
    #[error("image {} is not pinned", printable(.0))]
    Floating(String),
    /// The path of the field (B.2 #29).
    #[error("unknown field {}", printable(&format!("{:?}", .0)))]
    Unknown(String),
    /// D-B3
    #[error("runtimes {}: {} is used", .0.join(", "), .0.first().copied().unwrap_or_default())]
    Runtimes(Vec<&'static str>),
    /// The path of the field (B.12).
    #[error("{}: control characters are not shown", printable(.0))]
    Control(String),
}

fn runtime_remedy(own: usize) -> String {
    match own {
        0 => "; it belongs in each version".to_owned(),
        own => format!(", and in {own} of them; the runtime of the version is used"),
    }
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
}
