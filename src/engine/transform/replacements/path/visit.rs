//! Walking along a path to write: missing fields are created on the way, where allowed.

use std::sync::Arc;

use crate::yaml::{Entry, Limits, Node, NodeKind, Style, Tag, Value, parse_embedded, print_v3};

use crate::diagnostic::FieldFault;
use crate::manifest::ReplacementOptions;
use crate::profile::{Profile, Switch};

use super::{Failure, Part, Write, own_field};

fn wrong_kind(expected: NodeKind, node: &Node) -> Failure {
    Failure::Path(FieldFault::wrong_kind(expected, node))
}

/// The rules for following a path.
#[derive(Clone, Copy)]
pub(in super::super) struct Walk {
    /// Missing fields are created on the way.
    pub(in super::super) create: bool,
    /// The path continues in the data inside a text field. Kustomize parses that text and drops the
    /// result: values written into it are lost.
    pub(in super::super) enters_texts: bool,
}

impl Walk {
    /// The rules for the options of a target and the version profile.
    pub(in super::super) fn of(options: Option<&ReplacementOptions>, profile: Profile) -> Self {
        let create = options.is_some_and(|options| options.create);
        Self { create, enters_texts: !profile.has(Switch::NoStructuredData) }
    }
}

pub(super) fn visit(
    node: &mut Node,
    parts: &[Part],
    walk: Walk,
    is_new: bool,
    write: &mut Write<'_>,
) -> Result<bool, Failure> {
    let Some((part, rest)) = parts.split_first() else {
        return write(node, is_new).map(|()| true).map_err(Failure::Set);
    };
    if node.is_alias() {
        return Err(wrong_kind(part.goes_through(), node));
    }
    if matches!(part, Part::Nothing) {
        return Err(Failure::Path(FieldFault::NoCondition));
    }
    if matches!(part, Part::Empty) {
        return itself(node, rest, walk, write);
    }
    if node.is_null() {
        if !walk.create {
            return Ok(false);
        }
        // Kustomize: fields created below a null are not printed; items are lost.
        let mut made = fresh(parts);
        let found = visit(&mut made, parts, walk, true, write)?;
        node.put_below_null(made.entries());
        return Ok(found);
    }
    let expected = part.goes_through();
    if node.kind() != expected {
        return Err(wrong_kind(expected, node));
    }
    match part {
        Part::Nothing | Part::Empty => Ok(false),
        Part::Key(key) => field(node, key, rest, walk, write),
        Part::Last => field(node, "-", rest, walk, write),
        Part::Every => elements(node, rest, walk, write, |_| true),
        Part::Index(index) => element(node, *index, rest, walk, write),
        Part::Match { key, value, pattern } => {
            let pattern = pattern
                .as_ref()
                .map_err(|reason| Failure::Path(FieldFault::NoExpression(reason.clone())))?;
            let fits = |item: &Node| {
                let field = if key.is_empty() { Some(item) } else { own_field(item, key) };
                field.is_some_and(|field| pattern.is_match(print_v3(field).trim_end()))
            };
            // Kustomize: the rest of a path after a condition on the element itself does not count.
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
                if let Some(mapping) = element.as_mapping_mut() {
                    mapping.set(key, Node::plain(value.as_str()));
                }
                element
            };
            append(node, element, below, walk, write, false)
        }
    }
}

/// An empty name means the scalar itself, if that is empty too. Kustomize: another one is emptied
/// if it may be created, and the written value is lost.
fn itself(
    node: &mut Node,
    rest: &[Part],
    walk: Walk,
    write: &mut Write<'_>,
) -> Result<bool, Failure> {
    let Some(scalar) = node.as_scalar() else {
        return Err(wrong_kind(NodeKind::Scalar, node));
    };
    if scalar.text.is_empty() && !node.is_null() {
        return visit(node, rest, walk, false, write);
    }
    if !walk.create {
        return Ok(false);
    }
    let mut made = fresh(rest);
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
    rest: &[Part],
    walk: Walk,
    write: &mut Write<'_>,
) -> Result<bool, Failure> {
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
    let mut value = fresh(rest);
    let found = visit(&mut value, rest, walk, true, write)?;
    let key = Node::plain(key).marked(value.mark);
    if let Some(mapping) = node.as_mapping_mut() {
        mapping.push(Entry { key, value });
    }
    Ok(found)
}

/// The data inside a text through which the path continues.
fn read(text: &str, rest: &[Part]) -> Result<Node, Failure> {
    let read = parse_embedded(text, Limits::default()).map_err(FieldFault::UnreadableText);
    let nothing = || {
        let expected = rest.first().map_or(NodeKind::Mapping, Part::goes_through);
        FieldFault::NothingInText { expected }
    };
    read.and_then(|node| node.ok_or_else(nothing)).map_err(Failure::Path)
}

fn element(
    node: &mut Node,
    index: usize,
    rest: &[Part],
    walk: Walk,
    write: &mut Write<'_>,
) -> Result<bool, Failure> {
    let length = node.items().map_or(0, <[Node]>::len);
    if index < length {
        let item = node.items_mut().and_then(|items| items.get_mut(index));
        return item.map_or(Ok(false), |item| visit(item, rest, walk, false, write));
    }
    if walk.create && index == length {
        return append(node, fresh(rest), rest, walk, write, true);
    }
    Err(Failure::Path(FieldFault::BehindTheEnd { index, length }))
}

fn append(
    node: &mut Node,
    mut element: Node,
    rest: &[Part],
    walk: Walk,
    write: &mut Write<'_>,
    is_new: bool,
) -> Result<bool, Failure> {
    let found = visit(&mut element, rest, walk, is_new, write)?;
    if let Some(items) = node.items_mut() {
        items.push(element);
    }
    Ok(found)
}

fn elements(
    node: &mut Node,
    rest: &[Part],
    walk: Walk,
    write: &mut Write<'_>,
    fits: impl Fn(&Node) -> bool,
) -> Result<bool, Failure> {
    let wanted: Vec<usize> = node
        .items()
        .unwrap_or_default()
        .iter()
        .enumerate()
        .filter(|(_, item)| fits(item))
        .map(|(index, _)| index)
        .collect();
    let mut found = false;
    for index in wanted {
        if let Some(item) = node.items_mut().and_then(|items| items.get_mut(index)) {
            found |= visit(item, rest, walk, false, write)?;
        }
    }
    Ok(found)
}

/// The node created for a missing field, so that the rest of the path can be followed.
fn fresh(rest: &[Part]) -> Node {
    match rest.first() {
        Some(Part::Key(_) | Part::Last | Part::Every) => Node::mapping(),
        Some(Part::Index(_) | Part::Match { .. } | Part::Nothing | Part::Empty) => {
            Value::Sequence(Arc::default(), Style::Plain).into()
        }
        None => Node::default(),
    }
}
