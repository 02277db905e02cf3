//! Nodes that are a single node object in Kustomize, although they occur at several positions in a
//! tree.
//!
//! In Kustomize, a label or annotation that a transformer adds is one node object in all fields to
//! which it is added. A later write at one position changes all positions, until the tree is
//! converted to JSON and back.

use std::sync::Arc;

use crate::yaml::{Node, Scalar};

/// One step of a path in a tree.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathStep {
    Key(Arc<str>),
    Index(usize),
}

impl PathStep {
    /// The key; `None` for an index.
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Key(key) => Some(key),
            Self::Index(_) => None,
        }
    }
}

/// A shared scalar and its positions, sorted.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedNode {
    pub(super) node: Node,
    pub(super) places: Arc<Vec<Vec<PathStep>>>,
}

/// Visits a node and all nodes below it except for keys, each before its own children, with their
/// paths; `place` is the path of the node.
pub(super) fn visit_places<'n>(
    node: &'n Node,
    place: &mut Vec<PathStep>,
    visit: &mut dyn FnMut(&'n Node, &[PathStep]),
) {
    visit(node, place);
    let keys = node.entries().iter().map(|entry| {
        PathStep::Key(entry.key.as_scalar().map(|key| key.text.clone()).unwrap_or_default())
    });
    for (child, step) in node.children().zip(keys.chain((0..).map(PathStep::Index))) {
        place.push(step);
        visit_places(child, place, visit);
        place.pop();
    }
}

impl SharedNode {
    /// True for a scalar that is unchanged at all of its positions, as after most writes.
    pub(super) fn is_unchanged_in(&self, root: &Node) -> bool {
        self.node.as_scalar().is_some_and(|own| {
            let mut places = self.places.iter();
            places.all(|place| at(root, place).and_then(Node::as_scalar) == Some(own))
        })
    }

    /// The scalar after a write: the last changed text in the order of keys, or else the last changed
    /// style. `None` if it was not written.
    pub(super) fn written(&self, root: &Node) -> Option<Node> {
        let own = self.node.as_scalar()?;
        let is_other_text = |scalar: &Scalar| (&scalar.text, &scalar.tag) != (&own.text, &own.tag);
        let scalars = || {
            let nodes = self.places.iter().rev().filter_map(|place| at(root, place));
            nodes.filter_map(|node| Some((node, node.as_scalar()?)))
        };
        let by_text = scalars().find(|(_, scalar)| is_other_text(scalar));
        let written = by_text.or_else(|| scalars().find(|(_, scalar)| *scalar != own));
        written.map(|(node, _)| node.clone())
    }
}

/// The node at the end of a path.
pub fn at<'n>(node: &'n Node, place: &[PathStep]) -> Option<&'n Node> {
    place.iter().try_fold(node, |node, step| match step {
        PathStep::Key(key) => node.get(key),
        PathStep::Index(index) => node.items()?.get(*index),
    })
}

/// The node at the end of a path, to write to.
pub fn at_mut<'n>(node: &'n mut Node, place: &[PathStep]) -> Option<&'n mut Node> {
    place.iter().try_fold(node, |node, step| match step {
        PathStep::Key(key) => node.get_mut(key),
        PathStep::Index(index) => node.items_mut()?.get_mut(*index),
    })
}
