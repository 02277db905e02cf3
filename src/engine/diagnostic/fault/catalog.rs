//! Why a function catalog (KEP-2906) cannot be read, and what is wrong in one: all of it is told at once.

use std::fmt;

use crate::diagnostic::printable;
use crate::load::{ArtifactError, FileError};
use crate::yaml::{Mark, YamlError};

/// Why a catalog cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CatalogFault {
    /// Its file cannot be read.
    #[error(transparent)]
    File(FileError),
    /// It cannot be had, or is not what was asked for.
    #[error(transparent)]
    Artifact(ArtifactError),
    /// It is larger than this, in MiB.
    #[error("it has more than {0} MiB")]
    TooLarge(usize),
    /// It is no catalog.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Malformed(Vec<CatalogProblem>),
}

/// One thing that is wrong in a catalog. Its text is made printable: a catalog may be a stranger's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogProblem {
    /// The field by its path, `spec.krmFunctions[0].group`, or the function, `example.com/Logger v1`; empty for the
    /// document.
    pub place: String,
    /// What is wrong there.
    pub cause: CatalogCause,
    /// Where it stands.
    pub mark: Mark,
}

/// Why a part of a catalog cannot be used (B.1, B.2).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CatalogCause {
    /// The text is no YAML.
    #[error(transparent)]
    Yaml(YamlError),
    /// Nothing is in it.
    #[error("the catalog is empty")]
    Empty,
    /// It has several documents.
    #[error("expected one document, a Catalog or a KRMFunctionDefinition; there are more")]
    SeveralDocuments,
    /// A text is none of those that may stand there.
    #[error("expected {}, got {found:?}", alternatives(known))]
    Header {
        /// What may stand there.
        known: &'static [&'static str],
        /// What stands there.
        found: String,
    },
    /// A value is of another type.
    #[error("expected {expected}, got {found}")]
    WrongType {
        /// `a list`
        expected: &'static str,
        /// What stands there.
        found: Instead,
    },
    /// A key stands twice.
    #[error("key {0:?} already set in map")]
    RepeatedKey(String),
    /// A key is a list or a mapping.
    #[error("a key is not a text")]
    KeyNoText,
    /// A field is not there.
    #[error("required")]
    Required,
    /// None of the fields is there that say the same thing.
    #[error("required: {0}")]
    RequiredOne(&'static str),
    /// A text that decides something has control characters.
    #[error("has control characters")]
    ControlCharacters,
    /// A text is empty.
    #[error("is empty")]
    EmptyText,
    /// `sha256` is no digest.
    #[error("sha256 must be 64 hexadecimal digits")]
    BadDigest,
    /// An entry is written by `apiVersion` and `kind` (B.2 #15): the group and the version in it.
    #[error(
        "an entry has no apiVersion; write `group: {0}`, `names: {{kind: …}}` and `versions: [{{name: {1}, …}}]`"
    )]
    EntryVersion(String, String),
    /// A function has two kinds: that of `names`, and the one beside it.
    #[error("names.kind is {0:?} and kind is {1:?}; keep names.kind")]
    TwoKinds(String, String),
    /// A function has no versions.
    #[error("at least one version is required")]
    NoVersions,
    /// Something is no name of a version.
    #[error("expected a version such as v1, got {0:?}")]
    BadVersion(String),
    /// Nothing runs a version.
    #[error("runtime: required, with container, exec or starlark")]
    NoRuntime,
    /// A catalog wants to mount something or to set the environment.
    #[error("catalog entries cannot grant mounts or environment; use requireStorageMount")]
    Grants,
    /// Something is no name of an image.
    #[error("{0:?} is not an image name")]
    NoImage(String),
    /// A field is there under its name and under a former one, with different values.
    #[error("{0} and {1} differ; keep {0}")]
    TwoNames(&'static str, &'static str),
    /// There is no such system or processor.
    #[error("expected one of {}, got {found:?}", known.join(", "))]
    NotOneOf {
        /// Those that there are.
        known: &'static [&'static str],
        /// What stands there.
        found: String,
    },
    /// A script is said to be in several places.
    #[error("set one of uri, url and path")]
    SeveralScripts,
}

/// What stands where a value of another type belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instead {
    /// A mapping.
    Object,
    /// A list.
    List,
    /// Nothing.
    Null,
    /// A file that is one text. It is not quoted: a link may lead to any file.
    Text,
    /// This text, number or truth value.
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

impl fmt::Display for Instead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Object => f.write_str("an object"),
            Self::List => f.write_str("a list"),
            Self::Null => f.write_str("null"),
            Self::Text => f.write_str("a text"),
            Self::Scalar(text) => write!(f, "{text:?}"),
        }
    }
}

/// `a, b or c`
fn alternatives(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., end] => format!("{} or {end}", first.join(", ")),
    }
}
