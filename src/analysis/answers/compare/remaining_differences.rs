//! The differences that remain after some edits are reverted.

use std::collections::{BTreeMap, BTreeSet};

use super::fields::canonical_text;
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

/// The differences by resource: their paths, with the elements that were added to a list.
#[derive(Debug, Default)]
pub(super) struct RemainingDifferences(BTreeMap<String, BTreeSet<(String, Option<String>)>>);

impl FromIterator<DifferenceKey> for RemainingDifferences {
    fn from_iter<K: IntoIterator<Item = DifferenceKey>>(keys: K) -> Self {
        let mut left = Self::default();
        for DifferenceKey { resource, path, added } in keys {
            left.0.entry(resource).or_default().insert((path, added));
        }
        left
    }
}

impl RemainingDifferences {
    pub(super) fn len(&self) -> usize {
        self.0.values().map(BTreeSet::len).sum()
    }

    /// The differences whose paths begin with the text of the path of a difference.
    fn beginning_with<'a>(
        &'a self,
        wanted: &'a DifferenceKey,
    ) -> impl Iterator<Item = &'a (String, Option<String>)> {
        let known = self.0.get(&wanted.resource).into_iter();
        let from = known.flat_map(|known| known.range((wanted.path.clone(), None)..));
        from.take_while(|(path, _)| path.starts_with(&wanted.path))
    }

    /// The number of elements that were added to the list of a difference.
    pub(super) fn count_added_elements(&self, wanted: &DifferenceKey) -> usize {
        let at = self.beginning_with(wanted).take_while(|(path, _)| *path == wanted.path);
        at.filter(|(_, added)| added.is_some()).count()
    }

    /// True if the difference, a part of it, or a difference that contains it is in the set.
    pub(super) fn has(&self, wanted: &DifferenceKey) -> bool {
        let Some(known) = self.0.get(&wanted.resource) else { return false };
        let path = wanted.path.as_str();
        let ends = path.match_indices(['.', '[']).map(|(at, _)| at).chain([0, path.len()]);
        let mut above = ends.map(|end| (path[..end].to_owned(), None));
        // An added element also remains if a difference of its list, or of a parent of the list,
        // remains.
        above.any(|field| known.contains(&field))
            || match &wanted.added {
                Some(_) => known.contains(&(wanted.path.clone(), wanted.added.clone())),
                None => self.beginning_with(wanted).any(|(below, _)| is_path_prefix(path, below)),
            }
    }
}

/// True if a path is another one, or contains it.
pub fn is_path_prefix(short: &str, long: &str) -> bool {
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
