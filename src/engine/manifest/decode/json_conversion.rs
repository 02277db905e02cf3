//! The form of a tree that Go reads after a conversion to JSON.

use std::sync::Arc;

use crate::yaml::{Mapping, MappingEntry, Node, Style, Tag, Value, json_number};

use super::json_kind::{Json, json};

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
