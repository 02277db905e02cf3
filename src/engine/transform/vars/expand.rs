//! Expands `$(NAME)` and `$$` in a text.

use indexmap::IndexMap;

use crate::yaml::{Node, Tag, go_float_text};

/// The text of a var's value, and the tag of a field that consists of the var alone; `None` for a
/// mapping or a sequence, which cannot be pasted.
pub(super) type VarValue = Option<(String, Tag)>;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expansion {
    pub(super) text: String,
    pub(super) tag: Tag,
    pub(super) used: Vec<String>,
    /// The vars whose value cannot be part of a text.
    pub(super) refused: Vec<String>,
}

pub(super) fn value_of(node: &Node) -> VarValue {
    let scalar = node.as_scalar()?;
    let tag = match scalar.tag {
        Tag::Int | Tag::Float | Tag::Bool => scalar.tag.clone(),
        _ => Tag::Str,
    };
    // Kustomize pastes decoded values.
    let text = &*scalar.text;
    let text = match tag {
        Tag::Int => text.parse::<i64>().map_or_else(|_| text.to_owned(), |it| it.to_string()),
        Tag::Float => text.parse().map_or_else(|_| text.to_owned(), go_float_text),
        Tag::Bool => text.to_lowercase(),
        _ => text.to_owned(),
    };
    Some((text, tag))
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
            continue;
        };
        rest = after;
        let value = values.get(name);
        if let Some(Some((value, tag))) = value {
            out.text.push_str(value);
            out.used.push(name.to_owned());
            if text.len() == name.len() + "$()".len() {
                out.tag = tag.clone();
            }
        } else {
            out.text.push_str(&format!("$({name})"));
            out.refused.extend(value.map(|_| name.to_owned()));
        }
    }
    out.text.push_str(rest);
    out
}
