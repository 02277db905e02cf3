//! Values without irrelevant differences: the order of keys, quotes, comments.

use crate::engine::yaml::{MappingEntry, Node, Style, Tag, print_flow};

/// True if both nodes contain the same data, with keys in any order.
pub(super) fn is_same(before: &Node, after: &Node) -> bool {
    before.same_value(after) || canonical_text(before) == canonical_text(after)
}

/// The data of a node as one line of text. Equal data, with keys in any order, has equal text.
pub(super) fn canonical_text(node: &Node) -> String {
    if let Some(items) = node.items() {
        let items: Vec<String> = items.iter().map(canonical_text).collect();
        return format!("[{}]", items.join(","));
    }
    if node.as_mapping().is_some() {
        let entry = |entry: &MappingEntry| {
            format!("{}:{}", canonical_text(&entry.key), canonical_text(&entry.value))
        };
        let mut entries: Vec<String> = node.entries().iter().map(entry).collect();
        entries.sort_unstable();
        return format!("{{{}}}", entries.join(","));
    }
    // The printed form distinguishes the number `1` from the text `"1"`.
    print_flow(&scalar_without_layout(node))
}

/// A copy of a scalar without comments. A text is always quoted, so that its quotes in the file
/// make no difference.
fn scalar_without_layout(node: &Node) -> Node {
    let mut node = node.clone();
    node.comments = None;
    if let Some(scalar) = node.as_scalar_mut() {
        let quoted = scalar.style != Style::Plain;
        let is_text = scalar.tag == Tag::Str || scalar.tag == Tag::None && quoted;
        if is_text {
            scalar.set_tag(Tag::Str);
            scalar.style = Style::DoubleQuoted;
        }
    }
    node
}
