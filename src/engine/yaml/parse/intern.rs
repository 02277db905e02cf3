//! Memory that is used again while texts are read: equal texts, and lists.

use std::hash::BuildHasher as _;
use std::sync::Arc;

use foldhash::fast::RandomState;

use crate::yaml::{MappingEntry, Mark, Node};

const MIN_SLOTS: usize = 64;
const MAX_SLOTS: usize = 2048;
const MAX_TEXT_BYTES: usize = 64;

/// Recently seen short texts, each in the slot of its hash: a cache of fixed size, independent of
/// the input.
pub struct TextCache {
    slots: Vec<Option<Arc<str>>>,
    empty: Arc<str>,
    hasher: RandomState,
    /// Lists that are filled while a document is read, and kept for the next one.
    pub(super) lists: OpenLists,
}

impl TextCache {
    /// A cache whose size suits a text of `bytes` bytes.
    pub fn for_text_size(bytes: usize) -> Self {
        let slots = (bytes / 16).next_power_of_two().clamp(MIN_SLOTS, MAX_SLOTS);
        Self {
            slots: vec![None; slots],
            empty: Arc::from(""),
            hasher: RandomState::default(),
            lists: OpenLists::default(),
        }
    }

    /// The text, shared with an earlier equal one if that is still cached.
    pub(super) fn share(&mut self, text: &str) -> Arc<str> {
        if text.is_empty() {
            return Arc::clone(&self.empty);
        }
        if text.len() > MAX_TEXT_BYTES {
            return Arc::from(text);
        }
        let hash = usize::try_from(self.hasher.hash_one(text) >> 32).unwrap_or(0);
        let place = hash & (self.slots.len() - 1);
        let slot = &mut self.slots[place];
        match slot {
            Some(known) if **known == *text => Arc::clone(known),
            _ => Arc::clone(slot.insert(Arc::from(text))),
        }
    }
}

#[derive(Default)]
pub(super) struct OpenLists {
    pub(super) open: Vec<OpenCollection>,
    /// The entries of all open mappings and the items of all open sequences, so that each list is
    /// allocated once and at its final size.
    pub(super) entries: Vec<MappingEntry>,
    pub(super) items: Vec<Node>,
    pub(super) block: String,
}

pub(super) struct OpenCollection {
    pub(super) is_sequence: bool,
    pub(super) column: usize,
    pub(super) mark: Mark,
    /// The index of its first entry or item.
    pub(super) first: usize,
    /// True if the last key has no value yet: its entry contains a null.
    pub(super) is_waiting: bool,
}
