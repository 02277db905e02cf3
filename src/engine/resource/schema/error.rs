//! The reasons why a schema document is rejected, and remarks about one.

use crate::yaml::{Mark, YamlError};

/// A schema document that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid schema file: {0}")]
pub struct SchemaError(pub SchemaCause);

impl<E: Into<SchemaCause>> From<E> for SchemaError {
    fn from(cause: E) -> Self {
        Self(cause.into())
    }
}

/// Why a schema document is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaCause {
    #[error("the file is empty")]
    Empty,
    /// A list or a scalar.
    #[error("it is not an object")]
    NoObject,
    /// No YAML, or YAML that cannot be JSON.
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// The document is not valid JSON: the message of the parser.
    #[error("{0}")]
    Json(String),
    #[error("{place} is {found}; {expected} is expected")]
    WrongType {
        /// The path, `Foo.properties`.
        place: String,
        /// The type that was found, such as `a list`.
        found: &'static str,
        /// The expected type, such as `an object`.
        expected: &'static str,
    },
    /// A type of a definition is incomplete: the name of the missing field.
    #[error("x-kubernetes-group-version-kind without {0}")]
    IncompleteType(&'static str),
    #[error("{0}: {1}")]
    Within(SchemaPart, Box<SchemaCause>),
}

/// A part of a schema document, by its name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaPart {
    #[error("definition '{0}'")]
    Definition(String),
    #[error("path '{0}'")]
    Path(String),
}

/// A custom schema that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("openapi: '{file}' is not valid: {error}")]
pub struct SchemaFault {
    /// The file name as written in `openapi`.
    pub file: String,
    /// The location of the field `openapi` that names the file.
    pub mark: Mark,
    pub error: SchemaError,
}

impl From<serde_json::Error> for SchemaCause {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error.to_string())
    }
}

/// A remark about a schema file that is not an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaNote {
    NoDefinitions,
    /// A definition was skipped, because its types are not complete.
    BadType {
        definition: String,
        cause: SchemaCause,
    },
}
