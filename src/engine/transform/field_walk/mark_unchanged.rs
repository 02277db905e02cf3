//! Marks unchanged values as written by a step.

use std::sync::Arc;

use crate::resource::{ResMap, Slot};
use crate::yaml::{Node, Value, changed_items};

use super::super::Context;
use super::{FieldSpecPath, SegmentMeaning, Setter, SpecSegment};

/// The tree with the unchanged values at a path marked as written; `None` if the path leads to no
/// such value.
pub(super) fn mark_unchanged_as_written(
    node: &Node,
    path: &[SpecSegment],
    setter: &impl Setter,
) -> Option<Node> {
    let Some((segment, rest)) = path.split_first() else {
        return setter.mark_unchanged_as_written(node);
    };
    match &node.value {
        Value::Scalar(_) => None,
        Value::Sequence(items, style) => {
            let items = changed_items(items, |item| mark_unchanged_as_written(item, path, setter))?;
            Some(Node { value: Value::Sequence(Arc::new(items), *style), ..node.clone() })
        }
        Value::Mapping(_) if segment.meaning == SegmentMeaning::Blank => {
            mark_unchanged_as_written(node, rest, setter)
        }
        Value::Mapping(mapping) => {
            let value = mark_unchanged_as_written(mapping.get(&segment.key)?, rest, setter)?;
            let mut node = node.clone();
            *node.get_mut(&segment.key)? = value;
            Some(node)
        }
    }
}

/// Marks the unchanged values in one resource as written by the step. If file positions are needed
/// for validators, they are preserved.
pub(in crate::transform) fn mark_each_unchanged_as_written<'p>(
    paths: impl IntoIterator<Item = &'p FieldSpecPath>,
    slot: Slot,
    resources: &mut ResMap,
    cx: &Context<'_>,
    setter: &impl Setter,
) {
    let Some(resource) = resources.get(slot).filter(|_| cx.unplaced.is_none()) else { return };
    let mut claimed: Option<Node> = None;
    for path in paths {
        let node = claimed.as_ref().unwrap_or(&resource.node);
        claimed = path.attribute_unchanged(node, setter).or(claimed);
    }
    if let Some(node) = claimed {
        resources.update(slot, |resource| resource.node = node);
    }
}
