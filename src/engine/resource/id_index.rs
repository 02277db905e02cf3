//! From ids and names to the resources that have them.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use indexmap::{Equivalent, IndexSet};

use super::{QuickMap, ResId, Resource, Slot};

/// Equal for two ids exactly when [`ResId::same`] says so: a look-up in a build with one name in many namespaces
/// must not go through all of them.
#[derive(Clone, Debug)]
struct Key(ResId);

/// A [`Key`] for looking up.
struct Asked<'a>(&'a ResId);

fn hash_id(id: &ResId, state: &mut impl Hasher) {
    id.gvk.hash(state);
    id.name.hash(state);
    id.effective_namespace().hash(state);
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_id(&self.0, state);
    }
}

impl Hash for Asked<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_id(self.0, state);
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.0.same(&other.0)
    }
}

impl Eq for Key {}

impl Equivalent<Key> for Asked<'_> {
    fn equivalent(&self, key: &Key) -> bool {
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

    /// True when none is left.
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

/// Slots by current id.
#[derive(Clone, Debug, Default)]
pub(super) struct IdIndex(QuickMap<Key, Slots>);

impl IdIndex {
    pub(super) fn insert(&mut self, id: &ResId, slot: Slot) {
        self.0.entry(Key(id.clone())).or_default().insert(slot);
    }

    pub(super) fn remove(&mut self, id: &ResId, slot: Slot) {
        if let Some((index, _, slots)) = self.0.get_full_mut(&Asked(id))
            && slots.remove(slot)
        {
            self.0.swap_remove_index(index);
        }
    }

    /// In no particular order.
    pub(super) fn get(&self, id: &ResId) -> impl Iterator<Item = Slot> + '_ {
        self.0.get(&Asked(id)).into_iter().flat_map(Slots::iter)
    }

    /// How many different ids there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// Slots by name.
#[derive(Clone, Debug, Default)]
pub(super) struct NameIndex(QuickMap<Arc<str>, Slots>);

impl NameIndex {
    pub(super) fn insert(&mut self, name: &Arc<str>, slot: Slot) {
        self.0.entry(name.clone()).or_default().insert(slot);
    }

    pub(super) fn remove(&mut self, name: &str, slot: Slot) {
        if let Some((index, _, slots)) = self.0.get_full_mut(name)
            && slots.remove(slot)
        {
            self.0.swap_remove_index(index);
        }
    }

    /// In no particular order.
    pub(super) fn get(&self, name: &str) -> impl Iterator<Item = Slot> + '_ {
        self.0.get(name).into_iter().flat_map(Slots::iter)
    }
}

/// From ids and names to slots.
#[derive(Clone, Debug, Default)]
pub(super) struct Indexes {
    /// Current ids to the slots that have them.
    pub(super) ids: IdIndex,
    /// Current names to the slots that have them.
    pub(super) names: NameIndex,
    /// Previous names to the slots that had them.
    pub(super) previous_names: NameIndex,
}

impl Indexes {
    pub(super) fn insert(&mut self, slot: Slot, resource: &Resource) {
        self.ids.insert(&resource.id, slot);
        self.names.insert(&resource.id.name, slot);
        for previous in &resource.previous {
            self.previous_names.insert(&previous.name, slot);
        }
    }

    pub(super) fn remove(&mut self, slot: Slot, resource: &Resource) {
        self.ids.remove(&resource.id, slot);
        self.names.remove(&resource.id.name, slot);
        for previous in &resource.previous {
            self.previous_names.remove(&previous.name, slot);
        }
    }
}
