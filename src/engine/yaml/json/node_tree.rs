//! The JSON of go-yaml's own node tree, from which Kustomize hashes every kind but `ConfigMap` and `Secret`.

use std::fmt::Write as _;

use super::super::print::tag_name;
use super::super::{Mark, Node, Scalar, Style, Value};
use super::push_json_string;

const SEQUENCE: u8 = 2;
const MAPPING: u8 = 4;
const SCALAR: u8 = 8;

/// The node tree as Go marshals it: kinds and styles as numbers, with comments, lines and columns (section 4.11 of
/// the build reference). `lines_before`: how many lines of the file stand before the piece, whose first is 1.
pub fn node_tree_json(node: &Node, lines_before: u32) -> String {
    made_node_tree_json(node, lines_before, &|node| Some(node.mark))
}

/// [`node_tree_json`] of a tree in which not every node was read: `place_of` says where one stands, and of one that a
/// program made nothing. Such a node has no place, and a collection no tag.
pub fn made_node_tree_json(
    node: &Node,
    lines_before: u32,
    place_of: &dyn Fn(&Node) -> Option<Mark>,
) -> String {
    let mut out = String::new();
    push(node, true, &Places { lines_before, place_of }, &mut out);
    out
}

struct Places<'a> {
    lines_before: u32,
    place_of: &'a dyn Fn(&Node) -> Option<Mark>,
}

/// `is_root` of a block collection: what stands above and below it is about the document, which is not part of the
/// tree.
fn push(node: &Node, is_root: bool, places: &Places<'_>, out: &mut String) {
    let place = (places.place_of)(node);
    let beside = node.comments.as_deref();
    let written = beside.map(|beside| &*beside.tag).filter(|tag| !tag.is_empty());
    let collection = |style: Style| style_bits(style) | u8::from(written.is_some());
    let unwritten = |tag: &'static str| if place.is_some() { tag } else { "" };
    let (kind, style, tag, text) = match &node.value {
        Value::Scalar(scalar) => (SCALAR, scalar_style(scalar), tag_name(scalar), &*scalar.text),
        Value::Sequence(_, style) => {
            (SEQUENCE, collection(*style), written.unwrap_or(unwritten("!!seq")), "")
        }
        Value::Mapping(mapping) => {
            (MAPPING, collection(mapping.style), written.unwrap_or(unwritten("!!map")), "")
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

fn content(node: &Node, places: &Places<'_>, out: &mut String) {
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
