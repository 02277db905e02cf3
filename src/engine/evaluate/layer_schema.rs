//! The result of the `openapi` fields of layers, as values.

use std::sync::Arc;

use crate::resource::Schema;

use super::LayerId;

/// The schemas in one layer's `openapi`, and their use.
#[derive(Clone, Debug)]
pub struct LayerSchema {
    pub layer: LayerId,
    pub usage: SchemaUse,
    /// The schemas that it reads, by file.
    pub sources: Vec<(Arc<str>, Arc<Schema>)>,
}

/// How a layer uses the schemas that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaUse {
    /// They replace the built-in schema for the rest of the build, as in Kustomize.
    Replace,
    /// They are merged over the built-in schema, for this layer and the layers below it.
    Merge,
    /// The built-in schema is used.
    Builtin,
    Ignored,
}

/// The schema settings of the layers around and below the current one (D-E3). Always a value of the
/// layer: siblings do not affect each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LayerSchemaSettings {
    /// This layer, or an enclosing one, merges.
    pub(super) is_on: bool,
    /// An enclosing layer chose the built-in schema: settings of this layer are ignored.
    pub(super) is_closed: bool,
    /// The schemas of the enclosing layers, the outermost on top.
    pub(super) above: Option<Arc<Schema>>,
    /// The schema of this layer.
    pub(super) own: Option<Arc<Schema>>,
    /// The schemas of the layers below, in the order of accumulation.
    pub(super) below: Option<Arc<Schema>>,
}

/// One schema over another.
pub(super) fn over(
    lower: Option<&Arc<Schema>>,
    upper: Option<&Arc<Schema>>,
) -> Option<Arc<Schema>> {
    match (lower, upper) {
        (Some(lower), Some(upper)) => Some(Arc::new(lower.merged_with(upper))),
        (one, other) => one.or(other).cloned(),
    }
}

impl LayerSchemaSettings {
    /// The settings for a layer that begins within this one.
    pub(super) fn within(&self, shares: bool) -> Self {
        Self {
            is_on: self.is_on,
            is_closed: self.is_closed,
            above: over(self.own.as_ref(), self.above.as_ref()),
            own: None,
            // A component works on its parent's resources and therefore sees the parent's schemas.
            below: if shares { self.below.clone() } else { None },
        }
    }

    /// The schema to merge over the built-in one.
    pub(super) fn schema_to_merge(&self) -> Option<Arc<Schema>> {
        if !self.is_on {
            return self.below.clone();
        }
        over(over(self.below.as_ref(), self.own.as_ref()).as_ref(), self.above.as_ref())
    }

    /// The schema that the layer passes to the enclosing one. Without merging, its own schema was
    /// set for the whole build.
    pub(super) fn schema_for_parent(&self) -> Option<Arc<Schema>> {
        if self.is_on { over(self.below.as_ref(), self.own.as_ref()) } else { self.below.clone() }
    }
}
