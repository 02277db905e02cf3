//! The result of the `openapi` fields of layers, as values.

use std::sync::Arc;

use crate::resource::{Schema, SchemaInForce, Scopes};

use super::LayerId;

/// The schemas in one layer's `openapi`, and their use.
#[derive(Clone, Debug)]
pub struct LayerSchema {
    pub layer: LayerId,
    pub usage: SchemaUse,
    /// The schemas that the layer reads, by file.
    pub sources: Vec<(Arc<str>, Arc<Schema>)>,
}

/// The effect of a layer's `openapi` field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaUse {
    /// The schemas replace the built-in schema for the rest of the build, as in Kustomize.
    Replace,
    /// The schemas are merged over the built-in schema, for this layer and the layers below it.
    Merge,
    Builtin,
    Ignored,
}

/// The schema settings of the layers above and below the current one (D-E3). Each layer has its own
/// copy, so that siblings do not affect each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LayerSchemaSettings {
    /// True if this layer or an enclosing one merges its schemas into the built-in schema.
    pub(super) is_on: bool,
    /// An enclosing layer chose the built-in schema: settings of this layer are ignored.
    pub(super) is_closed: bool,
    /// The merged schemas of the enclosing layers; the outermost takes precedence.
    pub(super) above: Option<Arc<Schema>>,
    pub(super) own: Option<Arc<Schema>>,
    /// The schemas of the layers below, in the order of accumulation.
    pub(super) below: Option<Arc<Schema>>,
}

/// Merges the upper schema over the lower one; if only one of them exists, it is the result.
pub(super) fn merge_over(
    lower: Option<&Arc<Schema>>,
    upper: Option<&Arc<Schema>>,
) -> Option<Arc<Schema>> {
    match (lower, upper) {
        (Some(lower), Some(upper)) => Some(Arc::new(lower.merged_with(upper))),
        (one, other) => one.or(other).cloned(),
    }
}

impl LayerSchemaSettings {
    /// The settings of a layer below; `shares` is true if it works on the resources of this one.
    pub(super) fn within(&self, shares: bool) -> Self {
        Self {
            is_on: self.is_on,
            is_closed: self.is_closed,
            above: merge_over(self.own.as_ref(), self.above.as_ref()),
            own: None,
            // A component works on its parent's resources and therefore sees the parent's schemas.
            below: if shares { self.below.clone() } else { None },
        }
    }

    pub(super) fn schema_to_merge(&self) -> Option<Arc<Schema>> {
        if !self.is_on {
            return self.below.clone();
        }
        merge_over(merge_over(self.below.as_ref(), self.own.as_ref()).as_ref(), self.above.as_ref())
    }

    /// The schema that the layer passes to the enclosing layer. Without merging, the layer's own
    /// schema is already set for the entire build.
    pub(super) fn schema_for_parent(&self) -> Option<Arc<Schema>> {
        if self.is_on {
            merge_over(self.below.as_ref(), self.own.as_ref())
        } else {
            self.below.clone()
        }
    }
}

/// The schemas of a layer: saved at the start of a layer and restored together at its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Schemas {
    pub(super) in_force: SchemaInForce,
    /// True if a layer has set the schema: the first layer takes precedence (section 5.6).
    pub(super) is_set: bool,
    pub(super) scopes: Arc<Scopes>,
    pub(super) merging: LayerSchemaSettings,
}
