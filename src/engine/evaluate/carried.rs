//! What goes from layer to layer of one build.

use std::sync::Arc;

use indexmap::IndexSet;

use crate::profile::Profile;
use crate::resource::{Place, ResMap, Scopes};
use crate::transform::VarSet;

use super::accumulator::{Accumulator, Unmatched};
use super::schemas::Schemas;

/// What a layer finds and leaves to the next one. Of two layers that are configured alike and find the same, the steps and
/// results are the same: [`reuse`](super::reuse) compares this value and puts it in place as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Carried {
    pub(super) schemas: Schemas,
    /// Values that have no place in a file, as [`Context::unplaced`](crate::transform::Context::unplaced) says: from the first
    /// layer on that has validators, itself or in its components.
    pub(super) unplaced: Option<IndexSet<Place>>,
    next_slot: u32,
}

impl Carried {
    /// What the first layer finds.
    pub(super) fn first(profile: Profile) -> Self {
        let scopes = Arc::new(Scopes::of(profile));
        Self { schemas: Schemas { scopes, ..Schemas::default() }, ..Self::default() }
    }

    /// An empty accumulator whose slots follow those given so far. `forgets`: it keeps no changes.
    pub(super) fn new_accumulator(&self, forgets: bool) -> Accumulator {
        let resources = ResMap::starting_at(self.next_slot, self.schemas.scopes.clone());
        Accumulator {
            resources: resources.forgetting(forgets),
            config: Arc::default(),
            vars: VarSet::default(),
            unmatched: Unmatched::default(),
        }
    }

    /// Slots are given from here on behind those of these resources.
    pub(super) fn continue_behind(&mut self, resources: &ResMap) {
        self.next_slot = self.next_slot.max(resources.next_slot());
    }

    /// These resources give their slots behind all others.
    pub(super) fn continue_with(&self, resources: &mut ResMap) {
        resources.continue_at(self.next_slot);
    }
}
