//! Keys of wide mappings.

use indexmap::IndexMap;

use crate::yaml::Entry;

/// Where each key of a mapping stands first.
pub(super) struct Keys<'n> {
    entries: &'n [Entry],
    /// For more than can be read along each time: the merge of two wide mappings would take the product of both.
    places: Option<IndexMap<&'n str, usize>>,
}

impl<'n> Keys<'n> {
    pub(super) fn of(entries: &'n [Entry]) -> Self {
        const FEW: usize = 16;
        let places = (entries.len() > FEW).then(|| {
            let mut places = IndexMap::with_capacity(entries.len());
            for (index, entry) in entries.iter().enumerate() {
                if let Some(key) = entry.key.text() {
                    places.entry(key).or_insert(index);
                }
            }
            places
        });
        Self { entries, places }
    }

    /// True for a key that stands before an entry, too.
    pub(super) fn is_before(&self, index: usize, key: &str) -> bool {
        self.first(key).is_some_and(|first| first < index)
    }

    /// The first entry with this key.
    pub(super) fn first(&self, key: &str) -> Option<usize> {
        match &self.places {
            Some(places) => places.get(key).copied(),
            None => self.entries.iter().position(|entry| entry.key.text() == Some(key)),
        }
    }
}
