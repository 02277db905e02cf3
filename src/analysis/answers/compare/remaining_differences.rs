//! The differences that remain after some edits are reverted.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use super::canonical::canonical_text;
use super::{ChangeKind, FieldChange, FieldSegment, ResourcePair};

/// The identity of a difference in any build that is compared with the first side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DifferenceKey {
    /// The id of the resource on the first side, or the original id of a new one.
    pub(super) resource: String,
    /// The path of the field on the first side.
    pub(super) path: String,
    /// The normalized text of an element that was added to the list at this path.
    pub(super) added: Option<String>,
}

impl DifferenceKey {
    /// The key of a difference in every build that is compared with the first side.
    pub(super) fn from_change(pair: &ResourcePair, change: &FieldChange) -> Self {
        let resource = match (&pair.before, &pair.after) {
            (Some(before), _) => format!("={}", before.id),
            (None, Some(after)) => format!("+{}", after.original_id()),
            (None, None) => String::new(),
        };
        let is_nameless = matches!(change.path.0.last(), Some(FieldSegment::Index(_)));
        let added =
            change.after.as_ref().filter(|_| is_nameless && change.kind == ChangeKind::Added);
        let order = if change.kind == ChangeKind::Reordered { "#order" } else { "" };
        let path = format!("{}{order}", change.first_path);
        Self { resource, path, added: added.map(canonical_text) }
    }
}

#[derive(Debug, Default)]
pub(super) struct RemainingDifferences {
    fields: BTreeMap<String, BTreeSet<String>>,
    added: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
}

impl FromIterator<DifferenceKey> for RemainingDifferences {
    fn from_iter<K: IntoIterator<Item = DifferenceKey>>(keys: K) -> Self {
        let mut left = Self::default();
        for DifferenceKey { resource, path, added } in keys {
            if let Some(added) = added {
                let lists = left.added.entry(resource).or_default();
                lists.entry(path).or_default().insert(added);
            } else {
                left.fields.entry(resource).or_default().insert(path);
            }
        }
        left
    }
}

impl RemainingDifferences {
    pub(super) fn len(&self) -> usize {
        let added = self.added.values().flat_map(BTreeMap::values);
        self.fields.values().chain(added).map(BTreeSet::len).sum()
    }

    /// The number of elements that were added to the list of a difference.
    pub(super) fn count_added_elements(&self, wanted: &DifferenceKey) -> usize {
        self.added_elements(wanted).map_or(0, BTreeSet::len)
    }

    /// True if the difference, a part of it, or a difference that contains it is in the set.
    pub(super) fn has(&self, wanted: &DifferenceKey) -> bool {
        let fields = self.fields.get(&wanted.resource);
        let above = || fields.is_some_and(|fields| has_same_or_parent(&wanted.path, fields));
        if let Some(added) = &wanted.added {
            // An added element also remains if a difference of its list, or of a parent of the
            // list, remains.
            return self.added_elements(wanted).is_some_and(|elements| elements.contains(added))
                || above();
        }
        let lists = self.added.get(&wanted.resource);
        above()
            || fields.is_some_and(|fields| {
                has_same_or_deeper(&wanted.path, |from| first_path_from(fields, from))
            })
            || lists.is_some_and(|lists| {
                has_same_or_deeper(&wanted.path, |from| first_key_from(lists, from))
            })
    }

    fn added_elements(&self, wanted: &DifferenceKey) -> Option<&BTreeSet<String>> {
        self.added.get(&wanted.resource)?.get(&wanted.path)
    }
}

fn first_path_from<'s>(paths: &'s BTreeSet<String>, from: &str) -> Option<&'s str> {
    let range = (Bound::Included(from), Bound::Unbounded);
    paths.range::<str, _>(range).next().map(String::as_str)
}

fn first_key_from<'s, V>(paths: &'s BTreeMap<String, V>, from: &str) -> Option<&'s str> {
    let range = (Bound::Included(from), Bound::Unbounded);
    paths.range::<str, _>(range).next().map(|(path, _)| path.as_str())
}

/// True if the path, or a path below it, is known; `next` returns the first known path that is not
/// less than a text.
fn has_same_or_deeper<'s>(path: &str, next: impl Fn(&str) -> Option<&'s str>) -> bool {
    let Some(first) = next(path) else { return false };
    let goes_on = |sign: &str| {
        let from = format!("{path}{sign}");
        next(&from).is_some_and(|found| found.starts_with(&from))
    };
    path.is_empty() || first == path || goes_on(".") || goes_on("[")
}

/// True if a path or a prefix of it is in the set.
fn has_same_or_parent(path: &str, paths: &BTreeSet<String>) -> bool {
    let signs = path.bytes().filter(|byte| matches!(byte, b'.' | b'[')).count();
    if signs > paths.len() {
        return paths.iter().any(|short| is_path_prefix(short, path));
    }
    let is_sign = |(_, sign): &(usize, char)| matches!(sign, '.' | '[');
    let shorter = path.char_indices().filter(is_sign).map(|(at, _)| &path[..at]);
    paths.contains("") || paths.contains(path) || shorter.into_iter().any(|it| paths.contains(it))
}

fn is_path_prefix(short: &str, long: &str) -> bool {
    let rest = long.strip_prefix(short);
    rest.is_some_and(|rest| short.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference implementation of [`RemainingDifferences::has`] for the test: a linear search.
    fn has_by_linear_search(keys: &[DifferenceKey], wanted: &DifferenceKey) -> bool {
        keys.iter().filter(|key| key.resource == wanted.resource).any(|key| {
            match (&key.added, &wanted.added) {
                (None, None) => {
                    is_path_prefix(&key.path, &wanted.path)
                        || is_path_prefix(&wanted.path, &key.path)
                }
                (one, other) if one == other => key.path == wanted.path,
                (None, Some(_)) => is_path_prefix(&key.path, &wanted.path),
                (Some(_), None) => is_path_prefix(&wanted.path, &key.path),
                (Some(_), Some(_)) => false,
            }
        })
    }

    fn key() -> impl proptest::strategy::Strategy<Value = DifferenceKey> {
        use proptest::prelude::*;
        let path = "(|[ab](\\.[ab#]|\\[[ab]\\]|c){0,3})";
        ("[rs]", path, prop::option::of("[xy]")).prop_map(|(resource, path, added)| DifferenceKey {
            resource,
            path,
            added,
        })
    }

    proptest::proptest! {
        #[test]
        fn lookup_equals_linear_search(keys in proptest::collection::vec(key(), 0..12), wanted in key()) {
            let left: RemainingDifferences = keys.iter().cloned().collect();
            proptest::prop_assert_eq!(left.has(&wanted), has_by_linear_search(&keys, &wanted));
        }
    }
}
