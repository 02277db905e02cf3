//! An index of the keys of a mapping, by their places.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// The place of the first entry with each key. It keeps no keys: `key_at` gives that of a place.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyIndex {
    places: HashTable<usize>,
    hasher: RandomState,
}

impl KeyIndex {
    /// The number of keys.
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

    /// The entry at a place was removed.
    pub(super) fn remove(&mut self, place: usize) {
        self.places.retain(|other| {
            let stays = *other != place;
            *other -= usize::from(*other > place);
            stays
        });
    }
}
