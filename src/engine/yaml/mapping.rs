//! Ordered mappings.

use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

use super::tree::KeyIndex;
use super::{Entries, Mapping, MappingEntry, Node};

impl Mapping {
    /// The value of the first entry with this key text.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The first entry with this key text.
    pub fn entry(&self, key: &str) -> Option<&MappingEntry> {
        self.entries.get(self.place(key)?)
    }

    /// The index of the first entry with this key text.
    pub fn place(&self, key: &str) -> Option<usize> {
        self.entries.place(key)
    }

    /// The index of the last entry with this key text.
    pub fn last_place(&self, key: &str) -> Option<usize> {
        self.entries.last_place(key)
    }

    /// The value of the first entry with this key text, to write to.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        let place = self.place(key)?;
        self.value_mut(place)
    }

    /// The value of the entry with this index, to write to.
    pub fn value_mut(&mut self, place: usize) -> Option<&mut Node> {
        self.entries.values_mut().get_mut(place).map(|entry| &mut entry.value)
    }

    /// Replaces the value of the first entry with this key, or appends an entry with a plain,
    /// untagged key.
    pub fn set(&mut self, key: &str, value: Node) {
        if let Some(slot) = self.get_mut(key) {
            *slot = value;
        } else {
            let key = Node::plain(key).marked(value.mark);
            self.push(MappingEntry { key, value });
        }
    }

    /// Appends an entry.
    pub fn push(&mut self, entry: MappingEntry) {
        self.entries.append_entry(entry);
    }

    /// Removes the first entry with this key.
    pub fn remove(&mut self, key: &str) -> Option<Node> {
        let place = self.place(key)?;
        Some(self.entries.remove_entry(place).value)
    }

    /// True if an entry has this key.
    pub fn contains(&self, key: &str) -> bool {
        self.place(key).is_some()
    }
}

/// As [`Mapping::push`], for entries that are not in a mapping yet. A trace keeps very many mappings:
/// little spare capacity is reserved in each.
pub fn push_entry(entries: &mut Vec<MappingEntry>, entry: MappingEntry) {
    if entries.len() == entries.capacity() {
        entries.reserve_exact(1 + entries.len() / 8);
    }
    entries.push(entry);
}

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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entry(key: usize, value: usize) -> MappingEntry {
        MappingEntry { key: Node::plain(format!("k{key}")), value: Node::plain(value.to_string()) }
    }

    fn places(mapping: &Mapping, key: &str) -> [Option<usize>; 2] {
        let is_it = |entry: &MappingEntry| entry.key.text() == Some(key);
        [mapping.entries.iter().position(is_it), mapping.entries.iter().rposition(is_it)]
    }

    proptest! {
        /// Covers duplicate keys, mappings below and above the index threshold, and every kind of
        /// write.
        #[test]
        fn index_finds_the_first_and_the_last_entry_with_a_key(
            steps in prop::collection::vec((0..6_u8, 0..60_usize), 1..200),
            start in 0..80_usize,
        ) {
            let mut mapping = Mapping::default();
            mapping.entries.extend((0..start).map(|number| entry(number % 50, number)));
            for (value, (step, key)) in steps.into_iter().enumerate() {
                let text = format!("k{key}");
                match step {
                    0 => mapping.push(entry(key, value)),
                    1 => drop(mapping.remove(&text)),
                    2 => mapping.set(&text, Node::plain(value.to_string())),
                    3 => {
                        let place = key.min(mapping.entries.len());
                        mapping.entries.insert(place, entry(key, value));
                    }
                    4 => mapping = mapping.clone(),
                    _ => mapping.entries.reverse(),
                }
                for key in 0..60 {
                    let text = format!("k{key}");
                    let found = [mapping.place(&text), mapping.last_place(&text)];
                    prop_assert_eq!(found, places(&mapping, &text));
                }
            }
        }
    }

    #[test]
    fn a_copy_that_grows_gets_little_room_for_more() {
        for length in [1, 8, 200] {
            let mut mapping = Mapping::default();
            (0..length).for_each(|number| mapping.push(entry(number, number)));
            let mut copy = mapping.clone();
            copy.push(entry(length, 0));
            let room = copy.entries.capacity();
            assert!(room <= length + 1 + length / 8, "{room} for {length}");
        }
    }
}
