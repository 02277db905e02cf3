//! Elements of lists: their names, their locations, and groups of equal ones.

use std::cell::RefCell;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use crate::engine::resource::QuickMap;
use crate::engine::yaml::{Node, SourceId, Value};

/// The name of an element: the key that names it, and the text at that key.
pub(super) type ElementKey<'n> = (&'static str, &'n str);

/// The location of an element: file, line, column.
pub(in crate::answers) type ElementLocation = (SourceId, u32, u32);

/// For each location, alone and with an element's name, the index of the element; `None` if several
/// elements are at the location.
pub(super) type LocationIndex<'n> =
    QuickMap<(ElementLocation, Option<ElementKey<'n>>), Option<usize>>;

/// An index of the elements of a list by text and name.
#[derive(Debug, Default)]
pub(super) struct ElementNames<'n> {
    /// The first element with this text or name.
    pub(super) called: QuickMap<&'n str, usize>,
    /// For each requested key, the first element with each text at the key.
    keyed: RefCell<QuickMap<String, QuickMap<&'n str, usize>>>,
}

/// Groups of equal elements: with the same name, or unnamed with the same content.
#[derive(Debug, Default)]
pub(super) struct EqualElementGroups<'n> {
    groups: Vec<Vec<usize>>,
    /// For each element, the number of elements of its group before it.
    pub(super) ranks: Vec<usize>,
    called: QuickMap<ElementKey<'n>, usize>,
    /// Unnamed elements by a hash of the content.
    nameless: QuickMap<u64, Vec<usize>>,
}

/// Indexes the elements of a list by location.
pub(super) fn index_by_location(items: &[Node]) -> LocationIndex<'_> {
    let mut places = LocationIndex::default();
    for (at, item) in items.iter().enumerate() {
        let place = element_location(item);
        let keys = [Some((place, None)), element_key(item).map(|key| (place, Some(key)))];
        for key in keys.into_iter().flatten() {
            places.entry(key).and_modify(|only| *only = None).or_insert(Some(at));
        }
    }
    places
}

impl<'n> ElementNames<'n> {
    pub(super) fn new(items: &'n [Node]) -> Self {
        let mut called = QuickMap::default();
        for (at, item) in items.iter().enumerate() {
            for text in item.text().into_iter().chain(element_key(item).map(|(_, text)| text)) {
                called.entry(text).or_insert(at);
            }
        }
        Self { called, keyed: RefCell::default() }
    }

    /// The first element with this text at this key.
    pub(super) fn with(&self, items: &'n [Node], key: &str, text: &str) -> Option<usize> {
        let mut keyed = self.keyed.borrow_mut();
        if let Some(texts) = keyed.get(key) {
            return texts.get(text).copied();
        }
        let mut texts = QuickMap::default();
        for (at, item) in items.iter().enumerate() {
            if let Some(text) = text_at(item, key) {
                texts.entry(text).or_insert(at);
            }
        }
        keyed.entry(key.to_owned()).or_insert(texts).get(text).copied()
    }
}

impl<'n> EqualElementGroups<'n> {
    /// Groups the elements of a list.
    pub(super) fn from_items(items: &'n [Node], hasher: &RandomState) -> Self {
        let mut likes = Self::default();
        for (at, item) in items.iter().enumerate() {
            let group = likes.group_of(item, items, hasher).unwrap_or_else(|| {
                let new = likes.groups.len();
                match element_key(item) {
                    Some(key) => {
                        likes.called.insert(key, new);
                    }
                    None => {
                        likes.nameless.entry(content_hash(item, hasher)).or_default().push(new);
                    }
                }
                likes.groups.push(Vec::new());
                new
            });
            if let Some(group) = likes.groups.get_mut(group) {
                likes.ranks.push(group.len());
                group.push(at);
            }
        }
        likes
    }

    /// The number of the group of an element, which may be from another list.
    fn group_of(&self, item: &Node, items: &[Node], hasher: &RandomState) -> Option<usize> {
        if let Some(key) = element_key(item) {
            return self.called.get(&key).copied();
        }
        let is_it = |group: &&usize| {
            let first = self.groups.get(**group).and_then(|group| items.get(*group.first()?));
            first.is_some_and(|first| first.same_content(item))
        };
        self.nameless.get(&content_hash(item, hasher))?.iter().find(is_it).copied()
    }

    /// The indices of the elements that are equal to an element, which may be from another list.
    pub(super) fn equal_to(
        &self,
        item: &Node,
        items: &[Node],
        hasher: &RandomState,
    ) -> Option<&Vec<usize>> {
        self.groups.get(self.group_of(item, items, hasher)?)
    }
}

/// True for elements with the same name, or unnamed elements with the same content.
pub(super) fn is_equal_element(one: &Node, other: &Node) -> bool {
    match element_key(one) {
        Some(key) => element_key(other) == Some(key),
        None => other.same_content(one),
    }
}

/// The file, line and column of a list element.
pub(in crate::answers) fn element_location(node: &Node) -> ElementLocation {
    (node.mark.source, node.mark.line, node.mark.column)
}

/// The text of the field `key` of a list element.
pub(super) fn text_at<'n>(item: &'n Node, key: &str) -> Option<&'n str> {
    item.get(key).and_then(Node::text)
}

/// A hash that is the same for nodes with the same content.
fn content_hash(node: &Node, hasher: &RandomState) -> u64 {
    let mut state = hasher.build_hasher();
    hash_content(node, &mut state);
    state.finish()
}

/// Adds the content of a node to a hash, without its style and comments.
fn hash_content(node: &Node, state: &mut impl Hasher) {
    match &node.value {
        Value::Scalar(scalar) => scalar.text.hash(state),
        Value::Sequence(items, _) => {
            items.len().hash(state);
            for item in items.iter() {
                hash_content(item, state);
            }
        }
        Value::Mapping(mapping) => {
            mapping.entries.len().hash(state);
            for entry in &mapping.entries {
                hash_content(&entry.key, state);
                hash_content(&entry.value, state);
            }
        }
    }
}

/// The keys whose text names an element: the keys by which Kubernetes merges lists, the most
/// specific first.
const NAMING_KEYS: [&str; 9] =
    ["name", "key", "mountPath", "containerPort", "port", "devicePath", "topologyKey", "ip", "id"];

/// The key of an element and its text.
pub(in crate::answers) fn element_key(item: &Node) -> Option<(&'static str, &str)> {
    let of = |key: &'static str| Some((key, text_at(item, key)?));
    NAMING_KEYS.into_iter().find_map(of)
}
