//! The ordered map of resources, which records the changes of a step.

use std::hash::BuildHasherDefault;
use std::sync::Arc;

use indexmap::IndexSet;
use indexmap::map::Entry;

use super::change::{Change, ReusableChange, TouchedResource, WriteVerdict};
use super::id_index::Indexes;
use super::slot::SlotMap;
use super::{ResId, Resource, Scopes, Slot};

/// Resources in build order (Kustomize: `resmap.ResMap`). Every write goes through it and is
/// recorded until [`ResMap::take_changes`].
#[derive(Clone, Debug, Default)]
pub struct ResMap {
    resources: SlotMap<Arc<Resource>>,
    indexes: Indexes,
    changes: SlotMap<TouchedResource>,
    scopes: Arc<Scopes>,
    next: u32,
    forgets: bool,
}

impl ResMap {
    /// An empty map whose slots start at `next` (slots are unique within a build).
    pub fn starting_at(next: u32, scopes: Arc<Scopes>) -> Self {
        Self { scopes, next, ..Self::default() }
    }

    /// The same map; it records no changes if `forgets` is true.
    #[must_use]
    pub fn without_changes_if(self, forgets: bool) -> Self {
        Self { forgets, ..self }
    }

    /// True if changes are not recorded.
    pub fn skips_changes(&self) -> bool {
        self.forgets
    }

    /// The first unused slot.
    pub fn next_slot(&self) -> u32 {
        self.next
    }

    /// Starts new slots at `next` from now on.
    pub fn continue_at(&mut self, next: u32) {
        self.next = self.next.max(next);
    }

    /// The scopes of all types, by which ids are compared.
    pub fn scopes(&self) -> &Arc<Scopes> {
        &self.scopes
    }

    /// Separates values that are one node in several fields, as after printing.
    pub fn separate_shared_values(&mut self) {
        for resource in self.resources.values_mut() {
            if !resource.shared.is_empty() {
                Arc::make_mut(resource).shared.clear();
            }
        }
    }

    /// Uses other scopes from now on and reads every id again.
    pub fn set_scopes(&mut self, scopes: Arc<Scopes>) {
        self.scopes = scopes;
        self.indexes.drop_ids();
        for resource in self.resources.values_mut() {
            let resource = Arc::make_mut(resource);
            resource.id = ResId::default();
            resource.refresh_id(&self.scopes);
        }
    }

    /// Drops the index of names, before a step that changes all resources; that of ids as well, unless
    /// the step looks up ids between its writes.
    pub fn drop_indexes(&mut self, has_lookups: bool) {
        self.indexes.drop_names();
        if !has_lookups {
            self.indexes.drop_ids();
        }
    }

    /// The number of resources.
    pub fn len(&self) -> usize {
        self.resources.len()
    }

    /// True if it has no resources.
    pub fn is_empty(&self) -> bool {
        self.resources.is_empty()
    }

    /// True if two resources have the same id.
    pub fn has_duplicate_ids(&self) -> bool {
        self.indexes.count_ids(&self.resources) < self.resources.len()
    }

    /// The first pair of resources with the same id, in order.
    pub fn first_duplicate_ids(&self) -> Option<(Slot, Slot)> {
        if !self.has_duplicate_ids() {
            return None;
        }
        self.iter().find_map(|(slot, resource)| {
            let first = *self.find_current(&resource.id).first()?;
            (first != slot).then_some((first, slot))
        })
    }

    /// Fails if two resources have the same id.
    ///
    /// # Errors
    /// [`ResMapError::Duplicate`] for the first pair, in order.
    pub fn check_unique_ids(&self) -> Result<(), ResMapError> {
        let Some((existing, slot)) = self.first_duplicate_ids() else { return Ok(()) };
        let id = self.get(slot).map(|resource| resource.id.clone()).unwrap_or_default();
        Err(ResMapError::Duplicate { id, existing })
    }

    /// The resources in order.
    pub fn iter(
        &self,
    ) -> impl DoubleEndedIterator<Item = (Slot, &Arc<Resource>)> + ExactSizeIterator {
        self.resources.iter().map(|(slot, resource)| (*slot, resource))
    }

    /// The slots in order, as a separate list, for loops that write.
    pub fn slots(&self) -> Vec<Slot> {
        self.resources.keys().copied().collect()
    }

    /// The resource in a slot.
    pub fn get(&self, slot: Slot) -> Option<&Arc<Resource>> {
        self.resources.get(&slot)
    }

    /// The position of a slot in the order.
    pub fn position(&self, slot: Slot) -> Option<usize> {
        self.resources.get_index_of(&slot)
    }

    /// Adds a resource at the end, in a new slot.
    ///
    /// # Errors
    ///
    /// [`ResMapError::Duplicate`] if a resource has an equal current id (section 3.5).
    pub fn append(&mut self, resource: impl Into<Arc<Resource>>) -> Result<Slot, ResMapError> {
        let slot = Slot(self.next);
        self.insert(slot, resource.into())?;
        Ok(slot)
    }

    /// Same as [`ResMap::append`], but allows an id that is in use.
    pub fn append_repeated(&mut self, resource: Resource) {
        self.insert_repeated(Slot(self.next), Arc::new(resource));
    }

    /// Adds a resource at the end, in the slot that it already has, as when a base is merged into
    /// its overlay.
    ///
    /// # Errors
    /// As [`ResMap::append`].
    pub fn insert(&mut self, slot: Slot, resource: Arc<Resource>) -> Result<(), ResMapError> {
        if let Some(existing) = self.find_current(&resource.id).first() {
            return Err(ResMapError::Duplicate { id: resource.id.clone(), existing: *existing });
        }
        self.insert_repeated(slot, resource);
        Ok(())
    }

    /// Same as [`ResMap::insert`], but allows an id that is in use.
    pub fn insert_repeated(&mut self, slot: Slot, resource: Arc<Resource>) {
        self.next = self.next.max(slot.0 + 1);
        self.remember(slot);
        self.indexes.insert(slot, &resource);
        self.resources.insert(slot, resource);
    }

    /// Adds all resources of another map at the end, each in its slot. If this map is empty, they
    /// are moved together with the indexes of the other map.
    ///
    /// # Errors
    ///
    /// As [`ResMap::append`], with the slot of the resource that cannot be added; those before it
    /// are added then.
    pub fn insert_all(&mut self, other: &mut Self) -> Result<(), (Slot, ResMapError)> {
        self.next = self.next.max(other.next);
        if self.is_empty() && !other.has_duplicate_ids() {
            other.slots().into_iter().for_each(|slot| self.remember(slot));
            self.resources = std::mem::take(&mut other.resources);
            self.indexes = std::mem::take(&mut other.indexes);
            return Ok(());
        }
        other.iter().try_for_each(|(slot, resource)| {
            self.insert(slot, resource.clone()).map_err(|error| (slot, error))
        })
    }

    /// Writes to a resource; its ids are read again afterwards.
    pub fn update<R>(&mut self, slot: Slot, write: impl FnOnce(&mut Resource) -> R) -> Option<R> {
        self.update_unshared(slot, |resource| {
            let result = write(resource);
            if !resource.shared.is_empty() {
                resource.spread_shared();
            }
            result
        })
    }

    /// Same as [`ResMap::update`], for writes that affect no value that several aliases share.
    pub fn update_unshared<R>(
        &mut self,
        slot: Slot,
        write: impl FnOnce(&mut Resource) -> R,
    ) -> Option<R> {
        let place = self.resources.get_mut(&slot)?;
        let before = (!self.forgets).then(|| place.clone());
        let called = self.indexes.names_before_write(place);
        let resource = Arc::make_mut(place);
        let result = write(resource);
        resource.refresh_id(&self.scopes);
        if let Some((id, names)) = called {
            self.indexes.change(slot, (&id, names.previous()), resource);
        }
        if let Some(before) = before {
            self.touch(slot, Some(before), None);
        }
        Some(result)
    }

    /// Replaces the resource in a slot; its position in the order is kept.
    pub fn replace(&mut self, slot: Slot, resource: Resource) {
        let Some(old) = self.resources.get(&slot).cloned() else { return };
        self.remember(slot);
        self.indexes.change(slot, (&old.id, old.names.previous()), &resource);
        self.resources.insert(slot, Arc::new(resource));
    }

    /// Removes a resource.
    pub fn remove(&mut self, slot: Slot) -> Option<Arc<Resource>> {
        self.remember(slot);
        let resource = self.resources.shift_remove(&slot)?;
        self.indexes.remove(slot, &resource);
        Some(resource)
    }

    /// Removes all resources of these slots at once.
    pub fn remove_all(&mut self, slots: &[Slot]) {
        let gone: IndexSet<Slot> = slots.iter().copied().collect();
        for slot in &gone {
            self.remember(*slot);
            if let Some(resource) = self.resources.get(slot).cloned() {
                self.indexes.remove(*slot, &resource);
            }
        }
        self.resources.retain(|slot, _| !gone.contains(slot));
    }

    /// Moves the resources into the order of these slots. All other resources follow in their
    /// present order.
    pub fn reorder(&mut self, order: &[Slot]) {
        let mut sorted = SlotMap::with_capacity_and_hasher(self.len(), BuildHasherDefault::new());
        for slot in order {
            sorted.extend(self.resources.get(slot).map(|resource| (*slot, resource.clone())));
        }
        for (slot, resource) in std::mem::take(&mut self.resources) {
            sorted.entry(slot).or_insert(resource);
        }
        self.resources = sorted;
    }

    /// The slots whose current id equals this one, in order.
    pub fn find_current(&self, id: &ResId) -> Vec<Slot> {
        let is_same = |slot: &Slot| self.get(*slot).is_some_and(|it| it.id.same(id));
        self.in_order(self.indexes.slots_with_id(&self.resources, id).filter(is_same).collect())
    }

    /// The slots with a current or previous id equal to this one, in order.
    pub fn find_any(&self, id: &ResId) -> Vec<Slot> {
        let fits = |slot: &Slot| {
            self.resources
                .get(slot)
                .is_some_and(|resource| resource.all_ids().any(|candidate| candidate.same(id)))
        };
        self.find_any_name(&id.name).into_iter().filter(fits).collect()
    }

    /// The slots whose current or earlier name is this one, in order.
    pub fn find_any_name(&self, name: &str) -> Vec<Slot> {
        let is_named = |slot: &Slot| {
            self.get(*slot).is_some_and(|it| {
                *it.id.name == *name || it.names.previous().iter().any(|it| *it.name == *name)
            })
        };
        self.in_order(self.indexes.named(&self.resources, name).filter(is_named).collect())
    }

    /// The changes since the last call, in the order in which the resources were first touched. A
    /// resource that was touched and is the same as before is left out.
    pub fn take_changes(&mut self) -> Vec<Change> {
        let changes = std::mem::take(&mut self.changes).into_iter();
        let after = |slot: &Slot| self.resources.get(slot).cloned();
        changes
            .filter_map(|(slot, touched)| Change::from_touched(slot, touched, after(&slot)))
            .collect()
    }

    /// The result of [`ResMap::take_changes`], without clearing it.
    pub fn peek_changes(&self) -> Vec<Change> {
        self.clone().take_changes()
    }

    /// The change of a resource since its state `before`, if it may be reused.
    pub fn reusable_change(&mut self, slot: Slot, before: Arc<Resource>) -> Option<ReusableChange> {
        let after = self.resources.get(&slot)?.clone();
        let touched = self.changes.get_mut(&slot);
        let first =
            touched.filter(|it| it.before.as_ref().is_some_and(|it| Arc::ptr_eq(it, &before)));
        let verdict = first.map(|touched| {
            *touched.verdict.get_or_insert_with(|| WriteVerdict::compare(&before, &after))
        });
        Some(ReusableChange { before, after, verdict })
    }

    /// Applies the earlier change of an identical resource to a slot.
    pub fn apply_reusable_change(&mut self, slot: Slot, became: &ReusableChange) {
        let ReusableChange { before, after, verdict } = became;
        if Arc::ptr_eq(before, after) {
            return;
        }
        self.touch(slot, Some(before.clone()), *verdict);
        self.indexes.change(slot, (&before.id, before.names.previous()), after);
        if let Some(place) = self.resources.get_mut(&slot) {
            *place = after.clone();
        }
    }

    fn remember(&mut self, slot: Slot) {
        let before = self.resources.get(&slot).cloned();
        self.touch(slot, before, None);
    }

    /// Records the state of a resource before it is written, and the effect of the write if known.
    fn touch(&mut self, slot: Slot, before: Option<Arc<Resource>>, verdict: Option<WriteVerdict>) {
        if self.forgets {
            return;
        }
        match self.changes.entry(slot) {
            Entry::Occupied(mut touched) => touched.get_mut().verdict = None,
            Entry::Vacant(vacant) => {
                vacant.insert(TouchedResource { before, verdict });
            }
        }
    }

    fn in_order(&self, mut slots: Vec<Slot>) -> Vec<Slot> {
        if slots.len() > 1 {
            slots.sort_by_key(|slot| self.resources.get_index_of(slot));
        }
        slots
    }
}

/// Why a resource could not be added or combined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResMapError {
    #[error("may not add resource with an already registered id: {id}")]
    Duplicate { id: ResId, existing: Slot },
}
