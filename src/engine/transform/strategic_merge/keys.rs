//! Keys of wide mappings.

use crate::resource::QuickMap;
use crate::yaml::Entry;

/// Where each key of a mapping stands first.
pub(super) struct Keys<'n> {
    entries: &'n [Entry],
    /// For more than can be read along each time: the merge of two wide mappings would take the product of both.
    places: Option<QuickMap<&'n str, usize>>,
    /// The entries whose keys stand before them, too, of a mapping that has places.
    again: Vec<usize>,
}

impl<'n> Keys<'n> {
    pub(super) fn of(entries: &'n [Entry]) -> Self {
        const FEW: usize = 16;
        let mut again = Vec::new();
        let places = (entries.len() > FEW).then(|| {
            let mut places = QuickMap::default();
            places.reserve(entries.len());
            for (index, entry) in entries.iter().enumerate() {
                if let Some(key) = entry.key.text()
                    && *places.entry(key).or_insert(index) < index
                {
                    again.push(index);
                }
            }
            places
        });
        Self { entries, places, again }
    }

    /// True for an entry whose key stands before it, too.
    pub(super) fn is_again(&self, index: usize) -> bool {
        if self.places.is_some() {
            return self.again.binary_search(&index).is_ok();
        }
        let (before, rest) = self.entries.split_at(index);
        let key = rest.first().and_then(|entry| entry.key.text()).unwrap_or_default();
        before.iter().any(|entry| entry.key.text() == Some(key))
    }

    /// The first entry with this key.
    pub(super) fn first(&self, key: &str) -> Option<usize> {
        match &self.places {
            Some(places) => places.get(key).copied(),
            None => self.entries.iter().position(|entry| entry.key.text() == Some(key)),
        }
    }
}
