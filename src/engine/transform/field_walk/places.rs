//! The positions of the nodes at a field path.

use crate::resource::PathStep;
use crate::yaml::Node;

use super::{FieldSpecPath, SegmentMeaning, SpecSegment};

impl FieldSpecPath {
    /// The nodes at the path, with their positions.
    pub(in crate::transform) fn places<'n>(
        &self,
        node: &'n Node,
    ) -> Vec<(Vec<PathStep>, &'n Node)> {
        let mut found = Vec::new();
        places(node, &self.segments, &mut Vec::new(), &mut found);
        found
    }
}

fn places<'n>(
    node: &'n Node,
    path: &[SpecSegment],
    way: &mut Vec<PathStep>,
    found: &mut Vec<(Vec<PathStep>, &'n Node)>,
) {
    let Some((segment, rest)) = path.split_first() else { return found.push((way.clone(), node)) };
    if let Some(items) = node.items() {
        for (index, item) in items.iter().enumerate() {
            way.push(PathStep::Index(index));
            places(item, path, way, found);
            way.pop();
        }
    } else if segment.meaning == SegmentMeaning::Blank {
        places(node, rest, way, found);
    } else if let Some(value) = node.get(&segment.key) {
        way.push(PathStep::Key(segment.key.clone()));
        places(value, rest, way, found);
        way.pop();
    }
}
