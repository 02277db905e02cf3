//! What goes from layer to layer of one build.

use std::sync::Arc;

use indexmap::IndexSet;

use crate::resource::{Gvk, Place, SchemaInForce, Scopes};

use super::layer_schema::Merging;

/// What a layer finds and leaves to the next one. Of two layers that are configured alike and find the same, the steps and
/// results are the same: [`reuse`](super::reuse) compares this value and puts it in place as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Carried {
    /// The schema in force.
    pub(super) schema: SchemaInForce,
    /// Somebody set it: the first to do so wins (section 5.6).
    pub(super) schema_is_set: bool,
    pub(super) scopes: Arc<Scopes>,
    /// What the layers around and below the one at work say about the schema.
    pub(super) merging: Merging,
    /// Values that have no place in a file, as [`Context::unplaced`](crate::transform::Context::unplaced) says: from the first
    /// layer on that has validators, itself or in its components.
    pub(super) unplaced: Option<IndexSet<Place>>,
    /// The next resource's number.
    pub(super) next_slot: u32,
}

/// What a build has met so far. It only grows, and matters where a schema is set: what sets one is never reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Met {
    /// A step asked the built-in schema something.
    pub(super) builtin_was_asked: bool,
    /// The types of the resources.
    pub(super) types: IndexSet<Gvk>,
}

impl Met {
    /// Adds what a part of a build met.
    pub(super) fn add(&mut self, more: &Self) {
        self.builtin_was_asked |= more.builtin_was_asked;
        self.types.extend(more.types.iter().cloned());
    }
}
