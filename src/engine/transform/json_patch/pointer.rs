//! Pointers: their parts, and the nodes to which they lead.

use crate::diagnostic::{JsonPatchFault, NodeShape, PathEnd};
use crate::yaml::{Node, Value};

pub(in crate::transform) fn decode(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

/// The number of collections around the value at a path.
pub(super) fn depth(path: &str) -> usize {
    path.matches('/').count()
}

/// The index of an existing element; negative numbers count from the end.
pub(super) fn index(key: &str, length: usize) -> Result<usize, JsonPatchFault> {
    let number: i64 = key.parse().map_err(|_| JsonPatchFault::NoIndex(key.to_owned()))?;
    let at = if number < 0 { number.checked_add_unsigned(length as u64) } else { Some(number) };
    at.and_then(|at| usize::try_from(at).ok())
        .filter(|at| *at < length)
        .ok_or(JsonPatchFault::InvalidIndex(number))
}

pub(super) fn node_at_pointer<'n>(root: &'n Node, path: &str) -> Option<&'n Node> {
    path.split('/').skip(1).map(decode).try_fold(root, |node, segment| child(node, &segment))
}

fn child<'n>(node: &'n Node, segment: &str) -> Option<&'n Node> {
    match &node.value {
        Value::Mapping(mapping) => mapping.get(segment),
        Value::Sequence(items, _) => index(segment, items.len()).ok().map(|at| &items[at]),
        Value::Scalar(_) => None,
    }
}

/// The longest existing part of a path, and the kind of node there.
pub(super) fn nearest_path(root: &Node, path: &str) -> Option<PathEnd> {
    let mut node = root;
    let mut walked = String::new();
    for segment in path.split('/').skip(1).map(decode) {
        let Some(next) = child(node, &segment) else {
            return Some(PathEnd { place: walked, segment, there: NodeShape::from_node(node) });
        };
        walked = format!("{walked}/{segment}");
        node = next;
    }
    None
}
