//! What people should know about a schema that was read.

use super::SchemaCause;

/// Something about a schema file that is no error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaNote {
    /// Nothing in it defines anything.
    NoDefinitions,
    /// A definition was left out: the types that it is for are not complete.
    BadType {
        /// Its name.
        definition: String,
        /// What is wrong with it.
        cause: SchemaCause,
    },
}
