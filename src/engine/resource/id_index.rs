//! The index from ids and names to the resources that have them.

use std::borrow::Borrow;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use foldhash::fast::RandomState;
use indexmap::{Equivalent, IndexSet};

use super::slot::SlotMap;
use super::{EarlierNames, PreviousId, QuickMap, ResId, Resource, Slot};

/// An id as a hash key, borrowed for look-ups: two keys are equal exactly if [`ResId::same`] is
/// true. Contains the namespace, so that a look-up is fast even if many namespaces contain the same
/// name.
#[derive(Clone, Debug)]
struct ResIdKey<T = ResId>(T);

impl<T: Borrow<ResId>> Hash for ResIdKey<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let id: &ResId = self.0.borrow();
        (&id.gvk, &id.name, id.effective_namespace()).hash(state);
    }
}

impl PartialEq for ResIdKey {
    fn eq(&self, other: &Self) -> bool {
        self.0.same(&other.0)
    }
}

impl Eq for ResIdKey {}

impl Equivalent<ResIdKey> for ResIdKey<&ResId> {
    fn equivalent(&self, key: &ResIdKey) -> bool {
        self.0.same(&key.0)
    }
}

/// The slots of one id or name: nearly always one.
#[derive(Clone, Debug, Default)]
struct Slots {
    first: Option<Slot>,
    more: Option<Box<IndexSet<Slot>>>,
}

impl Slots {
    fn insert(&mut self, slot: Slot) {
        match self.first {
            None => self.first = Some(slot),
            Some(first) if first == slot => {}
            Some(_) => {
                self.more.get_or_insert_default().insert(slot);
            }
        }
    }

    /// Removes a slot; true if none is left.
    fn remove(&mut self, slot: Slot) -> bool {
        if self.first == Some(slot) {
            self.first = self.more.as_mut().and_then(|more| more.pop());
        } else if let Some(more) = &mut self.more {
            more.swap_remove(&slot);
        }
        self.first.is_none()
    }

    fn iter(&self) -> impl Iterator<Item = Slot> + '_ {
        self.first.into_iter().chain(self.more.iter().flat_map(|more| more.iter().copied()))
    }
}

/// Slots by key. Copies share the common part and keep the differences: a component that changes
/// one resource must not copy the index of thousands.
#[derive(Clone, Debug)]
struct SlotIndex<K> {
    common: Arc<QuickMap<K, Slots>>,
    /// The differences from the common part; no slots for removed keys.
    own: QuickMap<K, Slots>,
    /// The number of keys that have slots.
    len: usize,
}

/// The maximum number of differences, which make look-ups slower; if exceeded, they are merged into
/// the common part.
const MAX_DIFFERENCES: usize = 64;

impl<K> Default for SlotIndex<K> {
    fn default() -> Self {
        Self { common: Arc::default(), own: QuickMap::default(), len: 0 }
    }
}

impl<K: Hash + Eq + Clone> SlotIndex<K> {
    fn get<Q: Hash + Equivalent<K> + ?Sized>(&self, key: &Q) -> Option<&Slots> {
        let own = if self.own.is_empty() { None } else { self.own.get(key) };
        own.or_else(|| self.common.get(key))
    }

    fn insert(&mut self, key: K, slot: Slot) {
        let slots = self.slots_of(key);
        let was_there = slots.first.is_some();
        slots.insert(slot);
        self.len += usize::from(!was_there);
        self.merge_differences();
    }

    fn remove<Q: Hash + Equivalent<K> + ?Sized>(&mut self, key: &Q, slot: Slot) {
        if self.own.is_empty()
            && let Some(all) = Arc::get_mut(&mut self.common)
        {
            if let Some((index, _, slots)) = all.get_full_mut(key)
                && slots.remove(slot)
            {
                all.swap_remove_index(index);
                self.len -= 1;
            }
            return;
        }
        let known = self.own.get_key_value(key).or_else(|| self.common.get_key_value(key));
        let Some(key) =
            known.filter(|(_, slots)| slots.first.is_some()).map(|(key, _)| key.clone())
        else {
            return;
        };
        if self.slots_of(key).remove(slot) {
            self.len -= 1;
        }
        self.merge_differences();
    }

    fn slots_of(&mut self, key: K) -> &mut Slots {
        let Self { common, own, .. } = self;
        if own.is_empty() && Arc::get_mut(common).is_some() {
            return Arc::make_mut(common).entry(key).or_default();
        }
        own.entry(key).or_insert_with_key(|key| common.get(key).cloned().unwrap_or_default())
    }

    /// Moves the differences to the common part if they exceed the limit.
    fn merge_differences(&mut self) {
        if self.own.len() <= MAX_DIFFERENCES.max(self.common.len() / 8) {
            return;
        }
        let common = Arc::make_mut(&mut self.common);
        for (key, slots) in std::mem::take(&mut self.own) {
            if slots.first.is_some() {
                common.insert(key, slots);
            } else {
                common.swap_remove(&key);
            }
        }
    }
}

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
        if after.names.previous() == previous {
            return;
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
    ids: OnceLock<SlotIndex<ResIdKey>>,
    names: OnceLock<NameIndex>,
}

type All = SlotMap<Arc<Resource>>;

impl Indexes {
    fn ids(&self, all: &All) -> &SlotIndex<ResIdKey> {
        self.ids.get_or_init(|| {
            let hasher = RandomState::default();
            let mut ids: QuickMap<ResIdKey, Slots> =
                QuickMap::with_capacity_and_hasher(all.len(), hasher);
            for (slot, resource) in all {
                ids.entry(ResIdKey(resource.id.clone())).or_default().insert(*slot);
            }
            SlotIndex { len: ids.len(), common: Arc::new(ids), own: QuickMap::default() }
        })
    }

    fn names(&self, all: &All) -> &NameIndex {
        self.names.get_or_init(|| {
            let mut names = NameIndex::default();
            Arc::make_mut(&mut names.current.common).reserve(all.len());
            all.iter().for_each(|(slot, resource)| names.insert(*slot, resource));
            names
        })
    }

    /// The slots that have this id now, in no particular order.
    pub(super) fn slots_with_id(
        &self,
        all: &All,
        id: &ResId,
    ) -> impl Iterator<Item = Slot> + use<'_> {
        self.ids(all).get(&ResIdKey(id)).into_iter().flat_map(Slots::iter)
    }

    pub(super) fn count_ids(&self, all: &All) -> usize {
        self.ids(all).len
    }

    /// The slots whose current or earlier name is this one, in no particular order.
    pub(super) fn named(&self, all: &All, name: &str) -> impl Iterator<Item = Slot> + use<'_> {
        let NameIndex { current, previous } = self.names(all);
        [current.get(name), previous.get(name)].into_iter().flatten().flat_map(Slots::iter)
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
            ids.insert(ResIdKey(resource.id.clone()), slot);
        }
        if let Some(names) = self.names.get_mut() {
            names.insert(slot, resource);
        }
    }

    pub(super) fn remove(&mut self, slot: Slot, resource: &Resource) {
        if let Some(ids) = self.ids.get_mut() {
            ids.remove(&ResIdKey(&resource.id), slot);
        }
        if let Some(names) = self.names.get_mut() {
            names.remove(slot, resource);
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
            ids.remove(&ResIdKey(id), slot);
            ids.insert(ResIdKey(after.id.clone()), slot);
        }
        if let Some(names) = self.names.get_mut() {
            names.change(slot, (id, previous), after);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::collections::BTreeSet;

    use super::*;

    /// Changes to one copy of an index do not affect other copies.
    #[test]
    fn copied_indexes_are_independent() {
        type Plain = BTreeMap<u32, BTreeSet<Slot>>;
        let mut all: Vec<(SlotIndex<u32>, Plain)> = vec![(SlotIndex::default(), Plain::default())];
        let mut number = 12345_u32;
        let mut next = move |below: u32| {
            number = number.wrapping_mul(1_103_515_245).wrapping_add(12345);
            (number >> 8) % below
        };
        for turn in 0..6000 {
            let which = next(u32::try_from(all.len()).unwrap()) as usize;
            if turn % 300 == 299 && all.len() < 6 {
                let copy = all[which].clone();
                all.push(copy);
            }
            let (index, plain) = &mut all[which];
            let (key, slot) = (next(300), Slot(next(4)));
            if next(3) == 0 {
                index.remove(&key, slot);
                if plain.get_mut(&key).is_some_and(|slots| slots.remove(&slot) && slots.is_empty())
                {
                    plain.remove(&key);
                }
            } else {
                index.insert(key, slot);
                plain.entry(key).or_default().insert(slot);
            }
            assert_eq!(index.len, plain.len());
        }
        for (index, plain) in &all {
            for key in 0..300 {
                let slots: BTreeSet<Slot> =
                    index.get(&key).into_iter().flat_map(Slots::iter).collect();
                assert_eq!(slots, plain.get(&key).cloned().unwrap_or_default(), "{key}");
            }
        }
    }
}
