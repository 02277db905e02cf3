//! The reasons why a schema document is rejected, and remarks about one.

use crate::yaml::{Mark, YamlError};

/// The reason why a schema document cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid schema file: {0}")]
pub struct SchemaError(pub String);

impl From<YamlError> for SchemaError {
    fn from(error: YamlError) -> Self {
        Self(error.to_string())
    }
}

impl From<serde_json::Error> for SchemaError {
    fn from(error: serde_json::Error) -> Self {
        Self(error.to_string())
    }
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

/// A remark about a schema file that is not an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaNote {
    NoDefinitions,
    /// A definition was skipped, because its types are not complete.
    BadType {
        definition: String,
        cause: String,
    },
}
