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
    let scalar = match shape::read_item(&lines.join("\n")) {
        Some(shape::ItemShape::Scalar { value, .. }) => Some(value),
        _ => None,
    };
    (text, scalar)
}
