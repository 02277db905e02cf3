//! Wide mappings and lists that steps write to one key or element after the other. Where these stand is known from one step to
//! the next, and whether a merge leaves alone what it has nothing for: a patch is then merged with what it names, and the rest
//! stays where it is.

mod lists;
mod narrowing;

use std::collections::BTreeSet;
use std::sync::{Arc, Weak};

use crate::profile::Profile;
use crate::resource::{QuickMap, SchemaInForce};
use crate::yaml::{Entry, Mapping, Node, Value};

use self::lists::{KeptElements, WideLists};
use self::narrowing::Narrowing;
use super::elements::key_text;
use super::is_misread;

/// A narrower mapping or list is merged as it is; a wider one around what a patch names is not gone through.
const WIDE: usize = 64;
/// A patch with more keys than that in the mappings around is merged as it is.
const FEW: usize = 16;
/// What is known of mappings that are gone is forgotten when there is more than this.
const MANY: usize = 64;

/// Where each key of a mapping stands.
type Keys = QuickMap<Arc<str>, usize>;

/// What is known of wide mappings and lists, from one step to the next.
#[derive(Clone, Debug)]
pub struct WideCollections {
    mappings: QuickMap<usize, Known>,
    lists: WideLists,
    /// What has fewer entries or elements is merged as it is.
    width: usize,
}

impl Default for WideCollections {
    fn default() -> Self {
        Self::from_width(WIDE)
    }
}

/// What is known of a mapping. Whoever writes to the mapping or to what is in it takes it away from here
/// ([`Arc::make_mut`]), so that what is known is true as long as the mapping is there.
#[derive(Clone, Debug, Default)]
struct Known {
    mapping: Weak<Mapping>,
    /// Where each key stands first.
    keys: Arc<Keys>,
    /// Whether a merge leaves every entry alone and no key is there twice; nothing before that was asked.
    rests: Option<bool>,
}

/// A tree in which wide mappings and lists have no more than what a patch names, and one more.
#[derive(Clone, Debug)]
pub struct Narrowed {
    /// The tree.
    pub tree: Node,
    places: Vec<Place>,
}

/// A mapping or list that was narrowed.
#[derive(Clone, Debug)]
struct Place {
    path: Vec<Step>,
    kept: Kept,
}

/// A step of the way to it.
#[derive(Clone, Debug)]
enum Step {
    Key(Arc<str>),
    /// The element of a list whose key has this text.
    Element(String, Arc<str>),
}

/// What stayed.
#[derive(Clone, Debug)]
enum Kept {
    /// Which of its entries, in order.
    Entries(Vec<usize>),
    Elements(KeptElements),
}

impl WideCollections {
    /// What has so many entries or elements counts as wide: 64 by default. A build is the same with any.
    pub fn from_width(width: usize) -> Self {
        Self { mappings: QuickMap::default(), lists: WideLists::default(), width }
    }

    /// The tree as a patch has to see it, when there is much in it that it need not see.
    pub fn narrowed(
        &mut self,
        target: &Node,
        patch: &Node,
        (schema, profile): (&SchemaInForce, Profile),
    ) -> Option<Narrowed> {
        if has_directives(patch) {
            return None;
        }
        let text = |key: &str| target.get(key).and_then(Node::text).unwrap_or_default();
        let root = schema.ask().of_type(text("apiVersion"), text("kind"));
        let mut asked = Narrowing { schema, profile, path: Vec::new(), places: Vec::new() };
        let tree = self.narrow(target, patch, root, &mut asked)?;
        Some(Narrowed { tree, places: asked.places })
    }

    /// The entries of a wide mapping that a patch has to see. One of the others is among them: a mapping without entries is
    /// another thing to a merge.
    fn kept(&mut self, target: &Node, patch: &Node) -> Option<Vec<usize>> {
        let (named, width) = (patch.as_mapping()?, target.entries().len());
        if width < self.width || named.entries.len() > width / 2 {
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
        if mapping.entries.len() < self.width {
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
        if mapping.entries.len() < self.width {
            return node.get_mut(key).map(|value| write(self, value));
        }
        let index = *self.known(mapping).keys.get(key)?;
        // Forgotten before it is written to: it can be written where it stands.
        let known = self.mappings.swap_remove(&address(mapping))?;
        let place = Arc::make_mut(mapping).entries.get_mut(index);
        let written = place.map(|entry| write(self, &mut entry.value));
        self.remember(mapping, known.keys, None);
        written
    }

    /// What is known of a wide mapping; its keys are read when nothing is.
    fn known(&mut self, mapping: &Arc<Mapping>) -> &mut Known {
        let at = address(mapping);
        if self.mappings.get(&at).is_none_or(|known| known.mapping.strong_count() == 0) {
            self.remember(mapping, Arc::new(keys_of(&mapping.entries)), None);
        }
        self.mappings.entry(at).or_default()
    }

    /// The keys of a wide mapping that is at rest; found out once for as long as nobody writes to it.
    fn keys_at_rest(&mut self, node: &Node) -> Option<Arc<Keys>> {
        let Value::Mapping(mapping) = &node.value else { return None };
        let Known { keys, rests, .. } = self.known(mapping);
        let rests = *rests.get_or_insert_with(|| are_at_rest(&mapping.entries, keys));
        rests.then(|| Arc::clone(keys))
    }

    fn remember(&mut self, mapping: &Arc<Mapping>, keys: Arc<Keys>, rests: Option<bool>) {
        if self.mappings.len() > MANY {
            self.mappings.retain(|_, known| known.mapping.strong_count() > 0);
            if self.mappings.len() > MANY {
                self.mappings.clear();
            }
        }
        let known = Known { mapping: Arc::downgrade(mapping), keys, rests };
        self.mappings.insert(address(mapping), known);
    }

    /// What became of a tree, from what became of the narrowed one: `whole` is the tree as it was, out of which the wide
    /// mappings and lists are taken.
    pub fn widened(&mut self, narrowed: Narrowed, merged: Node, whole: &mut Node) -> Node {
        let mut merged = merged;
        for Place { path, kept } in narrowed.places {
            let Some(taken) = at_mut(whole, &path).map(std::mem::take) else { continue };
            let Some(place) = at_mut(&mut merged, &path) else { continue };
            match (kept, taken.value) {
                (Kept::Entries(kept), Value::Mapping(mapping)) => self.widen(place, mapping, &kept),
                (Kept::Elements(kept), Value::Sequence(list, _)) => {
                    self.lists.widen(place, list, kept);
                }
                _ => {}
            }
        }
        merged
    }

    /// Puts a wide mapping in the place of what became of a part of it.
    fn widen(&mut self, place: &mut Node, mut mapping: Arc<Mapping>, kept: &[usize]) {
        let Value::Mapping(part) = &place.value else { return };
        // Forgotten before it is written to: it can be written where it stands.
        let known = self.mappings.swap_remove(&address(&mapping)).map(|known| known.keys);
        let known = written(Arc::make_mut(&mut mapping), part, kept, known);
        if let Some((keys, rests)) = known {
            self.remember(&mapping, keys, rests.then_some(true));
        }
        place.value = Value::Mapping(mapping);
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

fn at_mut<'n>(node: &'n mut Node, path: &[Step]) -> Option<&'n mut Node> {
    path.iter().try_fold(node, |node, step| match step {
        Step::Key(key) => node.get_mut(key),
        Step::Element(key, text) => {
            let index = node.items()?.iter().position(|item| key_text(item, key) == &**text)?;
            node.items_mut()?.get_mut(index)
        }
    })
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

/// True for an entry that a merge which has nothing for it leaves as it is, whatever a schema says: a text, or a mapping of such
/// entries. What becomes of a list is up to its schema.
fn rests(entry: &Entry) -> bool {
    let has_key = entry.key.as_scalar().is_some_and(|key| !key.text.is_empty() && !key.is_null());
    let value = &entry.value;
    has_key
        && match &value.value {
            Value::Scalar(scalar) => {
                !scalar.is_null() && !is_misread(value) && value.below_null().is_empty()
            }
            Value::Mapping(mapping) => mapping.entries.iter().all(rests),
            Value::Sequence(..) => false,
        }
}

/// True when a mapping of a patch, or one in it, says what to do with it.
fn has_directives(patch: &Node) -> bool {
    let in_mapping = patch.entries().iter().any(|entry| {
        entry.key.text().is_some_and(|key| key.starts_with('$')) || has_directives(&entry.value)
    });
    in_mapping || patch.items().unwrap_or_default().iter().any(has_directives)
}

#[cfg(test)]
mod tests;
