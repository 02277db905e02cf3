//! State passed from layer to layer of one build.

use std::sync::Arc;

use crate::profile::Profile;
use crate::resource::{ResMap, Scopes};

use super::accumulator::Accumulator;
use super::layer_schema::Schemas;

/// The state that a layer receives and passes to the next one. Two layers with equal configuration
/// and equal state have the same steps and results: [`reuse`](super::reuse) compares and restores
/// the entire value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CarriedState {
    pub(super) schemas: Schemas,
    pub(super) next_slot: u32,
}

impl CarriedState {
    pub(super) fn first(profile: Profile) -> Self {
        let scopes = Arc::new(Scopes::for_profile(profile));
        Self { schemas: Schemas { scopes, ..Schemas::default() }, ..Self::default() }
    }

    /// The state for the first layer of the next source of a deployment object. Its slots are
    /// numbered after those of the current source.
    pub(super) fn next_source(&self, profile: Profile) -> Self {
        Self { next_slot: self.next_slot, ..Self::first(profile) }
    }

    /// An empty accumulator with the next slots of the build; with `forgets` it records no changes.
    pub(super) fn new_accumulator(&self, forgets: bool) -> Accumulator {
        let resources = ResMap::starting_at(self.next_slot, self.schemas.scopes.clone());
        let resources = resources.without_changes_if(forgets);
        Accumulator { resources, ..Accumulator::default() }
    }

    pub(super) fn continue_slots_after(&mut self, resources: &ResMap) {
        self.next_slot = self.next_slot.max(resources.next_slot());
    }
}
