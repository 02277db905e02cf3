//! Wide mappings that are asked for one key after the other.

use indexmap::map::Entry as Place;

use crate::yaml::{Entry, Node};

use super::QuickMap;

/// A narrower mapping is read along each time.
const WIDE: usize = 16;

/// Where the keys of mappings stand: of each that is asked a second time. It borrows the trees, so that none of them changes
/// meanwhile.
#[derive(Debug, Default)]
pub struct KnownKeys<'n>(QuickMap<*const Entry, Option<Keys<'n>>>);

/// The value of the first entry with each key.
type Keys<'n> = QuickMap<&'n str, &'n Node>;

impl<'n> KnownKeys<'n> {
    /// The value of the first entry of a mapping with this key, as [`Node::get`].
    pub fn get(&mut self, mapping: &'n Node, key: &str) -> Option<&'n Node> {
        let entries = mapping.entries();
        if entries.len() <= WIDE {
            return mapping.get(key);
        }
        match self.0.entry(entries.as_ptr()) {
            Place::Vacant(first) => {
                first.insert(None);
                mapping.get(key)
            }
            Place::Occupied(mut again) => {
                let keys = again.get_mut().get_or_insert_with(|| keys_of(entries));
                keys.get(key).copied()
            }
        }
    }
}

fn keys_of(entries: &[Entry]) -> Keys<'_> {
    let mut keys = Keys::default();
    for Entry { key, value } in entries {
        if let Some(key) = key.text() {
            keys.entry(key).or_insert(value);
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_what_reading_along_finds() {
        let mut node = Node::mapping();
        for number in 0..3 * WIDE {
            let key = Node::plain(format!("k{}", number % (2 * WIDE)));
            let entry = Entry { key, value: Node::plain(number.to_string()) };
            node.as_mapping_mut().unwrap().push(entry);
        }
        let mut known = KnownKeys::default();
        for number in (0..3 * WIDE).rev() {
            let key = format!("k{number}");
            assert_eq!(known.get(&node, &key), node.get(&key), "{key}");
        }
    }
}
