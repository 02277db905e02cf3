//! Which resource of one build is which of the other.

use std::sync::Arc;

use super::{ChangeKind, FieldChange, FieldPath, differences};
use crate::engine::resource::Resource;

/// A resource of both builds, or of one.
#[derive(Clone, Debug)]
pub struct Pair {
    /// In the first build.
    pub before: Option<Arc<Resource>>,
    /// In the second.
    pub after: Option<Arc<Resource>>,
}

/// How two resources may be one, from the surest on.
const WAYS: [fn(&Resource, &Resource) -> bool; 4] = [
    |one, other| one.id.same(&other.id),
    // The same but for its version.
    |one, other| {
        one.id.gvk.group == other.id.gvk.group
            && one.id.gvk.kind == other.id.gvk.kind
            && one.id.name == other.id.name
            && one.id.effective_namespace() == other.id.effective_namespace()
    },
    // It has another prefix, suffix, hash or namespace, and was called the same before.
    |one, other| {
        let (one, other) = (one.original_id(), other.original_id());
        one.gvk.group == other.gvk.group
            && one.gvk.kind == other.gvk.kind
            && one.name == other.name
            && one.effective_namespace() == other.effective_namespace()
    },
    |one, other| {
        let (one, other) = (one.original_id(), other.original_id());
        one.gvk.group == other.gvk.group && one.gvk.kind == other.gvk.kind && one.name == other.name
    },
];

/// Pairs the resources of two builds: by id, then by the names that they had before prefixes, suffixes, hashes and
/// namespaces. The order is that of the second build, with what is gone behind it.
pub fn pair_up(before: &[Arc<Resource>], after: &[Arc<Resource>]) -> Vec<Pair> {
    let mut partner: Vec<Option<usize>> = vec![None; after.len()];
    let mut taken = vec![false; before.len()];
    // Most are what they were: an index spares comparing every one with every other.
    let mut places: std::collections::BTreeMap<(&str, &str), Vec<usize>> =
        std::collections::BTreeMap::new();
    for (at, one) in before.iter().enumerate() {
        places.entry((&one.id.gvk.kind, &one.id.name)).or_default().push(at);
    }
    for (at, other) in after.iter().enumerate() {
        let named = places.get(&(&*other.id.gvk.kind, &*other.id.name)).into_iter().flatten();
        let found = named.copied().find(|one| !taken[*one] && before[*one].id.same(&other.id));
        if let Some(one) = found {
            (taken[one], partner[at]) = (true, Some(one));
        }
    }
    for way in &WAYS[1..] {
        for (at, other) in after.iter().enumerate() {
            if partner[at].is_some() {
                continue;
            }
            let candidates = before.iter().enumerate().filter(|(one, _)| !taken[*one]);
            let mut candidates = candidates.filter(|(_, one)| way(one, other)).map(|(one, _)| one);
            // More than one candidate: nobody knows which it is.
            let (first, second) = (candidates.next(), candidates.next());
            if let (Some(one), None) = (first, second) {
                (taken[one], partner[at]) = (true, Some(one));
            }
        }
    }
    let pairs = after.iter().zip(&partner).map(|(other, one)| Pair {
        before: one.and_then(|one| before.get(one).cloned()),
        after: Some(other.clone()),
    });
    let gone = before.iter().zip(&taken).filter(|(_, taken)| !**taken);
    let gone = gone.map(|(one, _)| Pair { before: Some(one.clone()), after: None });
    pairs.chain(gone).collect()
}

/// The differences of one resource; one that is on one side only differs as a whole.
pub(super) fn changes_of(pair: &Pair) -> Vec<FieldChange> {
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
