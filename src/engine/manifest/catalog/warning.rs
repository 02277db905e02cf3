//! The codes of what is odd about a catalog (B.2).

use crate::yaml::Mark;

/// Something odd about a catalog that does not keep it from being used.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogWarning {
    /// What kind of oddity.
    pub code: CatalogCode,
    /// The function that it is about (`example.com/Logger`), or `catalog`.
    pub subject: String,
    /// What is odd, in words.
    pub message: String,
    /// The field that is missing.
    pub missing: Option<String>,
    /// Where.
    pub mark: Mark,
}

/// The kinds of oddities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CatalogCode {
    /// `kustomize.io/v1` (B.1).
    ApiVersion,
    /// No functions.
    Empty,
    /// A runtime beside the versions (B.2 #2).
    RuntimeLevel,
    /// A field that the schema requires is missing (B.2 #3, #11, #25).
    Missing,
    /// `kind` beside the versions instead of `names.kind` (B.2 #4).
    KindLevel,
    /// `platform` for `platforms` (B.2 #5).
    Platform,
    /// Two binaries for one platform (B.8).
    PlatformTwice,
    /// `requireFilesystem` for `requireStorageMount` (B.2 #6).
    Filesystem,
    /// A Starlark location that looks like an OCI reference (B.2 #8).
    StarlarkScheme,
    /// A schema that is a URI (B.2 #9).
    SchemaUri,
    /// `exec.path` or a list below `exec` (B.2 #23).
    ExecPath,
    /// `network` for `requireNetwork` (B.2 #24).
    Network,
    /// Defined twice in one catalog: the first is used (B.2 #26).
    Shadowed,
    /// An image with a version tag and no sha256 (B.2 #28).
    Unpinned,
    /// An image that is not pinned at all (B.6).
    Floating,
    /// A field that no version of the schema knows (B.2 #29).
    Unknown,
    /// Several runtimes (D-B3).
    Runtimes,
    /// Control characters in a text; they are not shown (B.12).
    Control,
}

impl CatalogCode {
    /// The code as people quote it.
    pub fn name(self) -> &'static str {
        match self {
            Self::ApiVersion => "CAT-API-VERSION",
            Self::Empty => "CAT-EMPTY",
            Self::RuntimeLevel => "CAT-RUNTIME-LEVEL",
            Self::Missing => "CAT-MISSING",
            Self::KindLevel => "CAT-KIND-LEVEL",
            Self::Platform => "CAT-PLATFORM",
            Self::PlatformTwice => "CAT-PLATFORM-TWICE",
            Self::Filesystem => "CAT-FILESYSTEM",
            Self::StarlarkScheme => "CAT-STARLARK-SCHEME",
            Self::SchemaUri => "CAT-SCHEMA-URI",
            Self::ExecPath => "CAT-EXEC-PATH",
            Self::Network => "CAT-NETWORK",
            Self::Shadowed => "CAT-SHADOWED",
            Self::Unpinned => "CAT-UNPINNED",
            Self::Floating => "CAT-FLOATING",
            Self::Unknown => "CAT-UNKNOWN",
            Self::Runtimes => "CAT-RUNTIMES",
            Self::Control => "CAT-CONTROL",
        }
    }
}

impl std::fmt::Display for CatalogCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
