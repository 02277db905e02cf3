//! The schema in force, and what the layers say about it.

use std::sync::Arc;

use crate::resource::{SchemaInForce, Scopes};

use super::layer_schema::Merging;

/// What holds of schemas in a layer: it is kept and put back whole where a layer ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Schemas {
    pub(super) in_force: SchemaInForce,
    /// Somebody set it: the first to do so wins (section 5.6).
    pub(super) is_set: bool,
    pub(super) scopes: Arc<Scopes>,
    /// What the layers around and below the one at work say.
    pub(super) merging: Merging,
}
