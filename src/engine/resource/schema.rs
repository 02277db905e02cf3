//! OpenAPI facts as a value: merge keys, patch strategies, scopes (ruling 7; sections 5.1 and 5.6).

use super::{Gvk, Scope};

/// A set of OpenAPI definitions. Never global: passed to whoever needs it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {}

/// A place in a schema: a definition, a property or the items of a list.
#[derive(Clone, Copy, Debug)]
pub struct SchemaNode<'a> {
    _schema: &'a Schema,
}

/// A schema document that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SchemaError(pub String);

impl Schema {
    /// The scope that the schema's paths give a type, when they mention it.
    pub fn scope(&self, _gvk: &Gvk) -> Option<Scope> {
        None
    }
}
