//! Where a field path leads.

use crate::resource::PathStep;
use crate::yaml::Node;

use super::{FieldPath, Leaf, Meaning, Segment, Setter, is_tagged_null};

impl FieldPath {
    /// What the path reaches, and where that is.
    pub(in crate::transform) fn places<'n>(
        &self,
        node: &'n Node,
    ) -> Vec<(Vec<PathStep>, &'n Node)> {
        let mut out = Vec::new();
        let found = &mut |place: &[PathStep], leaf| out.push((place.to_vec(), leaf));
        self.each_place(node, &mut Vec::new(), found);
        out
    }

    /// As [`FieldPath::places`], one after the other, on an empty way.
    pub(in crate::transform) fn each_place<'n>(
        &self,
        node: &'n Node,
        way: &mut Vec<PathStep>,
        found: &mut dyn FnMut(&[PathStep], &'n Node),
    ) {
        places(node, self.segments(), way, found);
    }

    /// What the path reaches.
    pub(in crate::transform) fn leaves<'n>(&self, node: &'n Node) -> Vec<&'n Node> {
        let mut out = Vec::new();
        leaves(node, self.segments(), &mut out);
        out
    }

    /// True when the walk makes a collection out of a null, which keeps its place and its text in Kustomize, or puts entries
    /// below one.
    pub(in crate::transform) fn fills_a_null(&self, node: &Node, setter: &impl Setter) -> bool {
        let create = self.spec.create && setter.leaf() != Leaf::Nothing;
        let segments = self.segments();
        segments.iter().enumerate().any(|(before, last)| {
            let (way, rest) = segments.split_at(before + 1);
            let gets_entries = rest.is_empty() && setter.leaf() == Leaf::Mapping;
            let becomes_mapping = create && !rest.is_empty();
            let mut is_null = false;
            if gets_entries || becomes_mapping || last.sequence {
                places(node, way, &mut Vec::new(), &mut |_, leaf| is_null |= is_tagged_null(leaf));
            }
            is_null
        })
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
