//! Wide mappings that steps write to one key after the other. Where the keys stand is known from one step to the next, and whether
//! all entries are texts that a merge leaves alone: a patch is then merged with the entries that it names, and the others stay
//! where they are.

use std::collections::BTreeSet;
use std::sync::{Arc, Weak};

use crate::resource::QuickMap;
use crate::yaml::{Entry, Mapping, Node, Value};

use super::is_misread;

/// A narrower mapping is merged as it is.
const WIDE: usize = 64;
/// A patch with more keys than that in the mappings around is merged as it is.
const FEW: usize = 16;
/// What is known of mappings that are gone is forgotten when there is more than this.
const MANY: usize = 64;

/// Where each key of a mapping stands.
type Keys = QuickMap<Arc<str>, usize>;

/// What is known of wide mappings, from one step to the next.
#[derive(Clone, Debug, Default)]
pub struct WideMappings(QuickMap<usize, Known>);

/// What is known of a mapping. Whoever writes to the mapping or to what is in it takes it away from here
/// ([`Arc::make_mut`]), so that what is known is true as long as the mapping is there.
#[derive(Clone, Debug, Default)]
struct Known {
    mapping: Weak<Mapping>,
    /// Where each key stands first.
    keys: Arc<Keys>,
    /// Whether every entry is a text that a merge leaves alone and no key is there twice; nothing before that was asked.
    rests: Option<bool>,
}

/// A tree in which wide mappings have no more than the entries that a patch names, and one more.
#[derive(Clone, Debug)]
pub struct Narrowed {
    /// The tree.
    pub tree: Node,
    places: Vec<Place>,
}

/// A mapping that was narrowed.
#[derive(Clone, Debug)]
struct Place {
    path: Vec<Arc<str>>,
    /// Which of its entries stayed, in order.
    kept: Vec<usize>,
}

impl WideMappings {
    /// The tree as a patch has to see it, when there is much in it that it need not see.
    pub fn narrowed(&mut self, target: &Node, patch: &Node) -> Option<Narrowed> {
        if has_directives(patch) {
            return None;
        }
        let mut places = Vec::new();
        let tree = self.narrow(target, patch, &mut Vec::new(), &mut places)?;
        Some(Narrowed { tree, places })
    }

    fn narrow(
        &mut self,
        target: &Node,
        patch: &Node,
        path: &mut Vec<Arc<str>>,
        places: &mut Vec<Place>,
    ) -> Option<Node> {
        let mut narrowed = None;
        if patch.entries().len() > FEW || target.entries().len() > WIDE {
            return None;
        }
        for entry in patch.entries() {
            let Some(key) = entry.key.as_scalar().map(|key| Arc::clone(&key.text)) else {
                continue;
            };
            // Of a key that is there twice, the first counts; metadata is looked at by others.
            let is_first =
                patch.get(&key).is_some_and(|first| std::ptr::eq(first, &raw const entry.value));
            if !is_first || path.is_empty() && &*key == "metadata" {
                continue;
            }
            let Some(below) = target.get(&key) else { continue };
            path.push(Arc::clone(&key));
            let part = match self.kept(below, &entry.value) {
                Some(kept) => {
                    let part = with_entries(below, &kept);
                    places.push(Place { path: path.clone(), kept });
                    Some(part)
                }
                None => self.narrow(below, &entry.value, path, places),
            };
            path.pop();
            if let Some(part) = part
                && let Some(place) = narrowed.get_or_insert_with(|| target.clone()).get_mut(&key)
            {
                *place = part;
            }
        }
        narrowed
    }

    /// The entries of a wide mapping that a patch has to see. One of the others is among them: a mapping without entries is
    /// another thing to a merge.
    fn kept(&mut self, target: &Node, patch: &Node) -> Option<Vec<usize>> {
        let (named, width) = (patch.as_mapping()?, target.entries().len());
        if width < WIDE || named.entries.len() > width / 2 {
            return None;
        }
        let keys = self.keys_at_rest(target)?;
        let named = named.entries.iter().filter_map(|entry| keys.get(entry.key.text()?).copied());
        let mut kept: BTreeSet<usize> = named.collect();
        let other = (0..width).find(|index| !kept.contains(index))?;
        kept.insert(other);
        Some(kept.into_iter().collect())
    }

    /// The value of the first entry with this key, as [`Node::get`]; the place is known the next time.
    pub fn get<'n>(&mut self, node: &'n Node, key: &str) -> Option<&'n Node> {
        let Value::Mapping(mapping) = &node.value else { return None };
        if mapping.entries.len() < WIDE {
            return mapping.get(key);
        }
        let index = *self.known(mapping).keys.get(key)?;
        mapping.entries.get(index).map(|entry| &entry.value)
    }

    /// Writes to the value of the first entry with this key, as [`Node::get_mut`]; the keys stay known.
    pub fn write<R>(
        &mut self,
        node: &mut Node,
        key: &str,
        write: impl FnOnce(&mut Self, &mut Node) -> R,
    ) -> Option<R> {
        let Value::Mapping(mapping) = &mut node.value else { return None };
        if mapping.entries.len() < WIDE {
            return node.get_mut(key).map(|value| write(self, value));
        }
        let index = *self.known(mapping).keys.get(key)?;
        // Forgotten before it is written to: it can be written where it stands.
        let known = self.0.swap_remove(&address(mapping))?;
        let place = Arc::make_mut(mapping).entries.get_mut(index);
        let written = place.map(|entry| write(self, &mut entry.value));
        self.remember(mapping, known.keys, None);
        written
    }

    /// What is known of a wide mapping; its keys are read when nothing is.
    fn known(&mut self, mapping: &Arc<Mapping>) -> &mut Known {
        let at = address(mapping);
        if self.0.get(&at).is_none_or(|known| known.mapping.strong_count() == 0) {
            self.remember(mapping, Arc::new(keys_of(&mapping.entries)), None);
        }
        self.0.entry(at).or_default()
    }

    /// The keys of a wide mapping that is at rest; found out once for as long as nobody writes to it.
    fn keys_at_rest(&mut self, node: &Node) -> Option<Arc<Keys>> {
        let Value::Mapping(mapping) = &node.value else { return None };
        let Known { keys, rests, .. } = self.known(mapping);
        let rests = *rests.get_or_insert_with(|| are_at_rest(&mapping.entries, keys));
        rests.then(|| Arc::clone(keys))
    }

    fn remember(&mut self, mapping: &Arc<Mapping>, keys: Arc<Keys>, rests: Option<bool>) {
        if self.0.len() > MANY {
            self.0.retain(|_, known| known.mapping.strong_count() > 0);
            if self.0.len() > MANY {
                self.0.clear();
            }
        }
        let known = Known { mapping: Arc::downgrade(mapping), keys, rests };
        self.0.insert(address(mapping), known);
    }

    /// What became of a tree, from what became of the narrowed one: `whole` is the tree as it was, out of which the wide
    /// mappings are taken.
    pub fn widened(&mut self, narrowed: Narrowed, merged: Node, whole: &mut Node) -> Node {
        let mut merged = merged;
        for Place { path, kept } in narrowed.places {
            let taken = at_mut(whole, &path).map(std::mem::take);
            let Some(Node { value: Value::Mapping(mut mapping), .. }) = taken else { continue };
            let Some(place) = at_mut(&mut merged, &path) else { continue };
            let Value::Mapping(part) = &place.value else { continue };
            // Forgotten before it is written to: it can be written where it stands.
            let known = self.0.swap_remove(&address(&mapping)).map(|known| known.keys);
            let known = written(Arc::make_mut(&mut mapping), part, &kept, known);
            if let Some((keys, rests)) = known {
                self.remember(&mapping, keys, rests.then_some(true));
            }
            place.value = Value::Mapping(mapping);
        }
        merged
    }
}

/// Writes to a mapping what became of some of its entries and what is new; its keys, when they are known still, and whether it
/// is at rest as before.
fn written(
    mapping: &mut Mapping,
    part: &Mapping,
    kept: &[usize],
    known: Option<Arc<Keys>>,
) -> Option<(Arc<Keys>, bool)> {
    let mut rest = part.entries.iter().peekable();
    let mut gone = BTreeSet::new();
    let mut is_at_rest = true;
    for index in kept {
        let Some(old) = mapping.entries.get_mut(*index) else { continue };
        match rest.next_if(|new| new.key.text() == old.key.text()) {
            Some(new) => {
                is_at_rest &= rests(new);
                old.clone_from(new);
            }
            None => {
                gone.insert(*index);
            }
        }
    }
    mapping.style = part.style;
    let mut keys = known.filter(|_| gone.is_empty());
    for new in rest {
        is_at_rest &= rests(new);
        let text = new.key.as_scalar().map(|key| Arc::clone(&key.text));
        if let (Some(keys), Some(text)) = (&mut keys, text) {
            Arc::make_mut(keys).insert(text, mapping.entries.len());
        }
        mapping.push(new.clone());
    }
    if !gone.is_empty() {
        let mut index = 0;
        mapping.entries.retain(|_| {
            index += 1;
            !gone.contains(&(index - 1))
        });
    }
    Some((keys?, is_at_rest))
}

fn address(mapping: &Arc<Mapping>) -> usize {
    Arc::as_ptr(mapping).addr()
}

fn at_mut<'n>(node: &'n mut Node, path: &[Arc<str>]) -> Option<&'n mut Node> {
    path.iter().try_fold(node, |node, key| node.get_mut(key))
}

/// The same mapping with no more than these entries.
fn with_entries(node: &Node, kept: &[usize]) -> Node {
    let entries = kept.iter().filter_map(|index| node.entries().get(*index)).cloned().collect();
    let style = node.as_mapping().map(|mapping| mapping.style).unwrap_or_default();
    let value = Value::Mapping(Arc::new(Mapping { entries, style }));
    Node { value, mark: node.mark, comments: node.comments.clone() }
}

/// Where each key stands first.
fn keys_of(entries: &[Entry]) -> Keys {
    let mut keys = Keys::default();
    keys.reserve(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        if let Some(key) = entry.key.as_scalar() {
            keys.entry(Arc::clone(&key.text)).or_insert(index);
        }
    }
    keys
}

/// True when all entries are at rest, each key once. What names a type of its own is merged by that.
fn are_at_rest(entries: &[Entry], keys: &Keys) -> bool {
    entries.len() == keys.len()
        && !keys.contains_key("apiVersion")
        && !keys.contains_key("kind")
        && entries.iter().all(rests)
}

/// True for an entry that a merge which has nothing for it leaves as it is, whatever a schema says.
fn rests(entry: &Entry) -> bool {
    let has_key = entry.key.as_scalar().is_some_and(|key| !key.text.is_empty() && !key.is_null());
    let value = &entry.value;
    has_key
        && value.as_scalar().is_some_and(|it| !it.is_null())
        && !is_misread(value)
        && value.below_null().is_empty()
}

/// True when a mapping of a patch, or one in it, says what to do with it.
fn has_directives(patch: &Node) -> bool {
    patch.entries().iter().any(|entry| {
        entry.key.text().is_some_and(|key| key.starts_with('$')) || has_directives(&entry.value)
    })
}

#[cfg(test)]
mod tests;
