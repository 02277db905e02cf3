//! The text of one entry.

use super::lines::{indent, outdent};
use super::shape;

/// The text of an entry without its dash and indentation, and its value if it is a scalar. The
/// first line starts with the dash.
pub(super) fn entry_text(lines: &[&str]) -> (String, Option<String>) {
    let first = lines.first().copied().unwrap_or("");
    let behind = first.strip_prefix('-').unwrap_or(first);
    let width = 1 + indent(behind);
    let mut text = behind.trim_start_matches([' ', '\t']).to_owned();
    for line in lines.iter().skip(1) {
        text.push('\n');
        text.push_str(outdent(line, width));
    }
    if lines.len() == 1 && is_path(&text) {
        let scalar = Some(text.clone());
        return (text, scalar);
    }
    if is_pair(&text) {
        return (text, None);
    }
    let scalar = match shape::read_item(&lines.join("\n")) {
        Some(shape::ItemShape::Scalar { value, .. }) => Some(value),
        _ => None,
    };
    (text, scalar)
}

/// True for a plain path, which needs no parser. Most entries are.
fn is_path(text: &str) -> bool {
    let in_path =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'_' | b'-');
    text.as_bytes()
        .first()
        .is_some_and(|first| first.is_ascii_alphabetic() || text.starts_with("../"))
        && text.bytes().all(in_path)
}

/// True for an entry that begins with a plain key: if valid, it is a mapping.
fn is_pair(text: &str) -> bool {
    let in_key = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let key = text.bytes().take_while(in_key).count();
    key > 0
        && text.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric)
        && text.as_bytes().get(key) == Some(&b':')
        && matches!(text.as_bytes().get(key + 1), None | Some(b' ' | b'\n'))
}
