//! Entries of a kustomization file that have a name, such as those of `images` and `replicas`.

use crate::engine::manifest::{Outline, OutlineError, ValueChange};
use crate::engine::yaml::{Node, parse_nodes, print_preserving_style};

/// The text with these values in the entry with this name; the entry is added if it is missing.
pub fn set_named_entry(
    text: &[u8],
    field: &str,
    name: &str,
    values: &[ValueChange],
) -> Result<Vec<u8>, OutlineError> {
    if let Some(index) = entry_number(text, field, |entry| entry.text_of("name") == Some(name)) {
        return Outline::set_values(text, field, index, values);
    }
    let given = values.iter().filter_map(|change| match (&*change.path, &change.value) {
        ([key], Some(value)) => Some((key.as_str(), value.clone())),
        _ => None,
    });
    let entry = mapping_of([("name", Node::string(name))].into_iter().chain(given));
    Outline::add_entry(text, field, print_preserving_style(&entry).trim_end())
}

pub fn mapping_of<'k>(entries: impl IntoIterator<Item = (&'k str, Node)>) -> Node {
    let mut node = Node::mapping();
    entries.into_iter().for_each(|(key, value)| node.set(key, value));
    node
}

pub fn entry_value(key: &str, value: Option<Node>) -> ValueChange {
    ValueChange { path: vec![key.to_owned()], value }
}

/// The index of the first entry that satisfies `is_it`, not counting entries that are commented
/// out.
pub fn entry_number(text: &[u8], field: &str, is_it: impl Fn(&Node) -> bool) -> Option<usize> {
    let read = parse_nodes(text).ok()?;
    read.first()?.get(field)?.items()?.iter().position(is_it)
}
