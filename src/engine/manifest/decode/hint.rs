//! What to write instead: the nearest field name, a quoted value, a list.

use crate::load::slips;
use crate::yaml::Node;

use super::json_kind::json_name;

/// `did you mean …`, when a name is near enough.
pub(super) fn nearest(field: &str, names: &[&str]) -> Option<String> {
    let wanted: String = field.chars().take(64).collect();
    let near = |name: &&&str| {
        let distance = slips(&wanted, name);
        (distance <= (wanted.chars().count() / 3).clamp(1, 3)).then_some(distance)
    };
    let best = names.iter().filter_map(|name| Some((near(&name)?, name))).min_by_key(|best| best.0);
    best.map(|(_, name)| format!("did you mean `{name}`?"))
}

/// How to write a value so that it has the type.
pub(super) fn for_type(node: &Node, go_type: &str) -> Option<String> {
    let text = node.text().unwrap_or_default();
    match (json_name(node), go_type) {
        ("bool", "string") if !matches!(text, "true" | "false") => Some(format!(
            "`{text}` is a boolean in YAML 1.1, which kustomization files are read as: write \"{text}\""
        )),
        ("number" | "bool", "string") => Some(format!("quote it: \"{text}\"")),
        ("string", "int" | "int64" | "bool") => Some("write it without quotes".to_owned()),
        ("string", list) if list.starts_with("[]string") => {
            Some(format!("write a list: `- {}`", text.lines().next().unwrap_or_default()))
        }
        ("string", "types.Patch") if !text.contains('\n') => {
            Some(format!("write `- path: {text}`"))
        }
        ("object", list) if list.starts_with("[]") => {
            Some("write a list: put `- ` before the first line".to_owned())
        }
        _ => None,
    }
}
