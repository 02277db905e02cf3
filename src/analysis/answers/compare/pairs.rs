//! Pairs of corresponding resources of two builds.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::{ChangeKind, FieldChange, FieldPath, differences};
use crate::engine::resource::{Gvk, ResId, Resource};

/// A resource of both builds, or of one.
#[derive(Clone, Debug)]
pub struct ResourcePair {
    pub before: Option<Arc<Resource>>,
    pub after: Option<Arc<Resource>>,
}

/// The key by which resources are paired: group, version, kind, name and namespace, empty where
/// ignored.
type PairingKey = [Arc<str>; 5];

/// The keys for pairing, the most reliable first.
const PAIRING_KEYS: [fn(&Resource) -> PairingKey; 4] = [
    |one| called(&one.id),
    // The same key without the version.
    |one| but_version(called(&one.id)),
    // Prefix, suffix, hash or namespace differ; the original names are equal.
    |one| but_version(called(&one.original_id())),
    |one| {
        let [group, _, kind, name, _] = called(&one.original_id());
        [group, Arc::default(), kind, name, Arc::default()]
    },
];

fn called(id: &ResId) -> PairingKey {
    let Gvk { group, version, kind } = id.gvk.clone();
    [group, version, kind, id.name.clone(), id.effective_namespace().into()]
}

fn but_version([group, _, kind, name, namespace]: PairingKey) -> PairingKey {
    [group, Arc::default(), kind, name, namespace]
}

/// Pairs the resources of two builds: by id, then by their names before prefixes, suffixes, hashes
/// and namespaces. The order is that of the second build, with removed resources at the end.
pub fn pair_up(before: &[Arc<Resource>], after: &[Arc<Resource>]) -> Vec<ResourcePair> {
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
    let pairs = after.iter().zip(&partner).map(|(other, one)| ResourcePair {
        before: one.and_then(|one| before.get(one).cloned()),
        after: Some(other.clone()),
    });
    let gone = before.iter().zip(&taken).filter(|(_, taken)| !**taken);
    let gone = gone.map(|(one, _)| ResourcePair { before: Some(one.clone()), after: None });
    pairs.chain(gone).collect()
}

/// The differences of one resource; one that exists on one side only differs as a whole.
pub(super) fn changes_of(pair: &ResourcePair) -> Vec<FieldChange> {
    match (&pair.before, &pair.after) {
        (Some(before), Some(after)) if Arc::ptr_eq(before, after) => Vec::new(),
        (Some(before), Some(after)) => differences(&before.node, &after.node),
        (before, after) => vec![FieldChange {
            path: FieldPath::default(),
            first_path: FieldPath::default(),
            kind: match after {
                Some(_) => ChangeKind::Added,
                None => ChangeKind::Removed,
            },
            before: before.as_ref().map(|resource| resource.node.clone()),
            after: after.as_ref().map(|resource| resource.node.clone()),
            key: None,
        }],
    }
}
