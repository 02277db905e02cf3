//! Labels and annotations on their way into mappings. There may be as many as the mapping has entries.

use std::sync::Arc;

use crate::manifest::{Pairs, Placed};
use crate::resource::{KnownKeys, PathStep, QuickMap, QuickSet, Resource};
use crate::yaml::{Entry, Mark, Node, Scalar, Tag};

use super::field_walk::{FieldPath, Leaf, Setter};
use super::set_field::{FieldError, Reach, claimed, entry_reach, new_scalar, set_entry, set_value};

/// For so many pairs a mapping is read along each time.
const FEW: usize = 8;

/// Where each key stands first.
fn places_of(entries: &[Entry]) -> QuickMap<Arc<str>, usize> {
    let mut places = QuickMap::default();
    for (place, entry) in entries.iter().enumerate() {
        if let Some(key) = entry.key.as_scalar() {
            places.entry(Arc::clone(&key.text)).or_insert(place);
        }
    }
    places
}

/// True when the paths lead to more than one mapping, so that a pair may be one node in several places.
fn reaches_several(chosen: &[&FieldPath], node: &Node) -> bool {
    chosen.iter().flat_map(|path| path.leaves(node)).nth(1).is_some()
}

/// A small mapping gets room for the pairs that it lacks at once, and for no more.
fn make_room(node: &mut Node, pairs: &Pairs) {
    if let Some(mapping) = node.as_mapping_mut()
        && pairs.len() <= FEW
    {
        let missing = pairs.keys().filter(|key| !mapping.contains(key)).count();
        mapping.entries.reserve_exact(missing);
    }
}

/// Writes labels or annotations to a mapping.
pub(super) struct PairsSetter<'a> {
    pairs: &'a Pairs,
    mark: Mark,
    /// The entry of each pair where its key is missing: its texts are one in all places of all resources.
    entries: Vec<Entry>,
    /// Which keys a resource did not have somewhere.
    made: QuickSet<usize>,
}

impl<'a> PairsSetter<'a> {
    pub(super) fn new(pairs: &'a Pairs, mark: Mark) -> Self {
        let entry = |(key, pair): (&String, &Placed<String>)| {
            // The line of the pair itself, where it has one.
            let mark = pair.mark.written_by(mark);
            let value = new_scalar(&pair.value, Tag::Str).marked(mark);
            Entry { key: Node::plain(key.as_str()).marked(mark), value }
        };
        Self { pairs, mark, entries: pairs.iter().map(entry).collect(), made: QuickSet::default() }
    }
}

impl Setter for PairsSetter<'_> {
    fn mark(&self) -> Mark {
        self.mark
    }

    fn leaf(&self) -> Leaf {
        Leaf::Mapping
    }

    fn reach(&self, node: &Node) -> Reach {
        let mut keys = KnownKeys::default();
        let reach = |(key, pair): (&String, &Placed<String>)| {
            entry_reach(node, keys.get(node, key), &pair.value, &Tag::Str)
        };
        self.pairs.iter().map(reach).max().unwrap_or(Reach::No)
    }

    fn equal<'n>(&self, node: &'n Node) -> Vec<&'n Node> {
        let mut keys = KnownKeys::default();
        let is_equal = |(key, pair): (&String, &Placed<String>)| {
            let value = keys.get(node, key)?;
            let scalar = value.as_scalar().filter(|scalar| *scalar.text == *pair.value);
            scalar.filter(|scalar| matches!(scalar.tag, Tag::Str | Tag::None)).map(|_| value)
        };
        self.pairs.iter().filter_map(is_equal).collect()
    }

    fn claim(&self, node: &Node) -> Option<Node> {
        let mut keys = KnownKeys::default();
        let claimed = |(key, pair): (&'_ String, &'_ Placed<String>)| {
            let value = keys.get(node, key).filter(|value| value.text() == Some(&pair.value))?;
            Some((key.clone(), claimed(value, pair.mark.written_by(self.mark))?))
        };
        let mut claimed: QuickMap<String, Node> = self.pairs.iter().filter_map(claimed).collect();
        if claimed.is_empty() {
            return None;
        }
        let mut node = node.clone();
        for entry in &mut node.as_mapping_mut()?.entries {
            // Of two with one key the first.
            if let Some(value) = entry.key.text().and_then(|key| claimed.swap_remove(key)) {
                entry.value = value;
            }
        }
        Some(node)
    }

    fn set(&mut self, node: &mut Node) -> Result<(), FieldError> {
        let Some(mapping) = node.as_mapping() else {
            return self.pairs.iter().zip(&self.entries).try_for_each(|((key, pair), entry)| {
                set_entry(node, key, &pair.value, Tag::Str, entry.value.mark)
            });
        };
        if self.reach(node) == Reach::Same {
            return Ok(());
        }
        let places = (self.pairs.len() > FEW).then(|| places_of(&mapping.entries));
        make_room(node, self.pairs);
        for (index, ((key, pair), entry)) in self.pairs.iter().zip(&self.entries).enumerate() {
            if key.is_empty() {
                return set_entry(node, key, &pair.value, Tag::Str, entry.value.mark);
            }
            let Some(mapping) = node.as_mapping_mut() else { break };
            let found = match &places {
                Some(places) => places.get(&**key).and_then(|at| mapping.entries.get_mut(*at)),
                None => mapping.entries.iter_mut().find(|entry| entry.key.text() == Some(key)),
            };
            if let Some(found) = found {
                set_value(&mut found.value, &pair.value, Tag::Str, entry.value.mark)?;
            } else {
                mapping.push(entry.clone());
                self.made.insert(index);
            }
        }
        Ok(())
    }

    fn finish(&mut self, resource: &mut Resource, chosen: &[&FieldPath]) {
        let made = std::mem::take(&mut self.made);
        if made.is_empty() || !reaches_several(chosen, &resource.node) {
            return;
        }
        let reached: Vec<_> = chosen.iter().flat_map(|path| path.places(&resource.node)).collect();
        let mut keys = KnownKeys::default();
        let shared = |index: usize| {
            let Entry { key, value } = &self.entries[index];
            let (key, text) = (key.as_scalar()?, &value.as_scalar()?.text);
            let is_made = |scalar: &Scalar| Arc::ptr_eq(&scalar.text, text);
            // Kustomize gives its one node the style of each scalar that it writes over.
            let mut style = None;
            let mut places = Vec::new();
            for (place, leaf) in &reached {
                match keys.get(leaf, &key.text).and_then(Node::as_scalar) {
                    Some(scalar) if is_made(scalar) => {
                        let key = PathStep::Key(key.text.clone());
                        places.push(place.iter().cloned().chain([key]).collect());
                    }
                    Some(scalar) => style = Some(scalar.style),
                    None => {}
                }
            }
            Some((places, style))
        };
        let groups: Vec<_> = made.into_iter().filter_map(shared).collect();
        resource.share_all(groups);
    }
}
