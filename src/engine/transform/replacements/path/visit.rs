//! Walking along a path to write: missing fields are created on the way, where allowed.

use std::sync::Arc;

use crate::yaml::{
    MappingEntry, Node, NodeKind, Style, Tag, Value, parse_embedded, print_preserving_style,
};

use crate::diagnostic::FieldFault;
use crate::manifest::ReplacementOptions;
use crate::profile::{Profile, Switch};

use super::{PathFailure, ReplacementSegment, Write, selected_field};

fn wrong_kind(expected: NodeKind, node: &Node) -> PathFailure {
    PathFailure::Path(FieldFault::wrong_kind(expected, node))
}

#[derive(Clone, Copy)]
pub(in super::super) struct PathRules {
    pub(in super::super) create: bool,
    /// The path continues in the data inside a text field. Kustomize parses that text and drops the
    /// result: values written into it are lost.
    pub(in super::super) enters_texts: bool,
}

impl PathRules {
    pub(in super::super) fn new(options: Option<&ReplacementOptions>, profile: Profile) -> Self {
        let create = options.is_some_and(|options| options.create);
        Self { create, enters_texts: !profile.has(Switch::NoStructuredData) }
    }
}

pub(super) fn visit(
    node: &mut Node,
    parts: &[ReplacementSegment],
    walk: PathRules,
    is_new: bool,
    write: &mut Write<'_>,
) -> Result<bool, PathFailure> {
    let Some((part, rest)) = parts.split_first() else {
        return write(node, is_new).map(|()| true).map_err(PathFailure::Set);
    };
    if node.is_alias() {
        return Err(wrong_kind(part.required_kind(), node));
    }
    if matches!(part, ReplacementSegment::Nothing) {
        return Err(PathFailure::Path(FieldFault::NoCondition));
    }
    if matches!(part, ReplacementSegment::Empty) {
        return visit_empty_segment(node, rest, walk, write);
    }
    if node.is_null() {
        if !walk.create {
            return Ok(false);
        }
        // Kustomize: fields created below a null are not printed; items are lost.
        let mut made = new_missing_node(parts);
        let found = visit(&mut made, parts, walk, true, write)?;
        node.append_hidden_entries(made.entries());
        return Ok(found);
    }
    let expected = part.required_kind();
    if node.kind() != expected {
        return Err(wrong_kind(expected, node));
    }
    match part {
        ReplacementSegment::Nothing | ReplacementSegment::Empty => Ok(false),
        ReplacementSegment::Key(key) => field(node, key, rest, walk, write),
        ReplacementSegment::Last => field(node, "-", rest, walk, write),
        ReplacementSegment::Every => elements(node, rest, walk, write, |_| true),
        ReplacementSegment::Index(index) => visit_element(node, *index, rest, walk, write),
        ReplacementSegment::Match { key, value, pattern } => {
            let pattern = pattern
                .as_ref()
                .map_err(|reason| PathFailure::Path(FieldFault::NoExpression(reason.clone())))?;
            let is_match =
                |field: &Node| pattern.is_match(print_preserving_style(field).trim_end());
            let fits = |item: &Node| selected_field(item, key).is_some_and(is_match);
            // Kustomize ignores the rest of a path after a condition on the element itself.
            let below = if key.is_empty() { &[] } else { rest };
            if elements(node, below, walk, write, fits)? {
                return Ok(true);
            }
            if !walk.create {
                return Ok(false);
            }
            let element = if key.is_empty() {
                Node::plain(value.as_str())
            } else {
                let mut element = Node::mapping();
                element.set(key, Node::plain(value.as_str()));
                element
            };
            append(node, element, below, walk, write, false)
        }
    }
}

/// An empty part selects the scalar itself, if its text is empty. Kustomize: with `create`, a
/// scalar with text is emptied, and the written value is lost.
fn visit_empty_segment(
    node: &mut Node,
    rest: &[ReplacementSegment],
    walk: PathRules,
    write: &mut Write<'_>,
) -> Result<bool, PathFailure> {
    let Some(scalar) = node.as_scalar() else {
        return Err(wrong_kind(NodeKind::Scalar, node));
    };
    if scalar.text.is_empty() && !node.is_null() {
        return visit(node, rest, walk, false, write);
    }
    if !walk.create {
        return Ok(false);
    }
    let mut made = new_missing_node(rest);
    let found = visit(&mut made, rest, walk, true, write)?;
    let style = scalar.style;
    node.value = match made.kind() {
        NodeKind::Scalar => Node::scalar("", Tag::None, style).value,
        NodeKind::Sequence => Value::Sequence(Arc::default(), Style::Plain),
        NodeKind::Mapping => Node::mapping().value,
    };
    Ok(found)
}

fn field(
    node: &mut Node,
    key: &str,
    rest: &[ReplacementSegment],
    walk: PathRules,
    write: &mut Write<'_>,
) -> Result<bool, PathFailure> {
    if let Some(value) = node.get_mut(key) {
        return match value.text() {
            Some(text) if walk.enters_texts && !rest.is_empty() => {
                visit(&mut read(text, rest)?, rest, walk, false, write)
            }
            _ => visit(value, rest, walk, false, write),
        };
    }
    if !walk.create {
        return Ok(false);
    }
    let mut value = new_missing_node(rest);
    let found = visit(&mut value, rest, walk, true, write)?;
    let key = Node::plain(key).marked(value.mark);
    if let Some(mapping) = node.as_mapping_mut() {
        mapping.push(MappingEntry { key, value });
    }
    Ok(found)
}

/// Parses a text into the data in which the path continues.
fn read(text: &str, rest: &[ReplacementSegment]) -> Result<Node, PathFailure> {
    let read = parse_embedded(text).map_err(FieldFault::UnreadableText);
    let nothing = || {
        let expected = rest.first().map_or(NodeKind::Mapping, ReplacementSegment::required_kind);
        FieldFault::EmptyText { expected }
    };
    read.and_then(|node| node.ok_or_else(nothing)).map_err(PathFailure::Path)
}

/// Follows the rest of the path in the element with this index; returns true if a value was
/// written.
fn visit_element(
    node: &mut Node,
    index: usize,
    rest: &[ReplacementSegment],
    walk: PathRules,
    write: &mut Write<'_>,
) -> Result<bool, PathFailure> {
    let length = node.items().map_or(0, <[Node]>::len);
    if index < length {
        let item = node.items_mut().and_then(|items| items.get_mut(index));
        return item.map_or(Ok(false), |item| visit(item, rest, walk, false, write));
    }
    if walk.create && index == length {
        return append(node, new_missing_node(rest), rest, walk, write, true);
    }
    Err(PathFailure::Path(FieldFault::IndexOutOfRange { index, length }))
}

fn append(
    node: &mut Node,
    mut element: Node,
    rest: &[ReplacementSegment],
    walk: PathRules,
    write: &mut Write<'_>,
    is_new: bool,
) -> Result<bool, PathFailure> {
    let found = visit(&mut element, rest, walk, is_new, write)?;
    if let Some(items) = node.items_mut() {
        items.push(element);
    }
    Ok(found)
}

fn elements(
    node: &mut Node,
    rest: &[ReplacementSegment],
    walk: PathRules,
    write: &mut Write<'_>,
    fits: impl Fn(&Node) -> bool,
) -> Result<bool, PathFailure> {
    let fitting = |(index, item): (usize, &Node)| fits(item).then_some(index);
    let items = node.items().unwrap_or_default().iter();
    let wanted: Vec<usize> = items.enumerate().filter_map(fitting).collect();
    let mut found = false;
    for index in wanted {
        if let Some(item) = node.items_mut().and_then(|items| items.get_mut(index)) {
            found |= visit(item, rest, walk, false, write)?;
        }
    }
    Ok(found)
}

/// The node created for a missing field, so that the rest of the path can be followed.
fn new_missing_node(rest: &[ReplacementSegment]) -> Node {
    match rest.first() {
        Some(ReplacementSegment::Key(_) | ReplacementSegment::Last | ReplacementSegment::Every) => {
            Node::mapping()
        }
        Some(_) => Node::sequence(Vec::new()),
        None => Node::default(),
    }
}
