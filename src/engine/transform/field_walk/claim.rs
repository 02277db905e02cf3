//! Attributing unchanged values to the step.

use std::sync::Arc;

use crate::resource::{ResMap, Slot};
use crate::yaml::{Node, Value, changed_items};

use super::super::Context;
use super::{FieldPath, Meaning, Segment, Setter};

/// The tree with the claimed values below a path; `None` if no value is claimed.
pub(super) fn claim(node: &Node, path: &[Segment], setter: &impl Setter) -> Option<Node> {
    let Some((segment, rest)) = path.split_first() else { return setter.claim(node) };
    match &node.value {
        Value::Scalar(_) => None,
        Value::Sequence(items, style) => {
            let items = changed_items(items, |item| claim(item, path, setter))?;
            Some(Node { value: Value::Sequence(Arc::new(items), *style), ..node.clone() })
        }
        Value::Mapping(_) if segment.meaning == Meaning::Blank => claim(node, rest, setter),
        Value::Mapping(mapping) => {
            let value = claim(mapping.get(&segment.key)?, rest, setter)?;
            let mut node = node.clone();
            *node.get_mut(&segment.key)? = value;
            Some(node)
        }
    }
}

/// Marks unchanged values as written by the step, in one resource. Where validators compare places,
/// the places are kept.
pub(in crate::transform) fn claim_each<'p>(
    paths: impl IntoIterator<Item = &'p FieldPath>,
    slot: Slot,
    resources: &mut ResMap,
    cx: &Context<'_>,
    setter: &impl Setter,
) {
    let Some(resource) = resources.get(slot).filter(|_| cx.unplaced.is_none()) else { return };
    let mut claimed: Option<Node> = None;
    for path in paths {
        let node = claimed.as_ref().unwrap_or(&resource.node);
        claimed = path.claim(node, setter).or(claimed);
    }
    if let Some(node) = claimed {
        resources.update(slot, |resource| resource.node = node);
    }
}
