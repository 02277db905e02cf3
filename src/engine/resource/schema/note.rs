//! Notes for users about a schema that was read.

use super::SchemaCause;

/// Something about a schema file that is no error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaNote {
    NoDefinitions,
    /// A definition was left out: the types that it is for are not complete.
    BadType {
        definition: String,
        cause: SchemaCause,
    },
}
