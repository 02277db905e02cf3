//! Pointers: their parts, and the nodes to which they lead.

use crate::diagnostic::{JsonPatchFault, NodeShape, PathEnd};
use crate::transform::unwritten::pointer_parts;
use crate::yaml::Node;

use super::container::child;

/// The number of collections around the value at a path.
pub(super) fn depth(path: &str) -> usize {
    path.matches('/').count()
}

/// The index of an existing element; negative numbers count from the end.
pub(super) fn index(key: &str, length: usize) -> Result<usize, JsonPatchFault> {
    let number = key.parse().map_err(|_| JsonPatchFault::NoIndex(key.to_owned()))?;
    signed_index(number, length)
}

/// The index below `length` that a number means; negative numbers count from the end.
pub(super) fn signed_index(number: i64, length: usize) -> Result<usize, JsonPatchFault> {
    let at = if number < 0 { number.checked_add_unsigned(length as u64) } else { Some(number) };
    at.and_then(|at| usize::try_from(at).ok())
        .filter(|at| *at < length)
        .ok_or(JsonPatchFault::InvalidIndex(number))
}

pub(super) fn node_at_pointer<'n>(root: &'n Node, path: &str) -> Option<&'n Node> {
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
