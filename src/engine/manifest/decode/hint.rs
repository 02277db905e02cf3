//! Hints for a correct value: the nearest field name, a quoted value, a list.

use crate::diagnostic::{ErrorHint, Hint};
use crate::load::nearest_name;
use crate::yaml::Node;

use super::json_kind::json_name;

/// A hint with a similar field name; `None` if no name is similar.
pub(super) fn nearest(field: &str, names: &[&str]) -> Option<Box<Hint>> {
    let near = nearest_name(field, names.iter().copied());
    let near = near.map(|name| ErrorHint::Field(name.to_owned()));
    if near.is_none() && TYPE_FIELDS.contains(&field) {
        let hint = "remove `apiVersion` and `kind`: this object has a fixed type";
        return Some(Box::new(hint.into()));
    }
    let all = || {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        (!names.is_empty() && names.len() <= MAX_FIELDS_LISTED).then_some(ErrorHint::Fields(names))
    };
    Some(Box::new(near.or_else(all)?.into()))
}

/// The fields with the type of an object.
const TYPE_FIELDS: [&str; 2] = ["apiVersion", "kind"];

/// The number of fields up to which a help lists them all.
const MAX_FIELDS_LISTED: usize = 12;

/// A hint how to write a value so that it has the expected type.
pub(super) fn for_type(node: &Node, go_type: &str) -> Option<Box<Hint>> {
    let text = node.text().unwrap_or_default();
    let hint: Hint = match (json_name(node), go_type) {
        ("bool", "string") if !matches!(text, "true" | "false") => {
            ErrorHint::Boolean(text.to_owned()).into()
        }
        ("number" | "bool", "string") => ErrorHint::Quote(text.to_owned()).into(),
        ("string", "int" | "int64" | "bool") => "write it without quotes".into(),
        ("string", list) if list.starts_with("[]string") => {
            ErrorHint::List(text.lines().next().unwrap_or_default().to_owned()).into()
        }
        ("string", "types.Patch") if !text.contains('\n') => {
            ErrorHint::PathEntry(text.to_owned()).into()
        }
        ("object", list) if list.starts_with("[]") => {
            "write a list: put `- ` before the first line".into()
        }
        ("array" | "object", "string") => "write a single string".into(),
        _ => return None,
    };
    Some(Box::new(hint))
}
