//! Mappings and lists as the operations of a JSON6902 patch read and write them.

use crate::diagnostic::{JsonPatchFault, NodeShape, PathEnd};
use crate::yaml::{MappingEntry, Node, NodeKind, Value};

use crate::transform::unwritten::pointer_parts;

/// The collection with the last segment of a path, and that segment.
pub(super) fn container<'n>(root: &'n mut Node, path: &str) -> Option<(&'n mut Node, String)> {
    let mut segments = pointer_parts(path);
    let key = segments.pop()?;
    let node = segments.iter().try_fold(root, |node, segment| match node.kind() {
        NodeKind::Mapping => node.get_mut(segment),
        NodeKind::Sequence => {
            let items = node.items_mut()?;
            let at = index(segment, items.len()).ok()?;
            items.get_mut(at)
        }
        NodeKind::Scalar => None,
    })?;
    node.as_scalar().is_none().then_some((node, key))
}

/// The index of an existing element; negative numbers count from the end.
pub(super) fn index(key: &str, length: usize) -> Result<usize, JsonPatchFault> {
    let number = key.parse().map_err(|_| JsonPatchFault::NoIndex(key.to_owned()))?;
    signed_index(number, length)
}

/// The index below `length` that a number means; negative numbers count from the end.
fn signed_index(number: i64, length: usize) -> Result<usize, JsonPatchFault> {
    let at = if number < 0 { number.checked_add_unsigned(length as u64) } else { Some(number) };
    at.and_then(|at| usize::try_from(at).ok())
        .filter(|at| *at < length)
        .ok_or(JsonPatchFault::InvalidIndex(number))
}

/// The value of a key, or the element at an index.
///
/// # Errors
/// The key is no index of an element.
pub(super) fn child<'n>(node: &'n Node, key: &str) -> Result<Option<&'n Node>, JsonPatchFault> {
    Ok(match &node.value {
        Value::Mapping(mapping) => mapping.get(key),
        Value::Sequence(items, _) => items.get(index(key, items.len())?),
        Value::Scalar(_) => None,
    })
}

/// Removes the value of a key, or an element.
///
/// # Errors
/// The value is missing.
pub(super) fn take(node: &mut Node, key: &str) -> Result<Node, JsonPatchFault> {
    if let Some(items) = node.items_mut() {
        let at = index(key, items.len())?;
        return Ok(items.remove(at));
    }
    let mapping = node.as_mapping_mut().ok_or(JsonPatchFault::InAScalar)?;
    mapping.remove(key).ok_or_else(|| JsonPatchFault::NothingToRemove(key.to_owned()))
}

/// Adds a value: under a key, before an element, or at the end.
///
/// # Errors
/// The key is no index of the list.
pub(super) fn insert(node: &mut Node, key: &str, value: Node) -> Result<(), JsonPatchFault> {
    if let Some(items) = node.items_mut() {
        let at = place_to_add(key, items.len())?;
        items.insert(at, value);
        return Ok(());
    }
    let mapping = node.as_mapping_mut().ok_or(JsonPatchFault::InAScalar)?;
    match mapping.get_mut(key) {
        Some(found) => *found = value,
        None => mapping.push(MappingEntry { key: Node::string(key).marked(value.mark), value }),
    }
    Ok(())
}

fn place_to_add(key: &str, length: usize) -> Result<usize, JsonPatchFault> {
    if key == "-" {
        return Ok(length);
    }
    let number = key.parse().map_err(|_| JsonPatchFault::NoIndexToAdd(key.to_owned()))?;
    // A negative index counts from the end of the extended list.
    signed_index(number, length + 1)
}

/// The number of collections around the value at a path.
pub(super) fn depth(path: &str) -> usize {
    path.matches('/').count()
}

pub(in crate::transform) fn node_at_pointer<'n>(root: &'n Node, path: &str) -> Option<&'n Node> {
    pointer_parts(path).iter().try_fold(root, |node, segment| child(node, segment).ok().flatten())
}

/// The longest existing part of a path, and the kind of node there.
pub(super) fn nearest_path(root: &Node, path: &str) -> Option<PathEnd> {
    let mut node = root;
    let mut walked = String::new();
    for segment in pointer_parts(path) {
        let Ok(Some(next)) = child(node, &segment) else {
            return Some(PathEnd { place: walked, segment, there: NodeShape::from_node(node) });
        };
        walked = format!("{walked}/{segment}");
        node = next;
    }
    None
}
