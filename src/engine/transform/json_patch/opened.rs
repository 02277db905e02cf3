//! A tree that many operations write to: what one of them went through stays open for the next, and a wide mapping in it knows
//! where its keys stand.

use std::sync::Arc;

use crate::diagnostic::JsonPatchFault;
use crate::resource::QuickMap;
use crate::yaml::{Comments, Entry, Mapping, Mark, Node, Style, Value};

use super::pointer::{decode, index};

/// A narrower mapping is read along for each key.
const WIDE: usize = 32;

/// A node, closed as it came or open to be written to.
#[derive(Debug)]
pub(super) enum Opened {
    /// Nobody went through it yet, or it is a scalar.
    Closed(Node),
    Mapping(Fields, Shell),
    Sequence(Vec<Opened>, Shell),
}

/// What a collection has besides what is in it.
#[derive(Debug, Default)]
pub(super) struct Shell {
    style: Style,
    mark: Mark,
    comments: Option<Arc<Comments>>,
}

/// The entries of an open mapping.
#[derive(Debug)]
pub(super) struct Fields {
    /// In their order; nothing where one was taken away.
    entries: Vec<Option<(Node, Opened)>>,
    places: Places,
}

/// What is known of where the keys of a mapping stand.
#[derive(Debug)]
enum Places {
    /// It was not wide so far.
    Unknown,
    Known(QuickMap<Arc<str>, usize>),
    /// A key stands there twice: the first counts, until it is taken away.
    Doubled,
}

impl From<Node> for Opened {
    fn from(node: Node) -> Self {
        Self::Closed(node)
    }
}

impl Default for Opened {
    fn default() -> Self {
        Self::Sequence(Vec::new(), Shell::default())
    }
}

impl Opened {
    /// The collection that holds the last segment of a path, and that segment.
    pub(super) fn container(&mut self, path: &str) -> Option<(&mut Self, String)> {
        // What stands before the first slash does not count.
        let mut segments: Vec<String> = path.split('/').skip(1).map(decode).collect();
        let key = segments.pop()?;
        let mut part = self;
        for segment in &segments {
            part = part.look(segment).ok()??;
        }
        (!matches!(part.open(), Self::Closed(_))).then_some((part, key))
    }

    /// What stands in a collection under a key.
    ///
    /// # Errors
    /// The key is no place of the list that it is asked of.
    pub(super) fn look(&mut self, key: &str) -> Result<Option<&mut Self>, JsonPatchFault> {
        Ok(match self.open() {
            Self::Mapping(fields, _) => fields.get_mut(key),
            Self::Sequence(items, _) => {
                let at = index(key, items.len())?;
                items.get_mut(at)
            }
            Self::Closed(_) => None,
        })
    }

    /// Takes away what stands in a collection under a key.
    ///
    /// # Errors
    /// There is nothing.
    pub(super) fn take(&mut self, key: &str) -> Result<Node, JsonPatchFault> {
        match self.open() {
            Self::Mapping(fields, _) => {
                let missing = || JsonPatchFault::NothingToRemove(key.to_owned());
                fields.take(key).map(Self::closed).ok_or_else(missing)
            }
            Self::Sequence(items, _) => {
                let at = index(key, items.len())?;
                Ok(items.remove(at).closed())
            }
            Self::Closed(_) => Err(JsonPatchFault::InAScalar),
        }
    }

    /// Puts a value in a collection: under a key, before an element, or behind all of them.
    ///
    /// # Errors
    /// The key is no place of the list.
    pub(super) fn insert(&mut self, key: &str, value: Node) -> Result<(), JsonPatchFault> {
        match self.open() {
            Self::Mapping(fields, _) => fields.set(key, value),
            Self::Sequence(items, _) => {
                let at = place_to_add(key, items.len())?;
                items.insert(at, value.into());
            }
            Self::Closed(_) => return Err(JsonPatchFault::InAScalar),
        }
        Ok(())
    }

    /// The node that it is now.
    pub(super) fn node(&mut self) -> Node {
        let node = std::mem::take(self).closed();
        *self = node.clone().into();
        node
    }

    /// The same as a node.
    pub(super) fn closed(self) -> Node {
        let (value, shell) = match self {
            Self::Closed(node) => return node,
            Self::Mapping(fields, shell) => {
                let entry = |(key, value): (Node, Self)| Entry { key, value: value.closed() };
                let entries = fields.entries.into_iter().flatten().map(entry).collect();
                (Value::Mapping(Arc::new(Mapping { entries, style: shell.style })), shell)
            }
            Self::Sequence(items, shell) => {
                let items = items.into_iter().map(Self::closed).collect();
                (Value::Sequence(Arc::new(items), shell.style), shell)
            }
        };
        Node { value, mark: shell.mark, comments: shell.comments }
    }

    /// The collection, open. A scalar stays closed.
    pub(super) fn open(&mut self) -> &mut Self {
        if matches!(self, Self::Closed(node) if node.as_scalar().is_none()) {
            *self = match std::mem::take(self) {
                Self::Closed(Node { value, mark, comments }) => Self::of(value, mark, comments),
                open => open,
            };
        }
        self
    }

    fn of(value: Value, mark: Mark, comments: Option<Arc<Comments>>) -> Self {
        match value {
            Value::Scalar(_) => Self::Closed(Node { value, mark, comments }),
            Value::Sequence(items, style) => {
                let items = Arc::unwrap_or_clone(items).into_iter().map(Self::from).collect();
                Self::Sequence(items, Shell { style, mark, comments })
            }
            Value::Mapping(mapping) => {
                let Mapping { entries, style } = Arc::unwrap_or_clone(mapping);
                let entry = |Entry { key, value }| Some((key, value.into()));
                let entries = entries.into_iter().map(entry).collect();
                let fields = Fields { entries, places: Places::Unknown };
                Self::Mapping(fields, Shell { style, mark, comments })
            }
        }
    }
}

/// The number of an element that is added to a list of this length.
fn place_to_add(key: &str, length: usize) -> Result<usize, JsonPatchFault> {
    if key == "-" {
        return Ok(length);
    }
    let number: i64 = key.parse().map_err(|_| JsonPatchFault::NoIndexToAdd(key.to_owned()))?;
    // Counted in the list as it will be.
    let grown = i64::try_from(length + 1).unwrap_or(i64::MAX);
    let at = if number < 0 { number.saturating_add(grown) } else { number };
    usize::try_from(at).ok().filter(|at| *at <= length).ok_or(JsonPatchFault::InvalidIndex(number))
}

impl Fields {
    /// True when a key is there.
    pub(super) fn contains(&mut self, key: &str) -> bool {
        self.place(key).is_some()
    }

    fn get_mut(&mut self, key: &str) -> Option<&mut Opened> {
        let place = self.place(key)?;
        self.entries.get_mut(place)?.as_mut().map(|(_, value)| value)
    }

    fn take(&mut self, key: &str) -> Option<Opened> {
        let place = self.place(key)?;
        if let Places::Known(places) = &mut self.places {
            places.swap_remove(key);
        }
        self.entries.get_mut(place)?.take().map(|(_, value)| value)
    }

    /// Writes the value of a key, or adds it at the end.
    pub(super) fn set(&mut self, key: &str, value: Node) {
        if let Some(found) = self.get_mut(key) {
            *found = value.into();
            return;
        }
        let text: Arc<str> = key.into();
        if let Places::Known(places) = &mut self.places {
            places.insert(Arc::clone(&text), self.entries.len());
        }
        self.entries.push(Some((Node::string(text).marked(value.mark), value.into())));
    }

    /// Where the first entry with a key stands.
    fn place(&mut self, key: &str) -> Option<usize> {
        if matches!(self.places, Places::Unknown) && self.entries.len() >= WIDE {
            self.places = self.know();
        }
        match &self.places {
            Places::Known(places) => places.get(key).copied(),
            Places::Unknown | Places::Doubled => self
                .entries
                .iter()
                .position(|entry| entry.as_ref().is_some_and(|(own, _)| own.text() == Some(key))),
        }
    }

    fn know(&self) -> Places {
        let mut places = QuickMap::default();
        for (place, entry) in self.entries.iter().enumerate() {
            let scalar = entry.as_ref().and_then(|(key, _)| key.as_scalar());
            if scalar.is_some_and(|key| places.insert(Arc::clone(&key.text), place).is_some()) {
                return Places::Doubled;
            }
        }
        Places::Known(places)
    }
}
