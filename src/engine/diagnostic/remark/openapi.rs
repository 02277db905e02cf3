//! What is said of `openapi` and of the schema files that it names.

use crate::diagnostic::Code;
use crate::resource::{SchemaCause, SchemaFault};

/// What a schema file, or what is written under `openapi`, does not do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenApiRemark {
    /// Kustomize takes nothing from a file that would be one to merge: its path.
    #[error(
        "openapi: Kustomize takes nothing from '{0}', and the built-in schema is gone: it has no `definitions`"
    )]
    NothingTaken(String),
    /// A file defines nothing.
    #[error(
        "openapi: '{path}' has no definitions (is it a CRD list or an API index?){}",
        if *replaces { "; the built-in schema is gone" } else { "" }
    )]
    NoDefinitions {
        /// The file.
        path: String,
        /// It took the place of the built-in schema.
        replaces: bool,
    },
    /// A definition cannot be used.
    #[error("openapi: '{path}': the definition {definition} is left out: {cause}")]
    BadType {
        /// The file.
        path: String,
        /// The definition.
        definition: String,
        /// What is wrong with it.
        cause: SchemaCause,
    },
    /// References lead nowhere.
    #[error("openapi: '{path}' refers to {first}{}, which is defined nowhere", and_more(*more))]
    Undefined {
        /// The file.
        path: String,
        /// The first of the definitions that are not there.
        first: String,
        /// How many others there are.
        more: usize,
    },
    /// A key says none of the words that it knows.
    #[error("openapi.{key}: `{value}` has no effect")]
    UnknownWord {
        /// The key.
        key: &'static str,
        /// What it says.
        value: String,
    },
    /// A key is a list: the key.
    #[error("openapi.{0}: kustomize cannot read a list here")]
    List(String),
    /// A file is no schema.
    #[error(transparent)]
    Invalid(SchemaFault),
}

impl OpenApiRemark {
    pub(super) fn code(&self) -> Code {
        match self {
            Self::NothingTaken(_) | Self::NoDefinitions { .. } => Code::KZ602,
            Self::BadType { .. } => Code::KZ603,
            Self::Undefined { .. } => Code::KZ604,
            Self::UnknownWord { .. } => Code::KZ605,
            Self::List(_) => Code::KZ606,
            Self::Invalid(_) => Code::KZ607,
        }
    }
}

fn and_more(count: usize) -> String {
    if count == 0 { String::new() } else { format!(" (and {count} more)") }
}
