//! The resources that can be referred to, by the names that they had.

use std::sync::Arc;

use crate::resource::{
    EarlierNames, Gvk, HashIndex, PreviousId, QuickMap, QuickSet, ResId, ResMap, Resource, Scope,
    Slot,
};

/// The current and earlier names of a resource, without its tree: a second reference to the
/// resource itself would force a copy of the tree at the next write.
#[derive(Debug)]
pub(super) struct ResourceNames {
    pub(super) slot: Slot,
    pub(super) id: ResId,
    pub(super) names: EarlierNames,
}

impl ResourceNames {
    /// The effective namespace that the resource had first; empty if it was never renamed.
    pub(super) fn first_namespace(&self) -> &str {
        self.names.previous().first().map_or("", |first| &first.namespace)
    }

    /// Step 2 of section 4.12: true if an earlier kind of the resource, with its group and version,
    /// is selected by this type.
    pub(super) fn was_selected_by(&self, selector: &Gvk) -> bool {
        self.names.previous().iter().any(|PreviousId { kind, .. }| {
            Gvk { kind: kind.clone(), ..self.id.gvk.clone() }.is_selected_by(selector)
        })
    }
}

/// All inputs of the choice between candidates: equal inputs lead to equal choices.
#[derive(Debug)]
pub(super) struct ChoiceInputs(Vec<SlotResource>);

type SlotResource = (Slot, Arc<Resource>);

impl ChoiceInputs {
    pub(super) fn new(resources: &ResMap) -> Self {
        Self(resources.iter().map(|(slot, resource)| (slot, resource.clone())).collect())
    }
}

impl PartialEq for ChoiceInputs {
    fn eq(&self, other: &Self) -> bool {
        let same = |(one, other): (&SlotResource, &SlotResource)| {
            one.0 == other.0 && (Arc::ptr_eq(&one.1, &other.1) || is_named_alike(&one.1, &other.1))
        };
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(same)
    }
}

fn is_named_alike(one: &Resource, other: &Resource) -> bool {
    one.id == other.id
        && one.id.is_spelled_as(&other.id)
        && had_the_same_names(one.names.previous(), other.names.previous())
        && one.names.prefixes() == other.names.prefixes()
        && one.names.suffixes() == other.names.suffixes()
}

/// True if both lists contain the same earlier names and start with the same name. Each JSON patch
/// adds the previous name again; repetitions do not affect the choice of a candidate.
fn had_the_same_names(one: &[PreviousId], other: &[PreviousId]) -> bool {
    one == other
        || one.first() == other.first()
            && one.iter().all(|previous| other.contains(previous))
            && other.iter().all(|previous| one.contains(previous))
}

#[derive(Debug)]
pub(super) struct Candidates {
    /// All resources, in order.
    all: QuickMap<Slot, ResourceNames>,
    /// The resources by each earlier name, alone and with their current effective namespace: in a
    /// build in which many namespaces have the same names, the cost of a lookup is proportional to
    /// its results.
    by_name: HashIndex,
    /// The scopes and written namespaces that resources have now, by their original effective
    /// namespace.
    origins: QuickMap<Arc<str>, QuickSet<(Scope, Arc<str>)>>,
}

impl Candidates {
    pub(super) fn from_resources(resources: &ResMap) -> Self {
        let named = |(slot, resource): (Slot, &Arc<Resource>)| {
            (slot, ResourceNames { slot, id: resource.id.clone(), names: resource.names.clone() })
        };
        let all: QuickMap<Slot, ResourceNames> = resources.iter().map(named).collect();
        let by_name = HashIndex::new(all.values().flat_map(|it| {
            it.names.previous().iter().flat_map(|PreviousId { name, .. }| {
                [None, Some(it.id.effective_namespace())].map(|place| ((&**name, place), it.slot))
            })
        }));
        let mut origins: QuickMap<Arc<str>, QuickSet<_>> = QuickMap::default();
        for ResourceNames { id, names, .. } in all.values() {
            let first = names.previous().first().map(|first| first.namespace.clone());
            let original = first.unwrap_or_else(|| id.shared_effective_namespace());
            origins.entry(original).or_default().insert((id.scope, id.namespace.clone()));
        }
        Self { all, by_name, origins }
    }

    pub(super) fn get(&self, slot: Slot) -> Option<&ResourceNames> {
        self.all.get(&slot)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.by_name.get((name, None::<&str>)).next().is_some()
    }

    /// The resources that had this name, in order; of a namespace, those that are in it now.
    pub(super) fn named(&self, name: &str, namespace: Option<&str>) -> Vec<&ResourceNames> {
        let had_name = |it: &&ResourceNames| {
            it.names.previous().iter().any(|previous| *previous.name == *name)
                && namespace.is_none_or(|namespace| it.id.effective_namespace() == namespace)
        };
        let found = self.by_name.get((name, namespace)).filter_map(|slot| self.all.get(&slot));
        self.in_order(found.filter(had_name).collect())
    }

    pub(super) fn in_order<'c>(&self, mut found: Vec<&'c ResourceNames>) -> Vec<&'c ResourceNames> {
        found.sort_by_key(|it| self.all.get_index_of(&it.slot));
        found
    }

    /// The scopes and written namespaces that the resources have now which were originally in a
    /// namespace.
    pub(super) fn places_from(&self, namespace: &str) -> impl Iterator<Item = &(Scope, Arc<str>)> {
        self.origins.get(namespace).into_iter().flatten()
    }
}
