//! The entries of a mapping, with an index of the keys if the mapping is wide.

use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

use super::key_index::KeyIndex;
use super::mapping::push_entry;
use super::{Entries, MappingEntry};

/// A mapping with at most this many entries is searched without an index.
const INDEX_THRESHOLD: usize = 32;

impl Entries {
    fn key_at(&self, place: usize) -> Option<&str> {
        self.list.get(place)?.key.text()
    }

    fn index(&self) -> &KeyIndex {
        self.index.get_or_init(|| {
            let mut index = KeyIndex::default();
            (0..self.list.len()).for_each(|place| index.add(place, |place| self.key_at(place)));
            Box::new(index)
        })
    }

    /// The index of the first entry with this key.
    pub(super) fn place(&self, key: &str) -> Option<usize> {
        if self.list.len() <= INDEX_THRESHOLD {
            return self.list.iter().position(|entry| entry.key.is_text(key));
        }
        self.index().find(key, |place| self.key_at(place))
    }

    pub(super) fn last_place(&self, key: &str) -> Option<usize> {
        let first = self.place(key)?;
        let is_unique = self.index.get().is_some_and(|index| index.len() == self.list.len());
        let again = || self.list.iter().rposition(|entry| entry.key.is_text(key));
        if is_unique { Some(first) } else { again() }
    }

    /// The entries, in order to write to their values. Their keys must not change, because the
    /// index is kept.
    pub(super) fn values_mut(&mut self) -> &mut [MappingEntry] {
        &mut self.list
    }

    pub(super) fn append_entry(&mut self, entry: MappingEntry) {
        let Self { list, index } = self;
        push_entry(list, entry);
        if let Some(index) = index.get_mut() {
            index.add(list.len() - 1, |place| list.get(place)?.key.text());
        }
    }

    pub(super) fn remove_entry(&mut self, place: usize) -> MappingEntry {
        let length = self.list.len();
        match self.index.get_mut() {
            Some(index) if index.len() == length => index.remove(place),
            // Another entry may have the same key, so that the index has to be made again.
            _ => drop(self.index.take()),
        }
        self.list.remove(place)
    }
}

impl Deref for Entries {
    type Target = Vec<MappingEntry>;

    fn deref(&self) -> &Vec<MappingEntry> {
        &self.list
    }
}

impl DerefMut for Entries {
    fn deref_mut(&mut self) -> &mut Vec<MappingEntry> {
        self.index.take();
        &mut self.list
    }
}

impl PartialEq for Entries {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

impl Eq for Entries {}

impl Hash for Entries {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.list.hash(state);
    }
}

impl From<Vec<MappingEntry>> for Entries {
    fn from(list: Vec<MappingEntry>) -> Self {
        Self { list, index: OnceLock::new() }
    }
}

impl FromIterator<MappingEntry> for Entries {
    fn from_iter<I: IntoIterator<Item = MappingEntry>>(entries: I) -> Self {
        Vec::from_iter(entries).into()
    }
}

impl IntoIterator for Entries {
    type Item = MappingEntry;
    type IntoIter = std::vec::IntoIter<MappingEntry>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'a> IntoIterator for &'a Entries {
    type Item = &'a MappingEntry;
    type IntoIter = std::slice::Iter<'a, MappingEntry>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

impl<'a> IntoIterator for &'a mut Entries {
    type Item = &'a mut MappingEntry;
    type IntoIter = std::slice::IterMut<'a, MappingEntry>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}
