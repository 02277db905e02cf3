//! A cache for the parts of a schema that are used repeatedly: its fields, and its allowed values.

use crate::resource::{KnownKeys, QuickMap, QuickSet};
use crate::yaml::{Node, print_v3, to_json};

/// The parts of a schema and of the checked object that were used so far. It borrows both, so that
/// neither changes meanwhile.
#[derive(Debug, Default)]
pub(super) struct KnownParts<'n> {
    pub(super) fields: KnownKeys<'n>,
    values: QuickMap<*const Node, QuickSet<String>>,
}

impl KnownParts<'_> {
    /// Whether a list in the schema has a value.
    pub(super) fn has(&mut self, list: &[Node], value: &Node) -> bool {
        let values = self.values.entry(list.as_ptr());
        let values = values.or_insert_with(|| list.iter().map(data).collect());
        values.contains(&data(value))
    }
}

/// The first element that equals an earlier one.
pub(super) fn first_again(items: &[Node]) -> Option<usize> {
    let mut seen = QuickSet::default();
    items.iter().position(|item| !seen.insert(data(item)))
}

/// The same text for equal data: Go compares values read from JSON, regardless of quotes and of the
/// order of keys.
fn data(node: &Node) -> String {
    to_json(node).unwrap_or_else(|_| print_v3(node))
}
