//! Where a field path leads.

use std::sync::Arc;

use crate::resource::{PathStep, Resource, at_mut};
use crate::yaml::Node;

use super::{FieldPath, Leaf, Meaning, Segment, Setter, is_tagged_null};

/// A step of a way, as long as the path is at hand.
#[derive(Clone, Copy, Debug)]
pub(in crate::transform) enum WayStep<'p> {
    Key(&'p Arc<str>),
    Index(usize),
}

impl WayStep<'_> {
    /// The step by itself.
    pub(in crate::transform) fn owned(self) -> PathStep {
        match self {
            Self::Key(key) => PathStep::Key(key.clone()),
            Self::Index(index) => PathStep::Index(index),
        }
    }
}

impl PartialEq<PathStep> for WayStep<'_> {
    fn eq(&self, other: &PathStep) -> bool {
        match (*self, other) {
            (Self::Key(one), PathStep::Key(other)) => Arc::ptr_eq(one, other) || one == other,
            (Self::Index(one), PathStep::Index(other)) => one == *other,
            (Self::Key(_), PathStep::Index(_)) | (Self::Index(_), PathStep::Key(_)) => false,
        }
    }
}

impl FieldPath {
    /// What the path reaches, and where that is.
    pub(in crate::transform) fn places<'n>(
        &self,
        node: &'n Node,
    ) -> Vec<(Vec<PathStep>, &'n Node)> {
        let mut out = Vec::new();
        self.each_place(node, &mut Vec::new(), &mut |way, leaf| {
            out.push((way.iter().map(|step| step.owned()).collect(), leaf));
        });
        out
    }

    /// As [`FieldPath::places`], one after the other, on an empty way.
    pub(in crate::transform) fn each_place<'p, 'n>(
        &'p self,
        node: &'n Node,
        way: &mut Vec<WayStep<'p>>,
        found: &mut dyn FnMut(&[WayStep<'p>], &'n Node),
    ) {
        places(node, self.segments(), way, found);
    }

    /// What the path reaches.
    pub(in crate::transform) fn leaves<'n>(&self, node: &'n Node) -> Vec<&'n Node> {
        let mut out = Vec::new();
        leaves(node, self.segments(), &mut out);
        out
    }

    /// Whether the walk puts something in the place of a null, and where the nodes stand afterwards. A mapping keeps the place and the
    /// text of the null; where it makes something else, nobody knows.
    pub(in crate::transform) fn fills_nulls(
        &self,
        resource: &Resource,
        setter: &impl Setter,
    ) -> Filled {
        let create = self.spec.create && setter.leaf() != Leaf::Nothing;
        let segments = self.segments();
        let mut ways = Vec::new();
        let mut is_known = true;
        for (before, last) in segments.iter().enumerate() {
            let (way, rest) = segments.split_at(before + 1);
            let gets_entries = rest.is_empty() && setter.leaf() == Leaf::Mapping;
            let becomes_mapping = create && !rest.is_empty();
            if !(gets_entries || becomes_mapping || last.sequence) {
                continue;
            }
            places(&resource.node, way, &mut Vec::new(), &mut |way, leaf| {
                if is_tagged_null(leaf) {
                    is_known &= create && !last.sequence && leaf.below_null().is_empty();
                    ways.push(way.iter().map(|step| step.owned()).collect());
                }
            });
        }
        match (ways.is_empty(), is_known) {
            (true, _) => Filled::Nothing,
            (false, true) => filled(resource, ways).map_or(Filled::Unknown, Filled::Known),
            (false, false) => Filled::Unknown,
        }
    }

    /// What the setter would write the same over.
    pub(in crate::transform) fn equal<'n>(
        &self,
        node: &'n Node,
        setter: &impl Setter,
    ) -> Vec<&'n Node> {
        self.leaves(node).into_iter().flat_map(|leaf| setter.equal(leaf)).collect()
    }
}

/// What a walk does to nulls.
pub(in crate::transform) enum Filled {
    /// There are none in its way.
    Nothing,
    /// The tree with the places that its nodes have then.
    Known(Node),
    /// Nobody knows where they stand then.
    Unknown,
}

fn filled(resource: &Resource, ways: Vec<Vec<PathStep>>) -> Option<Node> {
    let mut tree = resource.placed()?;
    for way in ways {
        let node = at_mut(&mut tree, &way)?;
        node.become_mapping();
    }
    Some(tree)
}

fn places<'p, 'n>(
    node: &'n Node,
    path: &'p [Segment],
    way: &mut Vec<WayStep<'p>>,
    found: &mut dyn FnMut(&[WayStep<'p>], &'n Node),
) {
    let Some((segment, rest)) = path.split_first() else { return found(way, node) };
    if let Some(items) = node.items() {
        for (index, item) in items.iter().enumerate() {
            way.push(WayStep::Index(index));
            places(item, path, way, found);
            way.pop();
        }
    } else if segment.meaning == Meaning::Blank {
        places(node, rest, way, found);
    } else if let Some(value) = node.get(&segment.key) {
        way.push(WayStep::Key(&segment.key));
        places(value, rest, way, found);
        way.pop();
    }
}

fn leaves<'n>(node: &'n Node, path: &[Segment], out: &mut Vec<&'n Node>) {
    let Some((segment, rest)) = path.split_first() else { return out.push(node) };
    if let Some(items) = node.items() {
        for item in items {
            leaves(item, path, out);
        }
    } else if segment.meaning == Meaning::Blank {
        leaves(node, rest, out);
    } else if let Some(value) = node.get(&segment.key) {
        leaves(value, rest, out);
    }
}
