//! Ordered mappings: small, and looked up by reading along.

use super::{Entry, Mapping, Node};

impl Mapping {
    /// The value of the first entry with this key text.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries.iter().find(|entry| entry.key.is_text(key)).map(|entry| &entry.value)
    }

    /// Which entry is the first with this key text.
    pub fn place(&self, key: &str) -> Option<usize> {
        self.entries.iter().position(|entry| entry.key.is_text(key))
    }

    /// The value of the first entry with this key text, to write to.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        self.entries.iter_mut().find(|entry| entry.key.is_text(key)).map(|entry| &mut entry.value)
    }

    /// Replaces the value of the first entry with this key, or appends an entry with a plain, untagged key.
    pub fn set(&mut self, key: &str, value: Node) {
        if let Some(slot) = self.get_mut(key) {
            *slot = value;
        } else {
            let key = Node::plain(key).marked(value.mark);
            self.push(Entry { key, value });
        }
    }

    /// Appends an entry. The mapping gets little room for more: a trace keeps very many of them.
    pub fn push(&mut self, entry: Entry) {
        push_entry(&mut self.entries, entry);
    }

    /// Removes the first entry with this key.
    pub fn remove(&mut self, key: &str) -> Option<Node> {
        let index = self.place(key)?;
        Some(self.entries.remove(index).value)
    }

    /// True when there is an entry with this key.
    pub fn contains(&self, key: &str) -> bool {
        self.get(key).is_some()
    }
}

/// As [`Mapping::push`], on entries that are no mapping yet.
pub fn push_entry(entries: &mut Vec<Entry>, entry: Entry) {
    if entries.len() == entries.capacity() {
        entries.reserve_exact(1 + entries.len() / 8);
    }
    entries.push(entry);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_that_grows_gets_little_room_for_more() {
        let entry = || Entry { key: Node::plain("k"), value: Node::plain("v") };
        for length in [1, 8, 200] {
            let mut mapping = Mapping { entries: vec![entry(); length], ..Mapping::default() };
            mapping.push(entry());
            let room = mapping.entries.capacity();
            assert!(room <= length + 1 + length / 8, "{room} for {length}");
        }
    }
}
