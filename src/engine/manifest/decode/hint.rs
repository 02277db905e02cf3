//! Hints for a correct value: the nearest field name, a quoted value, a list.

use crate::diagnostic::{ErrorHint, Hint};
use crate::load::nearest_name;
use crate::yaml::Node;

use super::json_kind::json_name;

/// `did you mean …`, if a similar name exists.
pub(super) fn nearest(field: &str, names: &[&str]) -> Option<Box<Hint>> {
    nearest_name(field, names.iter().copied()).map(|name| ErrorHint::Field(name.to_owned()).into())
}

/// The spelling of a value that gives it the type.
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
        _ => return None,
    };
    Some(Box::new(hint))
}
