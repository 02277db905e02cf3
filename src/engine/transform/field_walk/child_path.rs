//! Paths in a tree as child indices: a node that one walk found can be reached again without a
//! search.

use crate::yaml::{Node, NodeKind};

/// For each level, the index of the list item or mapping entry.
pub(in crate::transform) type ChildPath = [usize];

/// The node at a path of indices from `node`.
pub(in crate::transform) fn at_child_path<'n>(node: &'n Node, way: &ChildPath) -> Option<&'n Node> {
    way.iter().try_fold(node, |node, number| match node.items() {
        Some(items) => items.get(*number),
        None => node.entries().get(*number).map(|entry| &entry.value),
    })
}

/// The node at a path of indices, mutable; shared collections on the path are copied.
pub(in crate::transform) fn at_child_path_mut<'n>(
    node: &'n mut Node,
    way: &ChildPath,
) -> Option<&'n mut Node> {
    way.iter().try_fold(node, |node, number| match node.kind() {
        NodeKind::Sequence => node.items_mut()?.get_mut(*number),
        _ => node.as_mapping_mut()?.value_mut(*number),
    })
}
