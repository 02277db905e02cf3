//! Limits for copies of trees.

use super::{Limits, Node, Value};

/// A copy that exceeds the limits: the tree could not be printed, or not be read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Excess {
    #[error("the copies amount to more than {0} nodes")]
    Nodes(usize),
    #[error("the copies amount to more than {0} bytes")]
    Bytes(usize),
    #[error("the field would be nested more than {0} deep")]
    Depth(usize),
}

/// The remaining budget for copies of nodes. Copies share their nodes, so that a few copies of
/// copies can represent a huge tree: each copy counts as if it were written out.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    limits: Limits,
    nodes: usize,
    bytes: usize,
}

impl Allowance {
    /// A full budget.
    pub fn new(limits: Limits) -> Self {
        Self { limits, nodes: limits.alias_nodes, bytes: limits.bytes }
    }

    /// Takes a copy at a nesting depth of `depth` from the budget.
    ///
    /// # Errors
    /// The budget is exceeded, or the copy is too deep.
    pub fn take(&mut self, node: &Node, depth: usize) -> Result<(), Excess> {
        if depth > self.limits.depth {
            return Err(Excess::Depth(self.limits.depth));
        }
        self.nodes = self.nodes.checked_sub(1).ok_or(Excess::Nodes(self.limits.alias_nodes))?;
        match &node.value {
            Value::Scalar(scalar) => self.text(scalar.text.len())?,
            Value::Sequence(items, _) => {
                for item in items.iter() {
                    self.take(item, depth + 1)?;
                }
            }
            Value::Mapping(mapping) => {
                for entry in &mapping.entries {
                    self.take(&entry.key, depth + 1)?;
                    self.take(&entry.value, depth + 1)?;
                }
            }
        }
        Ok(())
    }

    /// Takes a text of this many bytes from the budget.
    ///
    /// # Errors
    /// The budget is exceeded.
    pub fn text(&mut self, bytes: usize) -> Result<(), Excess> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(Excess::Bytes(self.limits.bytes))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_copies_exceed_the_limits() {
        let limits = Limits { depth: 20, alias_nodes: 1000, bytes: 500 };
        let mut tree = Node::string("abc");
        let mut sizes = Vec::new();
        for _ in 0..12 {
            sizes.push(Allowance::new(limits).take(&tree, 0));
            tree = Node::sequence(vec![tree.clone(), tree]);
        }
        let (fine, excess) = sizes.split_at(8);
        assert!(fine.iter().all(Result::is_ok), "{fine:?}");
        assert!(excess.iter().all(Result::is_err), "{excess:?}");
        assert_eq!(excess[0], Err(Excess::Bytes(500)));
        let many = Node::sequence(vec![Node::plain(""); 1000]);
        assert_eq!(Allowance::new(limits).take(&many, 0), Err(Excess::Nodes(1000)));
        assert_eq!(Allowance::new(limits).take(&Node::null(), 21), Err(Excess::Depth(20)));
    }

    #[test]
    fn taken_bytes_reduce_allowance() {
        let mut left = Allowance::new(Limits { bytes: 10, ..Limits::default() });
        assert_eq!(left.text(6), Ok(()));
        assert_eq!(left.text(6), Err(Excess::Bytes(10)));
    }
}
