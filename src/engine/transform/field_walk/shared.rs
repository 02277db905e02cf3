//! Writes to shared nodes: a write at one position must be visible at the others before these are
//! visited.

use crate::resource::{SharedNode, spread};
use crate::yaml::{Mark, Node};

use super::super::set_field::Rewrite;
use super::{FieldError, FieldSpecPath, Leaf, Setter};

impl FieldSpecPath {
    /// Same as [`FieldSpecPath::rewrite`], but writes one position after the other.
    pub(super) fn rewrite_one_by_one(
        &self,
        node: &Node,
        shared: &mut Vec<SharedNode>,
        setter: &mut impl Setter,
    ) -> Result<Rewrite, FieldError> {
        let mut result = Rewrite::NO;
        for position in 0.. {
            let mut one = OnePosition { setter: &mut *setter, position, visited: 0 };
            let before = result.node.as_ref().unwrap_or(node);
            let mut written = self.rewrite(before, &mut one)?;
            let is_past_the_last = one.visited <= position;
            if let Some(node) = &mut written.node {
                spread(shared, node);
            }
            result.then(written);
            if is_past_the_last {
                break;
            }
        }
        Ok(result)
    }
}

/// Writes at one of the positions that a walk visits.
struct OnePosition<'s, S> {
    setter: &'s mut S,
    position: usize,
    visited: usize,
}

impl<S: Setter> Setter for OnePosition<'_, S> {
    fn mark(&self) -> Mark {
        self.setter.mark()
    }

    fn leaf(&self) -> Leaf {
        self.setter.leaf()
    }

    fn rewrite(&mut self, node: &Node) -> Result<Rewrite, FieldError> {
        self.visited += 1;
        if self.visited == self.position + 1 { self.setter.rewrite(node) } else { Ok(Rewrite::NO) }
    }
}
