//! Errors of function catalogs (KEP-2906). All errors in a catalog are reported together.

use std::fmt;

use crate::diagnostic::{joined, printable};
use crate::load::{ArtifactError, FileError};
use crate::yaml::{Mark, YamlError};

/// The error of a catalog.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CatalogFault {
    #[error(transparent)]
    File(FileError),
    #[error(transparent)]
    Artifact(ArtifactError),
    #[error("larger than {0} MiB")]
    TooLarge(usize),
    #[error("{}", joined(.0, "\n"))]
    Malformed(Vec<CatalogProblem>),
}

/// An error in a catalog. Its text is made printable: a catalog is not trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogProblem {
    /// The field by its path, `spec.krmFunctions[0].group`, or the function, `example.com/Logger
    /// v1`; empty for the document.
    pub place: String,
    pub cause: CatalogCause,
    pub mark: Mark,
}

/// The cause of an error in a catalog (B.1, B.2).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CatalogCause {
    #[error(transparent)]
    Yaml(YamlError),
    #[error("the catalog is empty")]
    Empty,
    #[error("expected one document, a Catalog or a KRMFunctionDefinition; found several")]
    SeveralDocuments,
    #[error("expected {}, got {found:?}", alternatives(known))]
    Header { known: &'static [&'static str], found: String },
    #[error("expected {expected}, got {found}")]
    WrongType {
        /// The expected kind with its article, such as `a list`.
        expected: &'static str,
        found: UnexpectedValue,
    },
    #[error("key {0:?} already set in map")]
    RepeatedKey(String),
    #[error("a key is not a string")]
    KeyNotString,
    #[error("required")]
    Required,
    #[error("required: {0}")]
    RequiredOne(&'static str),
    #[error("has control characters")]
    ControlCharacters,
    #[error("is empty")]
    EmptyText,
    #[error("sha256 must be 64 hexadecimal digits")]
    BadDigest,
    #[error(
        "an entry has no apiVersion; write `group: {0}`, `names: {{kind: …}}` and `versions: [{{name: {1}, …}}]`"
    )]
    EntryVersion(String, String),
    #[error("names.kind is {0:?} and kind is {1:?}; keep names.kind")]
    TwoKinds(String, String),
    #[error("at least one version is required")]
    NoVersions,
    #[error("expected a version such as v1, got {0:?}")]
    BadVersion(String),
    #[error("runtime: required, with container, exec or starlark")]
    NoRuntime,
    #[error("catalog entries cannot grant mounts or environment; use requireStorageMount")]
    GrantNotAllowed,
    #[error("{0:?} is not an image name")]
    BadImageName(String),
    #[error("{0} and {1} differ; keep {0}")]
    TwoNames(&'static str, &'static str),
    #[error("expected one of {}, got {found:?}", known.join(", "))]
    NotOneOf { known: &'static [&'static str], found: String },
    #[error("set one of uri, url and path")]
    SeveralScripts,
}

/// A value of the wrong type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnexpectedValue {
    #[error("an object")]
    Object,
    #[error("a list")]
    List,
    #[error("null")]
    Null,
    /// A file that is a single text. The message does not quote it, because a link may lead to any
    /// file.
    #[error("a text")]
    Text,
    /// A text, number or boolean.
    #[error("{0:?}")]
    Scalar(String),
}

impl fmt::Display for CatalogProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let apart = match self.cause {
            _ if self.place.is_empty() => "",
            CatalogCause::EmptyText => " ",
            _ => ": ",
        };
        f.write_str(&printable(&format!("{}{apart}{}", self.place, self.cause)))
    }
}

/// The words as an enumeration: `a, b or c`.
fn alternatives(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., end] => format!("{} or {end}", first.join(", ")),
    }
}
