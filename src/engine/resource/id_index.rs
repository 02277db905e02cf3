//! The indexes from ids and names to the resources that have them.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hash};
use std::sync::{Arc, OnceLock};

use foldhash::fast::RandomState;

use super::slot::SlotMap;
use super::{EarlierNames, PreviousId, ResId, Resource, Slot};

/// Slots by the hashes of keys. Two keys may have one hash, so that the caller has to compare the
/// resources in the slots that it gets.
#[derive(Clone, Debug, Default)]
pub(crate) struct HashIndex {
    hasher: RandomState,
    entries: BTreeSet<(u64, Slot)>,
    /// The number of different hashes.
    hashes: usize,
}

impl HashIndex {
    /// The index of these keys and slots.
    pub(crate) fn new(entries: impl Iterator<Item = (impl Hash, Slot)>) -> Self {
        let hasher = RandomState::default();
        let hashed = entries.map(|(key, slot)| (hasher.hash_one(key), slot));
        let entries: BTreeSet<(u64, Slot)> = hashed.collect();
        let mut hashes: Vec<u64> = entries.iter().map(|(hash, _)| *hash).collect();
        hashes.dedup();
        Self { hasher, hashes: hashes.len(), entries }
    }

    /// The slots of a key, in the order of their numbers.
    pub(crate) fn get<K: Hash>(&self, key: K) -> impl Iterator<Item = Slot> + use<'_, K> {
        self.slots(self.hasher.hash_one(key))
    }

    fn slots(&self, hash: u64) -> impl Iterator<Item = Slot> + use<'_> {
        let range = (hash, Slot(0))..=(hash, Slot(u32::MAX));
        self.entries.range(range).map(|(_, slot)| *slot)
    }

    fn insert(&mut self, key: impl Hash, slot: Slot) {
        let hash = self.hasher.hash_one(key);
        let is_new = self.slots(hash).next().is_none();
        self.hashes += usize::from(is_new);
        self.entries.insert((hash, slot));
    }

    fn remove(&mut self, key: impl Hash, slot: Slot) {
        let hash = self.hasher.hash_one(key);
        let is_gone = self.entries.remove(&(hash, slot)) && self.slots(hash).next().is_none();
        self.hashes -= usize::from(is_gone);
    }
}

/// Indexes from ids and names to slots, which copies of a map share until one is written. Each index
/// is created when it is first used and then kept up to date, until a step announces that it writes
/// to all resources: the index is then dropped and recreated at its next use.
#[derive(Clone, Debug, Default)]
pub(super) struct Indexes {
    ids: OnceLock<Arc<HashIndex>>,
    /// By current and earlier names.
    names: OnceLock<Arc<HashIndex>>,
}

type All = SlotMap<Arc<Resource>>;

/// The parts of an id in which equal ids agree ([`ResId::same`]). Contains the namespace, so that a
/// look-up is fast even if many namespaces contain the same name.
fn id_key(id: &ResId) -> impl Hash + use<'_> {
    (&id.gvk, &id.name, id.effective_namespace())
}

/// The current and earlier names of a resource; some may be equal.
fn names<'r>(id: &'r ResId, previous: &'r [PreviousId]) -> impl Iterator<Item = &'r str> {
    std::iter::once(&*id.name).chain(previous.iter().map(|previous| &*previous.name))
}

impl Indexes {
    fn ids(&self, all: &All) -> &HashIndex {
        let entries = || all.iter().map(|(slot, resource)| (id_key(&resource.id), *slot));
        self.ids.get_or_init(|| Arc::new(HashIndex::new(entries())))
    }

    /// The slots with this id now, in no particular order, and perhaps others.
    pub(super) fn slots_with_id(
        &self,
        all: &All,
        id: &ResId,
    ) -> impl Iterator<Item = Slot> + use<'_> {
        let ids = self.ids(all);
        ids.slots(ids.hasher.hash_one(id_key(id)))
    }

    pub(super) fn count_ids(&self, all: &All) -> usize {
        self.ids(all).hashes
    }

    /// The slots with this current or earlier name, in no particular order, and perhaps others.
    pub(super) fn named(&self, all: &All, name: &str) -> impl Iterator<Item = Slot> + use<'_> {
        let index = self.names.get_or_init(|| {
            let entries = all.iter().flat_map(|(slot, resource)| {
                names(&resource.id, resource.names.previous()).map(|name| (name, *slot))
            });
            Arc::new(HashIndex::new(entries))
        });
        index.slots(index.hasher.hash_one(name))
    }

    pub(super) fn drop_ids(&mut self) {
        self.ids.take();
    }

    pub(super) fn drop_names(&mut self) {
        self.names.take();
    }

    /// The id and names of a resource before a write; `None` if no index exists.
    pub(super) fn names_before_write(&self, resource: &Resource) -> Option<(ResId, EarlierNames)> {
        let is_used = self.names.get().is_some() || self.ids.get().is_some();
        is_used.then(|| (resource.id.clone(), resource.names.clone()))
    }

    pub(super) fn insert(&mut self, slot: Slot, resource: &Resource) {
        if let Some(ids) = self.ids.get_mut() {
            Arc::make_mut(ids).insert(id_key(&resource.id), slot);
        }
        if let Some(index) = self.names.get_mut().map(Arc::make_mut) {
            let names = names(&resource.id, resource.names.previous());
            names.for_each(|name| index.insert(name, slot));
        }
    }

    pub(super) fn remove(&mut self, slot: Slot, resource: &Resource) {
        if let Some(ids) = self.ids.get_mut() {
            Arc::make_mut(ids).remove(id_key(&resource.id), slot);
        }
        if let Some(index) = self.names.get_mut().map(Arc::make_mut) {
            let names = names(&resource.id, resource.names.previous());
            names.for_each(|name| index.remove(name, slot));
        }
    }

    /// Updates the indexes for a resource that was written or replaced: only the differences from its
    /// former id and names are written.
    pub(super) fn change(
        &mut self,
        slot: Slot,
        (id, previous): (&ResId, &[PreviousId]),
        after: &Resource,
    ) {
        if let Some(ids) = self.ids.get_mut()
            && !after.id.is_spelled_as(id)
        {
            let ids = Arc::make_mut(ids);
            ids.remove(id_key(id), slot);
            ids.insert(id_key(&after.id), slot);
        }
        let now = after.names.previous();
        if let Some(index) = self.names.get_mut()
            && (after.id.name != id.name || now != previous)
        {
            let index = Arc::make_mut(index);
            let is_kept = |name: &str| names(&after.id, now).any(|kept| kept == name);
            for gone in names(id, previous).filter(|name| !is_kept(name)) {
                index.remove(gone, slot);
            }
            let is_old = |name: &str| names(id, previous).any(|old| old == name);
            for new in names(&after.id, now).filter(|name| !is_old(name)) {
                index.insert(new, slot);
            }
        }
    }
}
