//! The positions of the nodes at a field path.

use std::sync::Arc;

use crate::resource::PathStep;
use crate::yaml::Node;

use super::{FieldSpecPath, SegmentMeaning, SpecSegment};

#[derive(Clone, Copy, Debug)]
pub(in crate::transform) enum BorrowedStep<'p> {
    Key(&'p Arc<str>),
    Index(usize),
}

impl BorrowedStep<'_> {
    pub(in crate::transform) fn owned(self) -> PathStep {
        match self {
            Self::Key(key) => PathStep::Key(key.clone()),
            Self::Index(index) => PathStep::Index(index),
        }
    }
}

impl PartialEq<PathStep> for BorrowedStep<'_> {
    fn eq(&self, other: &PathStep) -> bool {
        match (*self, other) {
            (Self::Key(one), PathStep::Key(other)) => Arc::ptr_eq(one, other) || one == other,
            (Self::Index(one), PathStep::Index(other)) => one == *other,
            (Self::Key(_), PathStep::Index(_)) | (Self::Index(_), PathStep::Key(_)) => false,
        }
    }
}

impl FieldSpecPath {
    /// The nodes at the path, with their positions.
    pub(in crate::transform) fn places<'n>(
        &self,
        node: &'n Node,
    ) -> Vec<(Vec<PathStep>, &'n Node)> {
        let mut out = Vec::new();
        self.visit_places(node, &mut Vec::new(), &mut |way, leaf| {
            out.push((way.iter().map(|step| step.owned()).collect(), leaf));
        });
        out
    }

    /// Visits the nodes of [`FieldSpecPath::places`] one by one; `way` must be empty.
    pub(in crate::transform) fn visit_places<'p, 'n>(
        &'p self,
        node: &'n Node,
        way: &mut Vec<BorrowedStep<'p>>,
        found: &mut dyn FnMut(&[BorrowedStep<'p>], &'n Node),
    ) {
        places(node, self.segments(), way, found);
    }
}

fn places<'p, 'n>(
    node: &'n Node,
    path: &'p [SpecSegment],
    way: &mut Vec<BorrowedStep<'p>>,
    found: &mut dyn FnMut(&[BorrowedStep<'p>], &'n Node),
) {
    let Some((segment, rest)) = path.split_first() else { return found(way, node) };
    if let Some(items) = node.items() {
        for (index, item) in items.iter().enumerate() {
            way.push(BorrowedStep::Index(index));
            places(item, path, way, found);
            way.pop();
        }
    } else if segment.meaning == SegmentMeaning::Blank {
        places(node, rest, way, found);
    } else if let Some(value) = node.get(&segment.key) {
        way.push(BorrowedStep::Key(&segment.key));
        places(value, rest, way, found);
        way.pop();
    }
}
