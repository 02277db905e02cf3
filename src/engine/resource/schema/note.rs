//! Notes for users about a schema that was read.

use super::SchemaCause;

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
