//! Where a field path leads.

use crate::resource::PathStep;
use crate::yaml::Node;

use super::{FieldPath, Meaning, Segment, Setter};

impl FieldPath {
    /// Where the path leads, as far as it counts.
    pub(in crate::transform) fn places(
        &self,
        node: &Node,
        counts: &dyn Fn(&Node) -> bool,
    ) -> Vec<Vec<PathStep>> {
        let mut out = Vec::new();
        places(node, self.segments(), &mut Vec::new(), &mut |place, node| {
            if counts(node) {
                out.push(place.to_vec());
            }
        });
        out
    }

    /// What the path reaches.
    pub(in crate::transform) fn leaves<'n>(&self, node: &'n Node) -> Vec<&'n Node> {
        let mut out = Vec::new();
        places(node, self.segments(), &mut Vec::new(), &mut |_, leaf| out.push(leaf));
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
        way.push(PathStep::Key(segment.key.as_str().into()));
        places(value, rest, way, found);
        way.pop();
    }
}
