//! Prints nodes on one line.

use super::print_preserving_style;
use crate::yaml::Node;

/// Prints a node without comments and without a line end, collections in brackets and braces.
pub fn print_flow(node: &Node) -> String {
    let mut node = node.clone();
    node.for_each_mut(&mut |node| node.comments = None);
    node.set_flow_style();
    let mut text = print_preserving_style(&node);
    text.truncate(text.trim_end().len());
    text
}
