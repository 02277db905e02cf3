//! Expands `$(NAME)` and `$$` in a text.

use indexmap::IndexMap;

use crate::yaml::{Node, Tag, Value, go_float_text};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum VarValue {
    Text(String),
    Int(i64),
    Float(f64),
    Bool(bool),
    /// A mapping or a sequence, which cannot be pasted.
    Collection,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expansion {
    pub(super) text: String,
    pub(super) tag: Tag,
    pub(super) used: Vec<String>,
    /// The vars whose value cannot be part of a text.
    pub(super) refused: Vec<String>,
}

impl VarValue {
    /// The value according to the node's tag; `None` if the text does not fit the tag.
    pub(super) fn from_node(node: &Node) -> Option<Self> {
        let Value::Scalar(scalar) = &node.value else { return Some(Self::Collection) };
        let text = &*scalar.text;
        Some(match scalar.tag {
            Tag::Int => Self::Int(text.parse().ok()?),
            Tag::Float => Self::Float(go_float(text)?),
            Tag::Bool => Self::Bool(go_bool(text)?),
            _ => Self::Text(text.to_owned()),
        })
    }

    /// The value as the complete text of a field; a float is written without an exponent.
    fn whole(&self) -> Option<(String, Tag)> {
        Some(match self {
            Self::Text(text) => (text.clone(), Tag::Str),
            Self::Int(number) => (number.to_string(), Tag::Int),
            Self::Float(number) => (number.to_string(), Tag::Float),
            Self::Bool(word) => (word.to_string(), Tag::Bool),
            Self::Collection => return None,
        })
    }

    /// The value as part of a longer text, as Go prints it: a float below 1e-4 or from 1e6 has an
    /// exponent.
    fn embedded_text(&self) -> Option<String> {
        match self {
            Self::Float(number) if number.is_finite() => Some(go_float_text(*number)),
            _ => self.whole().map(|(text, _)| text),
        }
    }
}

/// Parses a float as Go does: an underscore is allowed between two digits.
fn go_float(text: &str) -> Option<f64> {
    let is_digit = |at: Option<usize>| {
        at.and_then(|at| text.as_bytes().get(at)).is_some_and(u8::is_ascii_digit)
    };
    let mut places = text.match_indices('_').map(|(at, _)| at);
    let separates = places.all(|at| is_digit(at.checked_sub(1)) && is_digit(at.checked_add(1)));
    separates.then(|| text.replace('_', "").parse().ok())?
}

/// Parses a boolean in Go's spellings.
fn go_bool(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}

/// Replaces known names; other text is kept, but `$$` becomes `$`.
pub(super) fn expand(text: &str, values: &IndexMap<String, VarValue>) -> Expansion {
    let mut out = Expansion {
        text: String::with_capacity(text.len()),
        tag: Tag::Str,
        used: Vec::new(),
        refused: Vec::new(),
    };
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out.text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('$') {
            out.text.push('$');
            rest = after;
            continue;
        }
        let name = rest.strip_prefix('(').and_then(|inner| inner.split_once(')'));
        let Some((name, after)) = name else {
            out.text.push('$');
            if let Some(after) = rest.strip_prefix('(') {
                out.text.push('(');
                rest = after;
            }
            continue;
        };
        rest = after;
        let value = values.get(name);
        let is_whole = text.len() == name.len() + 3;
        match value.and_then(VarValue::embedded_text) {
            None => {
                out.text.push_str("$(");
                out.text.push_str(name);
                out.text.push(')');
                out.refused.extend(value.map(|_| name.to_owned()));
            }
            Some(pasted) => {
                out.used.push(name.to_owned());
                match value.and_then(VarValue::whole).filter(|_| is_whole) {
                    Some((whole, tag)) => (out.text, out.tag) = (whole, tag),
                    None => out.text.push_str(&pasted),
                }
            }
        }
    }
    out.text.push_str(rest);
    out
}
