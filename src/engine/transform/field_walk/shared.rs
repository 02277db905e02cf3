//! Writes to shared nodes: a write at one position must be visible at the others before these are
//! visited.

use crate::resource::Resource;
use crate::yaml::{Node, Value};

use super::super::set_field::WalkResult;
use super::{FieldError, FieldSpecPath, SegmentMeaning, Setter, SpecSegment};

impl FieldSpecPath {
    /// Same as [`FieldSpecPath::apply`], but writes one position after the other.
    pub(super) fn apply_one_by_one(
        &self,
        resource: &mut Resource,
        setter: &mut impl Setter,
    ) -> Result<WalkResult, FieldError> {
        let found = self.reach(&resource.node, setter);
        if found == WalkResult::Write {
            let mut ways = Vec::new();
            list_indices(&resource.node, self.segments(), &mut Vec::new(), &mut ways);
            for way in ways {
                self.write(&mut resource.node, Some(&way), setter)?;
                resource.spread_shared();
            }
        }
        Ok(found)
    }
}

/// For each position of a path, the indices of the list elements on it.
fn list_indices(
    node: &Node,
    path: &[SpecSegment],
    elements: &mut Vec<usize>,
    ways: &mut Vec<Vec<usize>>,
) {
    let Some((segment, rest)) = path.split_first() else { return ways.push(elements.clone()) };
    let next = match &node.value {
        Value::Sequence(items, _) => {
            for (index, item) in items.iter().enumerate() {
                elements.push(index);
                list_indices(item, path, elements, ways);
                elements.pop();
            }
            return;
        }
        Value::Mapping(_) if segment.meaning == SegmentMeaning::Blank => Some(node),
        _ => node.get(&segment.key),
    };
    match next {
        Some(next) => list_indices(next, rest, elements, ways),
        None => ways.push(elements.clone()),
    }
}
