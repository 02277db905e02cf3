//! The identity of resources: the slot within a build, and a key that finds the resource in another
//! build of the same tree.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::engine::evaluate::{Layer, LayerId, Step, StepKind, Trace};
use crate::engine::resource::{QuickMap, Resource, Slot};

/// The identity of a resource through renames and rebuilds. Unlike a slot, which is a number within
/// one build, the key stays the same if a draft adds a file above the resource's file in a list; it
/// is unique within a build.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResourceKey {
    pub kind: Arc<str>,
    pub name: Arc<str>,
    pub namespace: Arc<str>,
    pub group: Arc<str>,
    /// The layers from which the resource comes, outermost first: a base that two overlays list has
    /// two origins.
    origin: Arc<str>,
    /// The number of the resource among resources with the same kind, name, namespace, group and
    /// origin.
    duplicate_number: u32,
}

/// The keys of all resources of a build, removed ones included.
#[derive(Clone, Debug, Default)]
pub struct Identity {
    /// By slot, the key of the resource and its last state.
    resources: Vec<Option<(ResourceKey, LastState)>>,
    slots: QuickMap<ResourceKey, Slot>,
}

#[derive(Clone, Debug)]
pub struct LastState {
    /// The final state, or the state before the removal.
    pub resource: Arc<Resource>,
    /// The step that removed the resource; `None` if it was not removed.
    pub removed_by: Option<usize>,
}

impl Identity {
    pub fn from_trace(trace: &Trace) -> Self {
        let mut identity = Self::default();
        let mut twins: QuickMap<ResourceKey, u32> = QuickMap::default();
        for (index, step) in trace.steps.iter().enumerate() {
            if step.kind == StepKind::Merge {
                continue;
            }
            let mut origin: Option<Arc<str>> = None;
            for change in &step.changes {
                let Some(made) = change.before.as_ref().or(change.after.as_ref()) else { continue };
                let removed_by = change.after.is_none().then_some(index);
                let resource = change.after.as_ref().unwrap_or(made).clone();
                let last = LastState { resource, removed_by };
                let place = change.slot.0 as usize;
                if identity.resources.len() <= place {
                    identity.resources.resize_with(place + 1, || None);
                }
                let Some(known) = identity.resources.get_mut(place) else { continue };
                if let Some((_, known)) = known {
                    *known = last;
                    continue;
                }
                let origin = origin.get_or_insert_with(|| layers(trace, step)).clone();
                let mut key = key_of(made, origin);
                let twin = twins.entry(key.clone()).or_default();
                key.duplicate_number = *twin;
                *twin += 1;
                identity.slots.insert(key.clone(), change.slot);
                *known = Some((key, last));
            }
        }
        identity
    }

    fn slot_state(&self, slot: Slot) -> Option<&(ResourceKey, LastState)> {
        self.resources.get(slot.0 as usize)?.as_ref()
    }

    pub fn key(&self, slot: Slot) -> Option<&ResourceKey> {
        self.slot_state(slot).map(|(key, _)| key)
    }

    /// The last state of every resource of the build, by slot.
    pub fn last_states(&self) -> impl Iterator<Item = (Slot, &LastState)> {
        let resources = (0..).map(Slot).zip(&self.resources);
        resources.filter_map(|(slot, known)| Some((slot, &known.as_ref()?.1)))
    }

    pub fn last_state(&self, slot: Slot) -> Option<&LastState> {
        self.slot_state(slot).map(|(_, last)| last)
    }

    pub fn slot(&self, key: &ResourceKey) -> Option<Slot> {
        self.slots.get(key).copied()
    }
}

/// The resources of two builds of one target, paired by key, then by names regardless of the layer.
/// The order is that of the newer build; resources that only the older build has come last.
pub fn pair_by_key(
    old: impl IntoIterator<Item = ResourceKey>,
    new: impl IntoIterator<Item = ResourceKey>,
) -> Vec<(Option<ResourceKey>, Option<ResourceKey>)> {
    let new: Vec<ResourceKey> = new.into_iter().collect();
    let mut left: QuickMap<ResourceKey, usize> = QuickMap::default();
    let mut old: Vec<Option<ResourceKey>> = old.into_iter().map(Some).collect();
    for (place, key) in old.iter().enumerate() {
        left.extend(key.clone().map(|key| (key, place)));
    }
    let mut pairs: Vec<(Option<ResourceKey>, Option<ResourceKey>)> = new
        .iter()
        .map(|key| (left.swap_remove(key).and_then(|place| old[place].take()), Some(key.clone())))
        .collect();
    let mut named: QuickMap<_, VecDeque<usize>> = QuickMap::default();
    for (place, key) in old.iter().enumerate() {
        if let Some(key) = key {
            named.entry(key.names()).or_default().push_back(place);
        }
    }
    for (before, after) in pairs.iter_mut().filter(|(before, _)| before.is_none()) {
        let same = after.as_ref().and_then(|key| named.get_mut(&key.names())?.pop_front());
        *before = same.and_then(|place| old[place].take());
    }
    pairs.extend(old.into_iter().flatten().map(|key| (Some(key), None)));
    pairs
}

impl ResourceKey {
    /// The kind, name, namespace and group of the key, without the layer of its origin.
    fn names(&self) -> [Arc<str>; 4] {
        [&self.kind, &self.name, &self.namespace, &self.group].map(Arc::clone)
    }
}

fn key_of(made: &Resource, origin: Arc<str>) -> ResourceKey {
    let group = made.id.gvk.group.clone();
    let now: Arc<str> = made.id.effective_namespace().into();
    let (kind, name, namespace) = made.names.previous().first().map_or_else(
        || (made.id.gvk.kind.clone(), made.id.name.clone(), now.clone()),
        |first| (first.kind.clone(), first.name.clone(), first.namespace.clone()),
    );
    ResourceKey { kind, name, namespace, group, origin, duplicate_number: 0 }
}

/// A layer, its parent, and so on up to the target.
pub(in crate::answers) fn layer_and_parents(
    trace: &Trace,
    layer: LayerId,
) -> impl Iterator<Item = &Layer> {
    std::iter::successors(trace.layer(layer), |it| trace.layer(it.parent?))
}

/// The directories of a step's layer and of its parent layers.
fn layers(trace: &Trace, step: &Step) -> Arc<str> {
    let mut names: Vec<&str> =
        layer_and_parents(trace, step.layer).map(|layer| &*layer.path).collect();
    names.reverse();
    names.join("\n").into()
}
