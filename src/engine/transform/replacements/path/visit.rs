//! Walking along a path to write: missing fields are created on the way, where allowed.

use crate::diagnostic::FieldFault;
use crate::yaml::{MappingEntry, Node, NodeKind, print_preserving_style};

use super::{PathFailure, ReplacementSegment, Write, selected_field};

fn wrong_kind(expected: NodeKind, node: &Node) -> PathFailure {
    PathFailure::Path(FieldFault::wrong_kind(expected, node))
}

/// A walk that writes every leaf of a path. Its methods return true if they reached a leaf.
pub(super) struct PathVisit<'v, 'w> {
    /// True if missing fields and elements are created.
    pub(super) create: bool,
    pub(super) write: &'v mut Write<'w>,
}

type Visited = Result<bool, PathFailure>;

impl PathVisit<'_, '_> {
    pub(super) fn visit(
        &mut self,
        node: &mut Node,
        parts: &[ReplacementSegment],
        is_new: bool,
    ) -> Visited {
        let Some((part, rest)) = parts.split_first() else {
            return (self.write)(node, is_new).map(|()| true).map_err(PathFailure::Set);
        };
        if node.is_alias() {
            return Err(wrong_kind(part.required_kind(), node));
        }
        if matches!(part, ReplacementSegment::Nothing) {
            return Err(PathFailure::Path(FieldFault::NoCondition));
        }
        if node.is_null() {
            // Releases up to v5.7.1 write below the null and lose the value.
            return if self.create {
                Err(wrong_kind(part.required_kind(), node))
            } else {
                Ok(false)
            };
        }
        let expected = part.required_kind();
        if node.kind() != expected {
            return Err(wrong_kind(expected, node));
        }
        match part {
            ReplacementSegment::Nothing => Ok(false),
            ReplacementSegment::Key(key) => self.field(node, key, rest),
            ReplacementSegment::Last => self.field(node, "-", rest),
            ReplacementSegment::Every => self.elements(node, rest, |_| true),
            ReplacementSegment::Index(index) => self.visit_element(node, *index, rest),
            ReplacementSegment::Match { key, value, pattern } => {
                let pattern = pattern.as_ref().map_err(|reason| {
                    PathFailure::Path(FieldFault::NoExpression(reason.clone()))
                })?;
                let is_match =
                    |field: &Node| pattern.is_match(print_preserving_style(field).trim_end());
                let fits = |item: &Node| selected_field(item, key).is_some_and(is_match);
                // Kustomize ignores the rest of a path after a condition on the element itself.
                let below = if key.is_empty() { &[] } else { rest };
                if self.elements(node, below, fits)? {
                    return Ok(true);
                }
                if !self.create {
                    return Ok(false);
                }
                let element = if key.is_empty() {
                    Node::plain(value.as_str())
                } else {
                    let mut element = Node::mapping();
                    element.set(key, Node::plain(value.as_str()));
                    element
                };
                self.append(node, element, below, false)
            }
        }
    }

    fn field(&mut self, node: &mut Node, key: &str, rest: &[ReplacementSegment]) -> Visited {
        if let Some(value) = node.get_mut(key) {
            return self.visit(value, rest, false);
        }
        if !self.create {
            return Ok(false);
        }
        let mut value = new_missing_node(rest);
        let found = self.visit(&mut value, rest, true)?;
        let key = Node::plain(key).marked(value.mark);
        if let Some(mapping) = node.as_mapping_mut() {
            mapping.push(MappingEntry { key, value });
        }
        Ok(found)
    }

    /// Follows the rest of the path in the element with this index.
    fn visit_element(
        &mut self,
        node: &mut Node,
        index: usize,
        rest: &[ReplacementSegment],
    ) -> Visited {
        let length = node.items().map_or(0, <[Node]>::len);
        if index < length {
            let item = node.items_mut().and_then(|items| items.get_mut(index));
            return item.map_or(Ok(false), |item| self.visit(item, rest, false));
        }
        if self.create && index == length {
            return self.append(node, new_missing_node(rest), rest, true);
        }
        Err(PathFailure::Path(FieldFault::IndexOutOfRange { index, length }))
    }

    fn append(
        &mut self,
        node: &mut Node,
        mut element: Node,
        rest: &[ReplacementSegment],
        is_new: bool,
    ) -> Visited {
        let found = self.visit(&mut element, rest, is_new)?;
        if let Some(items) = node.items_mut() {
            items.push(element);
        }
        Ok(found)
    }

    fn elements(
        &mut self,
        node: &mut Node,
        rest: &[ReplacementSegment],
        fits: impl Fn(&Node) -> bool,
    ) -> Visited {
        let fitting = |(index, item): (usize, &Node)| fits(item).then_some(index);
        let items = node.items().unwrap_or_default().iter();
        let wanted: Vec<usize> = items.enumerate().filter_map(fitting).collect();
        let mut found = false;
        for index in wanted {
            if let Some(item) = node.items_mut().and_then(|items| items.get_mut(index)) {
                found |= self.visit(item, rest, false)?;
            }
        }
        Ok(found)
    }
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
