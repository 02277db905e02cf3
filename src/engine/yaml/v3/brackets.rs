//! Prints nodes on one line.

use std::sync::Arc;

use super::print_preserving_style;
use crate::yaml::{MappingEntry, Node, Style, Value};

/// Prints a node without comments and without a line end, collections in brackets and braces.
pub fn print_flow(node: &Node) -> String {
    let mut text = print_preserving_style(&in_brackets(node.clone()));
    text.truncate(text.trim_end().len());
    text
}

fn in_brackets(mut node: Node) -> Node {
    node.comments = None;
    if let Value::Sequence(items, style) = &mut node.value {
        *style = Style::Flow;
        for item in Arc::make_mut(items) {
            *item = in_brackets(item.clone());
        }
    } else if let Some(mapping) = node.as_mapping_mut() {
        mapping.style = Style::Flow;
        for MappingEntry { key, value } in &mut mapping.entries {
            key.comments = None;
            *value = in_brackets(value.clone());
        }
    }
    node
}
