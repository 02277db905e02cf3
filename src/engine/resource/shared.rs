//! Scalars that Kustomize holds as one node in several places of a tree.
//!
//! Kustomize: a label or annotation that a transformer adds is one node object under every field that it is added to.
//! Whatever later writes the value in one of these places writes it in all of them, until the tree goes through
//! JSON.

use std::sync::Arc;

use crate::engine::yaml::{Node, Scalar, Style};

use super::Resource;

/// One step from a node to a node in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathStep {
    /// The value of a key.
    Key(Arc<str>),
    /// An element.
    Index(usize),
}

/// The places of one scalar, sorted.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedScalar {
    scalar: Scalar,
    places: Arc<Vec<Vec<PathStep>>>,
}

impl Resource {
    /// Remembers that the scalars in these places are one node, which has this style when there is one.
    pub fn share(&mut self, mut places: Vec<Vec<PathStep>>, style: Option<Style>) {
        places.sort_unstable();
        places.dedup();
        if let Some(style) = style {
            for place in &places {
                if let Some(scalar) = at_mut(&mut self.node, place).and_then(Node::as_scalar_mut) {
                    scalar.style = style;
                }
            }
        }
        let first = places.first().and_then(|place| scalar_at(&self.node, place));
        if let Some(scalar) = first.filter(|_| places.len() > 1) {
            self.shared.push(SharedScalar { scalar: scalar.clone(), places: Arc::new(places) });
        }
    }

    /// The annotations of the resource itself are nodes of their own now.
    pub(super) fn unshare_annotations(&mut self) {
        let is_own = |place: &Vec<PathStep>| match &place[..] {
            [PathStep::Key(a), PathStep::Key(b), ..] => &**a == "metadata" && &**b == "annotations",
            _ => false,
        };
        for group in &mut self.shared {
            if group.places.iter().any(is_own) {
                Arc::make_mut(&mut group.places).retain(|place| !is_own(place));
            }
        }
        self.shared.retain(|group| group.places.len() > 1);
    }

    /// The scalars of mappings that came in the place of others (`$patch: replace`) are nodes of their own now.
    pub fn unshare_replaced(&mut self, before: &Node) {
        let holder = |node: &Node, place: &[PathStep]| {
            let (_, path) = place.split_last()?;
            at(node, path).map(|holder| holder.mark)
        };
        let Self { node, shared, .. } = self;
        for group in shared.iter_mut() {
            let is_kept = |place: &Vec<PathStep>| holder(node, place) == holder(before, place);
            if !group.places.iter().all(is_kept) {
                Arc::make_mut(&mut group.places).retain(is_kept);
            }
        }
        shared.retain(|group| group.places.len() > 1);
    }

    /// Writes what was written in one place of a shared scalar in its other places too; the last text in the order of
    /// keys counts, in the quotes that an earlier place got. Places that are gone are forgotten.
    pub(super) fn spread_shared(&mut self) {
        let mut shared = std::mem::take(&mut self.shared);
        for group in &mut shared {
            let stands = |place: &Vec<PathStep>| scalar_at(&self.node, place).is_some();
            if !group.places.iter().all(stands) {
                Arc::make_mut(&mut group.places).retain(stands);
            }
            let Some(changed) = group.written(&self.node) else { continue };
            for place in group.places.iter() {
                if let Some(node) = at_mut(&mut self.node, place) {
                    node.mark = changed.mark;
                    node.value = changed.value.clone();
                }
            }
            if let Some(scalar) = changed.as_scalar() {
                group.scalar = scalar.clone();
            }
        }
        shared.retain(|group| group.places.len() > 1);
        self.shared = shared;
    }
}

impl SharedScalar {
    /// What the scalar is now; `None` when nobody wrote it.
    fn written(&self, node: &Node) -> Option<Node> {
        let own = &self.scalar;
        let nodes: Vec<&Node> = self.places.iter().filter_map(|place| at(node, place)).collect();
        let scalars: Vec<&Scalar> = nodes.iter().filter_map(|node| node.as_scalar()).collect();
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

fn scalar_at<'n>(node: &'n Node, place: &[PathStep]) -> Option<&'n Scalar> {
    at(node, place).and_then(Node::as_scalar)
}

fn at<'n>(node: &'n Node, place: &[PathStep]) -> Option<&'n Node> {
    place.iter().try_fold(node, |node, step| match step {
        PathStep::Key(key) => node.get(key),
        PathStep::Index(index) => node.items()?.get(*index),
    })
}

fn at_mut<'n>(node: &'n mut Node, place: &[PathStep]) -> Option<&'n mut Node> {
    place.iter().try_fold(node, |node, step| match step {
        PathStep::Key(key) => node.get_mut(key),
        PathStep::Index(index) => node.items_mut()?.get_mut(*index),
    })
}
