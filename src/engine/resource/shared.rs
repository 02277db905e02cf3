//! Nodes that are a single node object in Kustomize, although they occur at several positions in a
//! tree.
//!
//! In Kustomize, a label or annotation that a transformer adds is one node object in all fields to
//! which it is added. A later write at one position changes all positions, until the tree is
//! converted to JSON and back.

use std::sync::Arc;

use crate::yaml::{Node, Scalar, Style};

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

    /// The scalar after a write: the last changed text in the order of keys, with the quotes of an
    /// earlier position. `None` if it was not written.
    pub(super) fn written(&self, root: &Node) -> Option<Node> {
        let own = self.node.as_scalar()?;
        let nodes = self.places.iter().filter_map(|place| at(root, place));
        let (nodes, scalars): (Vec<&Node>, Vec<&Scalar>) =
            nodes.filter_map(|node| Some((node, node.as_scalar()?))).unzip();
        let is_said = |scalar: &&Scalar| (&scalar.text, &scalar.tag) != (&own.text, &own.tag);
        let said = scalars.iter().rposition(is_said);
        let index = said.or_else(|| scalars.iter().rposition(|scalar| *scalar != own))?;
        let mut written = (*nodes.get(index)?).clone();
        let is_quoted = |scalar: &&Scalar| !is_said(scalar) && scalar.style != own.style;
        if let Some(quoted) = scalars[..index].iter().find(|scalar| is_quoted(scalar))
            && said.is_some()
            && let Some(scalar) = written.as_scalar_mut()
            && scalar.style == Style::Plain
        {
            scalar.style = quoted.style;
        }
        Some(written)
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
