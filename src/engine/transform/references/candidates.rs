//! The resources that can be referred to, indexed by the names that they had.

use std::hash::Hash;
use std::sync::Arc;

use indexmap::Equivalent;
use indexmap::map::Entry;

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
    pub(super) position: usize,
    pub(super) slot: Slot,
    pub(super) named: &'c ResourceNames,
}

/// All inputs of the choice between candidates: equal inputs lead to equal choices.
#[derive(Debug)]
pub(super) struct ChoiceInputs(Vec<SlotResource>);

/// The state of a resource in the build, with its slot.
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

/// All resources with previous names. The cost of a lookup is proportional to its results, so that
/// a build in which many namespaces have the same names stays linear.
#[derive(Debug)]
pub(super) struct Candidates {
    all: Vec<(Slot, ResourceNames)>,
    by_name: QuickMap<Arc<str>, CandidatePositions>,
    /// The candidates by earlier name and current effective namespace; only for names that more
    /// than `INDEX_THRESHOLD` resources had.
    by_place: QuickMap<(Arc<str>, Arc<str>), CandidatePositions>,
    /// Maps the original effective namespace of each resource, renamed or not, to the current
    /// namespaces of the resources that came from it.
    origins: QuickMap<Arc<str>, QuickMap<CurrentNamespace, ()>>,
}

/// The candidates for a name are indexed by namespace if they are more than this; a shorter list is
/// searched.
const INDEX_THRESHOLD: usize = 8;

/// Indices into the list of all candidates, ascending; nearly always only one.
#[derive(Debug)]
struct CandidatePositions {
    first: usize,
    more: Vec<usize>,
}

impl CandidatePositions {
    fn add<K: Hash + Eq>(to: &mut QuickMap<K, Self>, key: K, position: usize) {
        match to.entry(key) {
            Entry::Occupied(mut known) => known.get_mut().more.push(position),
            Entry::Vacant(new) => {
                new.insert(Self { first: position, more: Vec::new() });
            }
        }
    }

    /// True if the positions are few enough for a search without an index.
    fn are_few(&self) -> bool {
        self.more.len() < INDEX_THRESHOLD
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        [self.first].into_iter().chain(self.more.iter().copied())
    }
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

/// A name and a namespace as a lookup key.
#[derive(PartialEq, Eq, Hash)]
struct NamespacedName<'a>(&'a str, &'a str);

impl Equivalent<(Arc<str>, Arc<str>)> for NamespacedName<'_> {
    fn equivalent(&self, key: &(Arc<str>, Arc<str>)) -> bool {
        *self.0 == *key.0 && *self.1 == *key.1
    }
}

impl Candidates {
    pub(super) fn from_resources(resources: &ResMap) -> Self {
        let mut new = Self {
            all: Vec::with_capacity(resources.len()),
            by_name: QuickMap::default(),
            by_place: QuickMap::default(),
            origins: QuickMap::default(),
        };
        new.by_name.reserve(resources.len());
        // Consecutive resources are often in one namespace.
        let mut effective: Arc<str> = "".into();
        for (slot, resource) in resources.iter() {
            let id = &resource.id;
            if *effective != *id.effective_namespace() {
                effective = id.effective_namespace().into();
            }
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
                    CandidatePositions::add(&mut new.by_name, name.clone(), position);
                }
            }
        }
        new.index_by_namespace();
        new
    }

    /// Adds names that many resources had to the index by namespaces.
    fn index_by_namespace(&mut self) {
        let Self { all, by_name, by_place, .. } = self;
        let mut effective: Arc<str> = "".into();
        for (name, positions) in by_name.iter().filter(|(_, positions)| !positions.are_few()) {
            for position in positions.iter() {
                let Some((_, named)) = all.get(position) else { continue };
                if *effective != *named.id.effective_namespace() {
                    effective = named.id.effective_namespace().into();
                }
                CandidatePositions::add(by_place, (name.clone(), effective.clone()), position);
            }
        }
    }

    /// The names of all candidates, in order.
    pub(super) fn in_order(&self) -> impl Iterator<Item = (Slot, &ResourceNames)> {
        self.all.iter().map(|(slot, named)| (*slot, named))
    }

    /// The inputs of all choices in a build: all resources with their ids and names.
    pub(super) fn choice_inputs(resources: &ResMap) -> ChoiceInputs {
        let all = resources.iter().map(|(slot, resource)| (slot, resource.clone()));
        ChoiceInputs(all.collect())
    }

    /// Whether any resource had this name.
    pub(super) fn has_candidate(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// All resources that had this name, in order.
    pub(super) fn named<'a>(&'a self, name: &str) -> impl Iterator<Item = Candidate<'a>> + use<'a> {
        self.at(self.by_name.get(name))
    }

    /// Same as [`Candidates::named`]; `None` if so many resources had the name that a caller with a
    /// namespace should use [`Candidates::named_in`].
    pub(super) fn named_if_few<'a>(
        &'a self,
        name: &str,
    ) -> Option<impl Iterator<Item = Candidate<'a>> + use<'a>> {
        let positions = self.by_name.get(name);
        positions.is_none_or(CandidatePositions::are_few).then(|| self.at(positions))
    }

    /// The resources that had this name and are in this namespace now, in order.
    pub(super) fn named_in<'a, 'n>(
        &'a self,
        name: &str,
        namespace: &'n str,
    ) -> impl Iterator<Item = Candidate<'a>> + use<'a, 'n> {
        let all = self.by_name.get(name);
        let are_few = all.is_some_and(CandidatePositions::are_few);
        let there = if are_few { all } else { self.by_place.get(&NamespacedName(name, namespace)) };
        let is_there = move |it: &Candidate| it.named.id.effective_namespace() == namespace;
        self.at(there).filter(move |candidate| !are_few || is_there(candidate))
    }

    /// The current scopes and namespaces of the resources that were originally in a namespace.
    pub(super) fn current_namespaces_from(
        &self,
        namespace: &str,
    ) -> impl Iterator<Item = &CurrentNamespace> {
        self.origins.get(namespace).into_iter().flat_map(QuickMap::keys)
    }

    fn at<'a>(
        &'a self,
        positions: Option<&'a CandidatePositions>,
    ) -> impl Iterator<Item = Candidate<'a>> + use<'a> {
        positions.into_iter().flat_map(CandidatePositions::iter).filter_map(|position| {
            let (slot, named) = self.all.get(position)?;
            Some(Candidate { position, slot: *slot, named })
        })
    }
}
