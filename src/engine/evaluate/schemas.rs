//! The schema in force, and the schema settings of the layers.

use std::sync::Arc;

use crate::resource::{SchemaInForce, Scopes};

use super::layer_schema::LayerSchemaSettings;

/// The schemas of a layer: saved at the start of a layer and restored together at its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Schemas {
    pub(super) in_force: SchemaInForce,
    /// True if a layer has set the schema: the first layer takes precedence (section 5.6).
    pub(super) is_set: bool,
    pub(super) scopes: Arc<Scopes>,
    /// The schema settings of the layers above and below the current one.
    pub(super) merging: LayerSchemaSettings,
}
