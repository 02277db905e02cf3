//! Pointers: their parts, and the nodes to which they lead.

use crate::diagnostic::{NodeShape, PathEnd};
use crate::transform::unwritten::pointer_parts;
use crate::yaml::Node;

use super::container::child;

/// The number of collections around the value at a path.
pub(super) fn depth(path: &str) -> usize {
    path.matches('/').count()
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
