//! The JSON of go-yaml's own node tree, from which Kustomize hashes every kind but `ConfigMap` and `Secret`.

use std::fmt::Write as _;

use super::super::print::tag_name;
use super::super::{Node, Scalar, Style, Value};
use super::push_json_string;

const SEQUENCE: u8 = 2;
const MAPPING: u8 = 4;
const SCALAR: u8 = 8;

/// The node tree as Go marshals it: kinds and styles as numbers, with comments, lines and columns (section 4.11 of
/// the build reference). `lines_before`: how many lines of the file stand before the piece, whose first is 1.
pub fn node_tree_json(node: &Node, lines_before: u32) -> String {
    let mut out = String::new();
    push(node, true, Places { lines_before, are_all_read: true }, &mut out);
    out
}

/// [`node_tree_json`] of a tree in which not every node was read: one that a program made has no line, and such a
/// collection no tag.
pub fn made_node_tree_json(node: &Node) -> String {
    let mut out = String::new();
    push(node, true, Places { lines_before: 0, are_all_read: false }, &mut out);
    out
}

#[derive(Clone, Copy)]
struct Places {
    lines_before: u32,
    are_all_read: bool,
}

/// `is_root` of a block collection: what stands above and below it is about the document, which is not part of the
/// tree.
fn push(node: &Node, is_root: bool, places: Places, out: &mut String) {
    let place = (places.are_all_read || node.mark.line > 0).then_some(node.mark);
    let beside = node.comments.as_deref();
    let written = beside.map(|beside| &*beside.tag).filter(|tag| !tag.is_empty());
    let collection = |style: Style| style_bits(style) | u8::from(written.is_some());
    let unwritten = |tag: &'static str| if place.is_some() { tag } else { "" };
    let null = beside.map_or("", |beside| &beside.null);
    let (kind, style, tag, text) = match &node.value {
        Value::Scalar(scalar) => (SCALAR, scalar_style(scalar), tag_name(scalar), &*scalar.text),
        Value::Sequence(_, style) => {
            (SEQUENCE, collection(*style), written.unwrap_or(unwritten("!!seq")), null)
        }
        Value::Mapping(mapping) => {
            (MAPPING, collection(mapping.style), written.unwrap_or(unwritten("!!map")), null)
        }
    };
    // Writing to a `String` cannot fail.
    let _ = write!(out, "{{\"Kind\":{kind},\"Style\":{style},\"Tag\":");
    push_json_string(tag, out);
    out.push_str(",\"Value\":");
    push_json_string(text, out);
    out.push_str(",\"Anchor\":\"\",\"Alias\":null,\"Content\":");
    content(node, places, out);
    let around = beside.filter(|_| !is_root || style & style_bits(Style::Flow) != 0);
    for (name, comment) in [
        ("HeadComment", around.map_or("", |beside| &beside.head)),
        ("LineComment", beside.map_or("", |beside| &beside.line)),
        ("FootComment", around.map_or("", |beside| &beside.foot)),
    ] {
        let _ = write!(out, ",\"{name}\":");
        push_json_string(comment, out);
    }
    let (line, column) =
        place.map_or((0, 0), |mark| (mark.line.saturating_sub(places.lines_before), mark.column));
    let _ = write!(out, ",\"Line\":{line},\"Column\":{column}}}");
}

fn content(node: &Node, places: Places, out: &mut String) {
    let mut open = '[';
    let mut child = |node: &Node| {
        out.push(open);
        open = ',';
        push(node, false, places, out);
    };
    node.items().unwrap_or_default().iter().for_each(&mut child);
    for entry in node.entries() {
        child(&entry.key);
        child(&entry.value);
    }
    out.push_str(if open == '[' { "null" } else { "]" });
}

fn scalar_style(scalar: &Scalar) -> u8 {
    style_bits(scalar.style) | u8::from(scalar.tagged)
}

fn style_bits(style: Style) -> u8 {
    match style {
        Style::Plain => 0,
        Style::DoubleQuoted => 2,
        Style::SingleQuoted => 4,
        Style::Literal => 8,
        Style::Folded => 16,
        Style::Flow => 32,
    }
}
