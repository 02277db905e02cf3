//! The JSON type of a node.

use crate::yaml::{Node, ScalarType, Style, Tag, Value, resolve_v1_1, resolve_v3};

/// The JSON type of a scalar.
pub(super) enum Json {
    Null,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text,
}

pub(super) fn json(node: &Node) -> Option<Json> {
    let scalar = node.as_scalar()?;
    if scalar.is_null() {
        return Some(Json::Null);
    }
    let resolved = || match resolve_v1_1(&scalar.text) {
        // Resources may also contain numbers that only YAML 1.2 defines.
        ScalarType::Str => resolve_v3(&scalar.text),
        other => other,
    };
    let resolved = match scalar.tag {
        Tag::Int | Tag::Float | Tag::Bool => resolved(),
        Tag::None if scalar.style == Style::Plain => resolve_v1_1(&scalar.text),
        _ => ScalarType::Str,
    };
    Some(match resolved {
        ScalarType::Null => Json::Null,
        ScalarType::Bool(value) => Json::Bool(value),
        ScalarType::Int(value) => Json::Int(value),
        ScalarType::Float(value) => Json::Float(value),
        _ => Json::Text,
    })
}

/// A node's type in Go's JSON errors.
pub fn json_name(node: &Node) -> &'static str {
    match &node.value {
        Value::Mapping(_) => "object",
        Value::Sequence(..) => "array",
        Value::Scalar(_) => match json(node) {
            Some(Json::Bool(_)) => "bool",
            Some(Json::Int(_) | Json::Float(_)) => "number",
            _ => "string",
        },
    }
}
