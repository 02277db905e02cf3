//! Why a schema document cannot be used.

use crate::yaml::YamlError;

/// A schema document that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid schema file: {0}")]
pub struct SchemaError(pub SchemaCause);

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
    /// No JSON: the message of the reader.
    #[error("{0}")]
    Json(String),
    /// A value is of another type.
    #[error("{place} is {found}; {expected} is expected")]
    WrongType {
        /// The path, `Foo.properties`.
        place: String,
        /// `a list`
        found: &'static str,
        /// `an object`
        expected: &'static str,
    },
    /// A type that is incomplete: the missing field.
    #[error("x-kubernetes-group-version-kind without {0}")]
    IncompleteType(&'static str),
    /// The same of a path or definition.
    #[error("{0}: {1}")]
    Within(SchemaPart, Box<SchemaCause>),
}

/// A part of a schema document, by its name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaPart {
    /// One of `definitions`.
    #[error("definition '{0}'")]
    Definition(String),
    /// One of `paths`.
    #[error("path '{0}'")]
    Path(String),
}

/// A custom schema that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("openapi: '{file}' is not valid: {error}")]
pub struct SchemaFault {
    /// The file as `openapi` names it.
    pub file: String,
    pub error: SchemaError,
}

impl From<SchemaCause> for SchemaError {
    fn from(cause: SchemaCause) -> Self {
        Self(cause)
    }
}

impl From<YamlError> for SchemaError {
    fn from(error: YamlError) -> Self {
        Self(error.into())
    }
}

impl From<serde_json::Error> for SchemaError {
    fn from(error: serde_json::Error) -> Self {
        Self(SchemaCause::Json(error.to_string()))
    }
}
