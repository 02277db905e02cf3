//! What the `openapi` of layers comes to, as values.

use std::sync::Arc;

use crate::resource::Schema;

use super::LayerId;

/// The schemas that one layer's `openapi` names, and how it uses them.
#[derive(Clone, Debug)]
pub struct LayerSchema {
    pub layer: LayerId,
    pub usage: SchemaUse,
    /// What it reads: the file, and what stands in it.
    pub sources: Vec<(Arc<str>, Arc<Schema>)>,
}

/// What a layer makes of the schemas that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaUse {
    /// They replace the built-in schema for the rest of the build, as in Kustomize.
    Replace,
    /// They are laid over the built-in schema, for this layer and what is below it.
    Merge,
    /// The built-in schema is used.
    Builtin,
    Ignored,
}

/// What the layers around and below the one at work say about the schema (D-E3). Always a value of the layer: two
/// siblings know nothing of each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Merging {
    /// This layer, or one around it, merges.
    pub(super) is_on: bool,
    /// A layer around this one chose the built-in schema: nothing in here counts.
    pub(super) is_closed: bool,
    /// The schemas of the layers around, the outermost on top.
    pub(super) above: Option<Arc<Schema>>,
    /// The schema of this layer.
    pub(super) own: Option<Arc<Schema>>,
    /// The schemas of the layers below, in the order in which they were accumulated.
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

impl Merging {
    /// What holds in a layer that begins within this one.
    pub(super) fn within(&self, shares: bool) -> Self {
        Self {
            is_on: self.is_on,
            is_closed: self.is_closed,
            above: over(self.own.as_ref(), self.above.as_ref()),
            own: None,
            // A component works on its parent's resources, so it knows what the parent has gathered.
            below: if shares { self.below.clone() } else { None },
        }
    }

    /// What is laid over the built-in schema.
    pub(super) fn gathered(&self) -> Option<Arc<Schema>> {
        if !self.is_on {
            return self.below.clone();
        }
        over(over(self.below.as_ref(), self.own.as_ref()).as_ref(), self.above.as_ref())
    }

    /// What the layer leaves to the one around it. Without merging, its own schema was set for the whole build.
    pub(super) fn left(&self) -> Option<Arc<Schema>> {
        if self.is_on { over(self.below.as_ref(), self.own.as_ref()) } else { self.below.clone() }
    }
}
