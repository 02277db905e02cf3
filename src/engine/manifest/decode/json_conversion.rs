//! The form of a tree that Go reads after a conversion to JSON.

use std::sync::Arc;

use indexmap::map::Entry as Slot;
use indexmap::{IndexMap, IndexSet};

use crate::yaml::{
    Mapping, MappingEntry, Mark, Node, Style, Tag, Value, is_refused_in_json, json_number,
};

use super::go_json::{Json, json};
use super::go_json::{known, sorted};

/// A number that JSON cannot represent; Go reports it before any type error.
pub(super) fn unsupported_number(node: &Node) -> Option<(&'static str, Mark)> {
    match (&node.value, json(node)) {
        (Value::Scalar(_), Some(Json::Float(value))) if value.is_nan() => Some(("NaN", node.mark)),
        (Value::Scalar(_), Some(Json::Float(value))) if value.is_infinite() => {
            Some((if value > 0.0 { "+Inf" } else { "-Inf" }, node.mark))
        }
        (Value::Scalar(_), _) => None,
        (Value::Sequence(items, _), _) => items.iter().find_map(unsupported_number),
        (Value::Mapping(_), _) => {
            sorted(node).iter().find_map(|entry| unsupported_number(&entry.value))
        }
    }
}

/// The location of the first text with a character that JSON leaves unescaped and go-yaml refuses.
pub(super) fn control_character(node: &Node) -> Option<Mark> {
    let is_refused =
        |node: &Node| node.text().is_some_and(|text| text.contains(is_refused_in_json));
    match &node.value {
        Value::Scalar(_) => is_refused(node).then_some(node.mark),
        Value::Sequence(items, _) => items.iter().find_map(control_character),
        Value::Mapping(mapping) => mapping.entries.iter().find_map(|entry| {
            control_character(&entry.key).or_else(|| control_character(&entry.value))
        }),
    }
}

/// True if a field is set under several spellings of its key.
pub(super) fn has_repeated_spelling(root: &Node, names: &'static [&'static str]) -> bool {
    let mut spelled = root.entries().iter().filter_map(|entry| known(entry.key.text()?, names));
    let mut seen = IndexSet::new();
    !spelled.all(|name| seen.insert(name))
}

/// Merges the values of fields that are set by several spellings of their key. Go reads these
/// values one after the other into the same field: maps and structs are merged, and lists element
/// by element.
pub(super) fn merge_spellings(root: Node, names: &'static [&'static str]) -> Node {
    if !has_repeated_spelling(&root, names) {
        return root;
    }
    let mut fields: IndexMap<&str, MappingEntry> = IndexMap::new();
    for entry in sorted(&root) {
        let key = entry.key.text().unwrap_or_default();
        match fields.entry(known(key, names).unwrap_or(key)) {
            Slot::Vacant(slot) => drop(slot.insert(entry.clone())),
            Slot::Occupied(mut slot) => {
                let value = join(&slot.get().value, &entry.value);
                *slot.get_mut() = MappingEntry { key: entry.key.clone(), value };
            }
        }
    }
    let entries = fields.into_values().collect();
    Node { value: Value::Mapping(Arc::new(Mapping { entries, ..Mapping::default() })), ..root }
}

/// Merges a new value over an earlier one. Fields and elements that are absent from the new value
/// are kept, and a null leaves a text unchanged.
fn join(old: &Node, new: &Node) -> Node {
    let value = match (&old.value, &new.value) {
        (Value::Scalar(_), Value::Scalar(_)) if new.is_null() => return old.clone(),
        (Value::Mapping(old), Value::Mapping(new)) => {
            let mut entries: IndexMap<Option<&str>, MappingEntry> = IndexMap::new();
            for entry in old.entries.iter().chain(&new.entries) {
                match entries.entry(entry.key.text()) {
                    Slot::Vacant(slot) => drop(slot.insert(entry.clone())),
                    Slot::Occupied(mut slot) => {
                        slot.get_mut().value = join(&slot.get().value, &entry.value);
                    }
                }
            }
            let entries = entries.into_values().collect();
            Value::Mapping(Arc::new(Mapping { entries, ..Mapping::default() }))
        }
        (Value::Sequence(old, _), Value::Sequence(new, style)) => {
            let joined = |(at, new): (usize, &Node)| {
                old.get(at).map_or_else(|| new.clone(), |old| join(old, new))
            };
            Value::Sequence(Arc::new(new.iter().enumerate().map(joined).collect()), *style)
        }
        _ => return new.clone(),
    };
    Node { value, ..new.clone() }
}

/// The tree as Go reads it from JSON into untyped values: scalars are converted as JSON contains
/// them, and all numbers become doubles.
#[expect(clippy::cast_precision_loss, reason = "Go reads every number as a double")]
pub(super) fn through_json(node: &Node) -> Node {
    let value = match &node.value {
        Value::Scalar(scalar) => {
            let plain = |text: String, tag| Node::scalar(text, tag, Style::Plain).value;
            match json(node) {
                Some(Json::Null) => Node::null().value,
                Some(Json::Bool(value)) => plain(value.to_string(), Tag::Bool),
                Some(Json::Int(value)) => number(value as f64),
                Some(Json::Float(value)) => number(value),
                _ => Node::scalar(Arc::clone(&scalar.text), Tag::Str, Style::DoubleQuoted).value,
            }
        }
        Value::Sequence(items, style) => {
            Value::Sequence(Arc::new(items.iter().map(through_json).collect()), *style)
        }
        Value::Mapping(mapping) => {
            let entries = mapping.entries.iter().map(|entry| {
                let key = entry.key.text().unwrap_or_default();
                let key = Node::scalar(key, Tag::Str, Style::DoubleQuoted).marked(entry.key.mark);
                MappingEntry { key, value: through_json(&entry.value) }
            });
            Value::Mapping(Arc::new(Mapping { entries: entries.collect(), style: mapping.style }))
        }
    };
    Node { value, ..Node::null().marked(node.mark) }
}

fn number(value: f64) -> Value {
    let text = json_number(value);
    let tag = if text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()) {
        Tag::Int
    } else {
        Tag::Float
    };
    Node::scalar(text, tag, Style::Plain).value
}
