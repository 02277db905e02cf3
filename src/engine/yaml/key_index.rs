//! An index from the keys of a mapping to the positions of their entries.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// Maps each key to the index of its first entry. Keys are not stored: the caller's `key_at`
/// returns the key at an index.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyIndex {
    places: HashTable<usize>,
    hasher: RandomState,
}

impl KeyIndex {
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    pub(super) fn add<'k>(&mut self, place: usize, key_at: impl Fn(usize) -> Option<&'k str>) {
        let Some(key) = key_at(place) else { return };
        let Self { places, hasher } = self;
        let is_it = |other: &usize| key_at(*other) == Some(key);
        let hash = |other: &usize| hasher.hash_one(key_at(*other));
        if let Entry::Vacant(vacant) = places.entry(hasher.hash_one(Some(key)), is_it, hash) {
            vacant.insert(place);
        }
    }

    pub(super) fn find<'k>(
        &self,
        key: &str,
        key_at: impl Fn(usize) -> Option<&'k str>,
    ) -> Option<usize> {
        let is_it = |place: &usize| key_at(*place) == Some(key);
        self.places.find(self.hasher.hash_one(Some(key)), is_it).copied()
    }

    /// Updates the index after the entry at `place` was removed.
    pub(super) fn remove(&mut self, place: usize) {
        self.places.retain(|other| {
            let stays = *other != place;
            *other -= usize::from(*other > place);
            stays
        });
    }
}
