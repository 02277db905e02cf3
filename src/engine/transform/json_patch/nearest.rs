//! Finds the last existing part of a path that does not exist.

use crate::diagnostic::{NodeShape, PathEnd};
use crate::yaml::{Node, Value};

use super::pointer::{decode, index};

pub(super) fn node_at_pointer<'n>(root: &'n Node, path: &str) -> Option<&'n Node> {
    path.split('/').skip(1).map(decode).try_fold(root, |node, segment| match &node.value {
        Value::Mapping(mapping) => mapping.get(&segment),
        Value::Sequence(items, _) => index(&segment, items.len()).ok().map(|at| &items[at]),
        Value::Scalar(_) => None,
    })
}

/// The longest existing part of a path, and the kind of node there.
pub(super) fn nearest_path(root: &Node, path: &str) -> Option<PathEnd> {
    let mut node = root;
    let mut walked = String::new();
    for segment in path.split('/').skip(1).map(decode) {
        let next = match &node.value {
            Value::Mapping(mapping) => mapping.get(&segment),
            Value::Sequence(items, _) => index(&segment, items.len()).ok().map(|at| &items[at]),
            Value::Scalar(_) => None,
        };
        let Some(next) = next else {
            return Some(PathEnd { place: walked, segment, there: NodeShape::from_node(node) });
        };
        walked = format!("{walked}/{segment}");
        node = next;
    }
    None
}
