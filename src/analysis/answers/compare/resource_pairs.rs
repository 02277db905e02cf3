//! Pairs of corresponding resources of two builds.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::FieldChange;
use super::fields::NewNames;
use super::fields::differences_with_renames;
use crate::engine::resource::{Gvk, ResId, Resource};

#[derive(Clone, Debug)]
pub struct ResourcePair {
    pub before: Option<Arc<Resource>>,
    pub after: Option<Arc<Resource>>,
}

impl ResourcePair {
    pub(in crate::answers) fn both(&self) -> Option<(&Arc<Resource>, &Arc<Resource>)> {
        self.before.as_ref().zip(self.after.as_ref())
    }
}

/// The key by which resources are paired: group, version, kind, name and namespace, empty where
/// ignored.
type PairingKey = [Arc<str>; 5];

/// The keys for pairing, the most reliable first.
const PAIRING_KEYS: [fn(&Resource) -> PairingKey; 4] = [
    |one| pairing_key(&one.id),
    // By id without the version.
    |one| without_version(pairing_key(&one.id)),
    // By original name, if prefix, suffix, hash or namespace differ.
    |one| without_version(pairing_key(&one.original_id())),
    |one| {
        let [group, _, kind, name, _] = pairing_key(&one.original_id());
        [group, Arc::default(), kind, name, Arc::default()]
    },
];

fn pairing_key(id: &ResId) -> PairingKey {
    let Gvk { group, version, kind } = id.gvk.clone();
    [group, version, kind, id.name.clone(), id.effective_namespace().into()]
}

fn without_version([group, _, kind, name, namespace]: PairingKey) -> PairingKey {
    [group, Arc::default(), kind, name, namespace]
}

/// The resources of two targets that have the same role although their names differ: the id of the
/// first, and the original id of the second.
pub(super) type SameRole = (ResId, ResId);

/// Pairs the resources of two builds: by id, then by their names before prefixes, suffixes, hashes
/// and namespaces. The order is that of the second build, with removed resources at the end.
pub fn pair_up(before: &[Arc<Resource>], after: &[Arc<Resource>]) -> Vec<ResourcePair> {
    pair_up_by_role(before, after, &[])
}

/// Like [`pair_up`]. Resources that this leaves without a partner are paired by `roles`.
pub(super) fn pair_up_by_role(
    before: &[Arc<Resource>],
    after: &[Arc<Resource>],
    roles: &[SameRole],
) -> Vec<ResourcePair> {
    let mut partner: Vec<Option<usize>> = vec![None; after.len()];
    let mut taken = vec![false; before.len()];
    for (number, way) in PAIRING_KEYS.iter().enumerate() {
        // An index avoids quadratic time.
        let mut candidates: BTreeMap<PairingKey, VecDeque<usize>> = BTreeMap::new();
        for (at, one) in before.iter().enumerate().filter(|(at, _)| !taken[*at]) {
            candidates.entry(way(one)).or_default().push_back(at);
        }
        for (at, other) in after.iter().enumerate() {
            if partner[at].is_some() {
                continue;
            }
            let Some(found) = candidates.get_mut(&way(other)) else { continue };
            // Several candidates are ambiguous, unless they have the same id.
            let is_known = number == 0 || found.len() == 1;
            if let Some(one) = is_known.then(|| found.pop_front()).flatten() {
                (taken[one], partner[at]) = (true, Some(one));
            }
        }
    }
    for (first, second) in roles {
        let one = before.iter().enumerate().find(|(at, it)| !taken[*at] && it.id == *first);
        let mut others = after.iter().enumerate().filter(|(at, _)| partner[*at].is_none());
        let other = others.find(|(_, it)| it.original_id() == *second);
        if let (Some((one, _)), Some((other, _))) = (one, other) {
            (taken[one], partner[other]) = (true, Some(one));
        }
    }
    let pairs = after.iter().zip(&partner).map(|(other, one)| ResourcePair {
        before: one.and_then(|one| before.get(one).cloned()),
        after: Some(other.clone()),
    });
    let gone = before.iter().zip(&taken).filter(|(_, taken)| !**taken);
    let gone = gone.map(|(one, _)| ResourcePair { before: Some(one.clone()), after: None });
    pairs.chain(gone).collect()
}

pub(super) fn new_names(pairs: &[ResourcePair]) -> NewNames {
    let mut names = NewNames::default();
    for (before, after) in pairs.iter().filter_map(ResourcePair::both) {
        let (old, new) = (&*before.id.name, &*after.id.name);
        if old != new {
            let known = names.entry(old.to_owned()).or_insert_with(|| Some(new.to_owned()));
            known.take_if(|known| *known != *new);
        }
    }
    names
}

/// The differences of one pair; a resource on one side only is one difference.
pub(super) fn pair_differences(pair: &ResourcePair, names: &NewNames) -> Vec<FieldChange> {
    match (&pair.before, &pair.after) {
        (Some(before), Some(after)) if Arc::ptr_eq(before, after) => Vec::new(),
        (Some(before), Some(after)) => differences_with_renames(&before.node, &after.node, names),
        (before, after) => {
            let (before, after) = (before.as_ref(), after.as_ref());
            vec![FieldChange::of_resource(before.map(|it| &it.node), after.map(|it| &it.node))]
        }
    }
}
