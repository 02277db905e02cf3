//! The resources that can be referred to, indexed by the names that they had.

use std::sync::Arc;

use crate::resource::{EarlierNames, PreviousId, QuickMap, ResId, ResMap, Resource, Scope, Slot};

/// The current and earlier names of a resource, without its tree: a second reference to the
/// resource itself would force a copy of the tree at the next write.
#[derive(Clone, Debug)]
pub(super) struct ResourceNames {
    pub(super) id: ResId,
    pub(super) names: EarlierNames,
}

impl ResourceNames {
    pub(super) fn from_resource(resource: &Resource) -> Self {
        Self { id: resource.id.clone(), names: resource.names.clone() }
    }
}

/// A resource whose name changed during the build.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<'c> {
    pub(super) slot: Slot,
    pub(super) named: &'c ResourceNames,
}

/// All inputs of the choice between candidates: equal inputs lead to equal choices.
#[derive(Debug)]
pub(super) struct ChoiceInputs(Vec<SlotResource>);

type SlotResource = (Slot, Arc<Resource>);

impl PartialEq for ChoiceInputs {
    fn eq(&self, other: &Self) -> bool {
        let same = |(one, other): (&SlotResource, &SlotResource)| {
            one.0 == other.0 && (Arc::ptr_eq(&one.1, &other.1) || is_named_alike(&one.1, &other.1))
        };
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(same)
    }
}

/// True if both resources have the same id, earlier names, prefixes and suffixes.
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
    all: Vec<(Slot, ResourceNames)>,
    /// The earlier names of all candidates with their positions in `all`, sorted by name, current
    /// effective namespace and position: in a build in which many namespaces have the same names,
    /// the cost of a lookup is proportional to its results.
    by_name: Vec<(Arc<str>, usize)>,
    /// Maps the original effective namespace of each resource, renamed or not, to the current
    /// namespaces of the resources that came from it.
    origins: QuickMap<Arc<str>, QuickMap<CurrentNamespace, ()>>,
}

/// The scope and the namespace that a resource has now.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct CurrentNamespace {
    pub(super) scope: Scope,
    pub(super) effective: Arc<str>,
    pub(super) raw: Arc<str>,
}

impl CurrentNamespace {
    fn new(id: &ResId, effective: &Arc<str>) -> Self {
        Self { scope: id.scope, effective: effective.clone(), raw: id.namespace.clone() }
    }
}

impl Candidates {
    pub(super) fn from_resources(resources: &ResMap) -> Self {
        let mut new = Self {
            all: Vec::with_capacity(resources.len()),
            by_name: Vec::with_capacity(resources.len()),
            origins: QuickMap::default(),
        };
        for (slot, resource) in resources.iter() {
            let id = &resource.id;
            let effective = id.shared_effective_namespace();
            let first = resource.names.previous().first();
            let original = first.map_or(&effective, |first| &first.namespace);
            let place = CurrentNamespace::new(id, &effective);
            match new.origins.get_mut(original) {
                Some(places) => {
                    places.insert(place, ());
                }
                None => {
                    new.origins.insert(original.clone(), [(place, ())].into_iter().collect());
                }
            }
            if resource.names.previous().is_empty() {
                continue;
            }
            let position = new.all.len();
            new.all.push((slot, ResourceNames::from_resource(resource)));
            for (index, PreviousId { name, .. }) in resource.names.previous().iter().enumerate() {
                let is_other = |other: &PreviousId| other.name != *name;
                if resource.names.previous().iter().take(index).all(is_other) {
                    new.by_name.push((name.clone(), position));
                }
            }
        }
        let all = &new.all;
        new.by_name.sort_by(|(one, first), (other, second)| {
            let place = |position: &usize| (all[*position].1.id.effective_namespace(), *position);
            one.cmp(other).then_with(|| place(first).cmp(&place(second)))
        });
        new
    }

    pub(super) fn in_order(&self) -> impl Iterator<Item = (Slot, &ResourceNames)> {
        self.all.iter().map(|(slot, named)| (*slot, named))
    }

    /// The inputs of all choices in a build: all resources with their ids and names.
    pub(super) fn choice_inputs(resources: &ResMap) -> ChoiceInputs {
        let all = resources.iter().map(|(slot, resource)| (slot, resource.clone()));
        ChoiceInputs(all.collect())
    }

    pub(super) fn has_candidate(&self, name: &str) -> bool {
        self.by_name.binary_search_by(|(other, _)| (**other).cmp(name)).is_ok()
    }

    /// All resources that had this name, in order.
    pub(super) fn named(&self, name: &str) -> Vec<Candidate<'_>> {
        self.in_order_of_position(self.entries(name))
    }

    /// The resources that had this name and are in one of these namespaces now, in order.
    pub(super) fn named_in<'n>(
        &self,
        name: &str,
        namespaces: impl Iterator<Item = &'n str>,
    ) -> Vec<Candidate<'_>> {
        let named = self.entries(name);
        let namespace_of = |(_, at): &(Arc<str>, usize)| self.all[*at].1.id.effective_namespace();
        self.in_order_of_position(namespaces.flat_map(|namespace| {
            let from = named.partition_point(|entry| namespace_of(entry) < namespace);
            named[from..].iter().take_while(move |entry| namespace_of(entry) == namespace)
        }))
    }

    fn entries(&self, name: &str) -> &[(Arc<str>, usize)] {
        let from = self.by_name.partition_point(|(other, _)| **other < *name);
        let named = &self.by_name[from..];
        &named[..named.partition_point(|(other, _)| **other == *name)]
    }

    fn in_order_of_position<'a>(
        &'a self,
        entries: impl IntoIterator<Item = &'a (Arc<str>, usize)>,
    ) -> Vec<Candidate<'a>> {
        let mut positions: Vec<usize> = entries.into_iter().map(|(_, at)| *at).collect();
        positions.sort_unstable();
        let candidate = |at: usize| Candidate { slot: self.all[at].0, named: &self.all[at].1 };
        positions.into_iter().map(candidate).collect()
    }

    /// The current scopes and namespaces of the resources that were originally in a namespace.
    pub(super) fn current_namespaces_from(
        &self,
        namespace: &str,
    ) -> impl Iterator<Item = &CurrentNamespace> {
        self.origins.get(namespace).into_iter().flat_map(QuickMap::keys)
    }
}
