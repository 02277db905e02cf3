//! The index from ids and names to the resources that have them.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use indexmap::Equivalent;

use super::slot::SlotMap;
use super::{EarlierNames, PreviousId, QuickMap, ResId, Resource, Slot};

/// An id as a hash key: two keys are equal exactly if [`ResId::same`] is true. Contains the
/// namespace, so that a look-up is fast even if many namespaces contain the same name.
#[derive(Clone, Debug)]
struct ResIdKey(ResId);

/// A borrowed [`ResIdKey`], for look-ups.
struct IdLookup<'a>(&'a ResId);

/// Hashes the parts of an id that [`ResId::same`] compares.
fn hash_id(id: &ResId, state: &mut impl Hasher) {
    id.gvk.hash(state);
    id.name.hash(state);
    id.effective_namespace().hash(state);
}

impl Hash for ResIdKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_id(&self.0, state);
    }
}

impl Hash for IdLookup<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_id(self.0, state);
    }
}

impl PartialEq for ResIdKey {
    fn eq(&self, other: &Self) -> bool {
        self.0.same(&other.0)
    }
}

impl Eq for ResIdKey {}

impl Equivalent<ResIdKey> for IdLookup<'_> {
    fn equivalent(&self, key: &ResIdKey) -> bool {
        self.0.same(&key.0)
    }
}

#[derive(Clone, Debug)]
struct SlotIndex<K>(QuickMap<K, Vec<Slot>>);

impl<K> Default for SlotIndex<K> {
    fn default() -> Self {
        Self(QuickMap::default())
    }
}

impl<K: Hash + Eq> SlotIndex<K> {
    fn insert(&mut self, key: K, slot: Slot) {
        let slots = self.0.entry(key).or_default();
        if !slots.contains(&slot) {
            slots.push(slot);
        }
    }

    fn remove<Q: Hash + Equivalent<K> + ?Sized>(&mut self, key: &Q, slot: Slot) {
        if let Some((index, _, slots)) = self.0.get_full_mut(key) {
            slots.retain(|other| *other != slot);
            if slots.is_empty() {
                self.0.swap_remove_index(index);
            }
        }
    }
}

/// Indexes from current and earlier names to slots.
#[derive(Clone, Debug, Default)]
struct NameIndex {
    current: SlotIndex<Arc<str>>,
    previous: SlotIndex<Arc<str>>,
}

impl NameIndex {
    fn insert(&mut self, slot: Slot, resource: &Resource) {
        self.current.insert(resource.id.name.clone(), slot);
        for previous in resource.names.previous() {
            self.previous.insert(previous.name.clone(), slot);
        }
    }

    fn remove(&mut self, slot: Slot, resource: &Resource) {
        self.current.remove(&*resource.id.name, slot);
        for previous in resource.names.previous() {
            self.previous.remove(&*previous.name, slot);
        }
    }

    fn change(&mut self, slot: Slot, (id, previous): (&ResId, &[PreviousId]), after: &Resource) {
        if after.id.name != id.name {
            self.current.remove(&*id.name, slot);
            self.current.insert(after.id.name.clone(), slot);
        }
        let has =
            |of: &[PreviousId], name: &Arc<str>| of.iter().any(|previous| previous.name == *name);
        for gone in previous.iter().filter(|it| !has(after.names.previous(), &it.name)) {
            self.previous.remove(&*gone.name, slot);
        }
        for new in after.names.previous().iter().filter(|it| !has(previous, &it.name)) {
            self.previous.insert(new.name.clone(), slot);
        }
    }
}

/// Indexes from ids and names to slots. Each index is created when it is first used and then kept
/// up to date, until a step announces that it writes to all resources: the index is then dropped
/// and recreated at its next use.
#[derive(Clone, Debug, Default)]
pub(super) struct Indexes {
    ids: OnceLock<Arc<SlotIndex<ResIdKey>>>,
    names: OnceLock<Arc<NameIndex>>,
}

/// The id and names of a resource that are keys in an index.
pub(super) struct IndexedNames {
    id: ResId,
    names: EarlierNames,
}

/// The resources from which the indexes are created.
type All = SlotMap<Arc<Resource>>;

impl Indexes {
    fn ids(&self, all: &All) -> &SlotIndex<ResIdKey> {
        self.ids.get_or_init(|| {
            let mut ids = SlotIndex::default();
            ids.0.reserve(all.len());
            all.iter().for_each(|(slot, it)| ids.insert(ResIdKey(it.id.clone()), *slot));
            Arc::new(ids)
        })
    }

    fn names(&self, all: &All) -> &NameIndex {
        self.names.get_or_init(|| {
            let mut names = NameIndex::default();
            names.current.0.reserve(all.len());
            all.iter().for_each(|(slot, resource)| names.insert(*slot, resource));
            Arc::new(names)
        })
    }

    /// The slots that have this id now, in no particular order.
    pub(super) fn slots_with_id(
        &self,
        all: &All,
        id: &ResId,
    ) -> impl Iterator<Item = Slot> + use<'_> {
        self.ids(all).0.get(&IdLookup(id)).into_iter().flatten().copied()
    }

    /// The number of different ids.
    pub(super) fn count_ids(&self, all: &All) -> usize {
        self.ids(all).0.len()
    }

    /// The slots whose current or earlier name is this one, in no particular order.
    pub(super) fn named(&self, all: &All, name: &str) -> impl Iterator<Item = Slot> + use<'_> {
        let NameIndex { current, previous } = self.names(all);
        [current.0.get(name), previous.0.get(name)].into_iter().flatten().flatten().copied()
    }

    /// Drops the index from ids to slots.
    pub(super) fn drop_ids(&mut self) {
        self.ids.take();
    }

    /// Drops the index from names to slots.
    pub(super) fn drop_names(&mut self) {
        self.names.take();
    }

    /// The id and names of a resource before a write; `None` if no index exists.
    pub(super) fn names_before_write(&self, resource: &Resource) -> Option<IndexedNames> {
        let has_names = self.names.get().is_some();
        (has_names || self.ids.get().is_some()).then(|| IndexedNames {
            id: resource.id.clone(),
            names: if has_names { resource.names.clone() } else { EarlierNames::default() },
        })
    }

    /// Updates the indexes after a write to a resource that had this id and these names before.
    /// Most writes change neither, so that the indexes stay unchanged.
    pub(super) fn update_after_write(
        &mut self,
        slot: Slot,
        called: &IndexedNames,
        after: &Resource,
    ) {
        let IndexedNames { id, names } = called;
        let has_names = self.names.get().is_some();
        if !after.id.is_spelled_as(id) || has_names && after.names.previous() != names.previous() {
            self.change(slot, (id, names.previous()), after);
        }
    }

    pub(super) fn insert(&mut self, slot: Slot, resource: &Resource) {
        if let Some(ids) = self.ids.get_mut().map(Arc::make_mut) {
            ids.insert(ResIdKey(resource.id.clone()), slot);
        }
        if let Some(names) = self.names.get_mut().map(Arc::make_mut) {
            names.insert(slot, resource);
        }
    }

    pub(super) fn remove(&mut self, slot: Slot, resource: &Resource) {
        if let Some(ids) = self.ids.get_mut().map(Arc::make_mut) {
            ids.remove(&IdLookup(&resource.id), slot);
        }
        if let Some(names) = self.names.get_mut().map(Arc::make_mut) {
            names.remove(slot, resource);
        }
    }

    /// Updates the indexes for a resource that was replaced: only the differences from its former
    /// id and names are written.
    pub(super) fn change(
        &mut self,
        slot: Slot,
        (id, previous): (&ResId, &[PreviousId]),
        after: &Resource,
    ) {
        if let Some(ids) = self.ids.get_mut().map(Arc::make_mut)
            && !after.id.is_spelled_as(id)
        {
            ids.remove(&IdLookup(id), slot);
            ids.insert(ResIdKey(after.id.clone()), slot);
        }
        if let Some(names) = self.names.get_mut().map(Arc::make_mut) {
            names.change(slot, (id, previous), after);
        }
    }
}
