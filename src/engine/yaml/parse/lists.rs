//! Buffers that are filled while a text is read, and reused for the next one.

use crate::yaml::{MappingEntry, Mark, Node};

#[derive(Default)]
pub(super) struct OpenLists {
    pub(super) open: Vec<OpenCollection>,
    /// The entries of all open mappings and the items of all open sequences, so that each list is
    /// allocated once and at its final size.
    pub(super) entries: Vec<MappingEntry>,
    pub(super) items: Vec<Node>,
    /// The lines of a literal block.
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
