//! Where a field path leads.

use crate::resource::PathStep;
use crate::yaml::Node;

use super::{FieldPath, Meaning, Segment, Setter};

impl FieldPath {
    /// What the path reaches, and where that is.
    pub(in crate::transform) fn places<'n>(
        &self,
        node: &'n Node,
    ) -> Vec<(Vec<PathStep>, &'n Node)> {
        let mut out = Vec::new();
        let found = &mut |place: &[PathStep], leaf| out.push((place.to_vec(), leaf));
        places(node, self.segments(), &mut Vec::new(), found);
        out
    }

    /// What the path reaches.
    pub(in crate::transform) fn leaves<'n>(&self, node: &'n Node) -> Vec<&'n Node> {
        let mut out = Vec::new();
        leaves(node, self.segments(), &mut out);
        out
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

fn places<'n>(
    node: &'n Node,
    path: &[Segment],
    way: &mut Vec<PathStep>,
    found: &mut dyn FnMut(&[PathStep], &'n Node),
) {
    let Some((segment, rest)) = path.split_first() else { return found(way, node) };
    if let Some(items) = node.items() {
        for (index, item) in items.iter().enumerate() {
            way.push(PathStep::Index(index));
            places(item, path, way, found);
            way.pop();
        }
    } else if segment.meaning == Meaning::Blank {
        places(node, rest, way, found);
    } else if let Some(value) = node.get(&segment.key) {
        way.push(PathStep::Key(segment.key.clone()));
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
