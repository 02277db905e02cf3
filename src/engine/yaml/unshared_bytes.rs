//! The memory of a tree that it does not share with its previous version.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{MappingEntry, Node, Value};

impl Node {
    /// The approximate size in bytes of the parts that this tree does not share with `other`;
    /// without `other`, of all its parts.
    pub fn unshared_bytes(&self, other: Option<&Self>) -> usize {
        let other = other.map(|other| &other.value);
        match &self.value {
            Value::Scalar(scalar) => match other {
                Some(Value::Scalar(other)) if Arc::ptr_eq(&scalar.text, &other.text) => 0,
                _ => scalar.text.len(),
            },
            Value::Sequence(items, _) => {
                let others = match other {
                    Some(Value::Sequence(others, _)) if Arc::ptr_eq(items, others) => return 0,
                    Some(Value::Sequence(others, _)) => others.as_slice(),
                    _ => &[],
                };
                let own = items.len() * size_of::<Self>();
                own.saturating_add(below(items.iter(), others.iter()))
            }
            Value::Mapping(mapping) => {
                let others = match other {
                    Some(Value::Mapping(others)) if Arc::ptr_eq(mapping, others) => return 0,
                    Some(Value::Mapping(others)) => others.entries.as_slice(),
                    _ => &[],
                };
                let own = mapping.entries.len() * size_of::<MappingEntry>();
                let values = |entries| <[MappingEntry]>::iter(entries).map(|entry| &entry.value);
                own.saturating_add(below(values(&mapping.entries), values(others)))
            }
        }
    }
}

/// The unshared size of the items or values of a collection. As many as before are compared index by
/// index; otherwise those that are not among `others`, at any index, are counted.
fn below<'n>(
    values: impl ExactSizeIterator<Item = &'n Node>,
    others: impl ExactSizeIterator<Item = &'n Node>,
) -> usize {
    if values.len() == others.len() {
        return values.zip(others).map(|(one, other)| one.unshared_bytes(Some(other))).sum();
    }
    let shared: BTreeSet<usize> = others.map(address).collect();
    let is_own = |value: &&Node| !shared.contains(&address(value));
    values.filter(is_own).map(|value| value.unshared_bytes(None)).sum()
}

/// The memory address of a node's text, items or entries.
fn address(node: &Node) -> usize {
    match &node.value {
        Value::Scalar(scalar) => Arc::as_ptr(&scalar.text).addr(),
        Value::Sequence(items, _) => Arc::as_ptr(items).addr(),
        Value::Mapping(mapping) => Arc::as_ptr(mapping).addr(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Limits, SourceId, parse_documents};
    use super::*;

    fn read(text: &str) -> Node {
        let file = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default());
        file.map_or_else(|error| panic!("{error}"), |file| file.documents[0].node.clone())
    }

    /// A copy with `change` applied to the entries of its field `wide`.
    fn changed(node: &Node, change: impl FnOnce(&mut Vec<MappingEntry>)) -> Node {
        let mut copy = node.clone();
        let below = copy.get_mut("wide").and_then(Node::as_mapping_mut);
        change(&mut below.unwrap_or_else(|| panic!("no mapping")).entries);
        copy
    }

    #[test]
    fn copy_counts_only_unshared_bytes() {
        let keys: String = (0..100).map(|i| format!("  k{i}: {{a: [b, c]}}\n")).collect();
        let node = read(&format!("one: [x, y]\nwide:\n{keys}"));
        assert_eq!(node.unshared_bytes(Some(&node.clone())), 0);
        let copied = 102 * size_of::<MappingEntry>();
        let of_text = changed(&node, |entries| entries[7].value = Node::plain("four"));
        assert_eq!(of_text.unshared_bytes(Some(&node)), copied + 4);
        let of_key = changed(&node, |entries| drop(entries.remove(0)));
        assert_eq!(of_key.unshared_bytes(Some(&node)), copied - size_of::<MappingEntry>());
        let whole = node.unshared_bytes(None);
        assert!(
            whole > copied + 100 * (size_of::<MappingEntry>() + 2 * size_of::<Node>()),
            "{whole}"
        );
    }
}
