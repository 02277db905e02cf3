//! The ways to what paths write to, so that who writes need not look for it again.

use std::ops::Range;

use crate::yaml::{Node, Value};

use super::super::way::Way;
use super::super::{Leaf, Meaning, Setter, is_tagged_null};
use super::{Branch, Chosen, Reach, Tree};

/// Most ways have fewer steps, and most resources fewer ways.
const DEEP: usize = 16;
const ROOM: usize = 8;

/// The way to each node that a path has something to write to.
#[derive(Debug, Default)]
pub(in crate::transform) struct Ways {
    /// One way behind the other.
    steps: Vec<usize>,
    /// Each with the number of its path.
    found: Vec<(usize, Range<usize>)>,
}

impl Ways {
    pub(in crate::transform) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// In the order of the paths, those of one path as they stand in the tree.
    pub(in crate::transform) fn iter(&self) -> impl Iterator<Item = (usize, &Way)> {
        let way = |steps: &Range<usize>| self.steps.get(steps.clone()).unwrap_or_default();
        self.found.iter().map(move |(path, steps)| (*path, way(steps)))
    }

    fn keep(&mut self, path: usize, way: &Way) {
        if self.found.is_empty() {
            // Who has one reference has some: room for these at once.
            self.steps.reserve(ROOM * DEEP);
            self.found.reserve(ROOM);
        }
        let start = self.steps.len();
        self.steps.extend_from_slice(way);
        self.found.push((path, start..self.steps.len()));
    }
}

impl Chosen<'_> {
    /// Where a setter that makes no fields has something to write. Nothing where that is not all: a walk goes wrong on its way,
    /// makes a mapping of a null, or leads to what another path writes too.
    pub(in crate::transform) fn ways(&self, node: &Node, setter: &impl Setter) -> Option<Ways> {
        let (tree, mut ways) = (self.tree.as_ref()?, Ways::default());
        if setter.leaf() != Leaf::Nothing || self.apart.len() != self.paths.len() {
            return None;
        }
        let is_plain =
            tree.ways(Tree::ROOT, node, setter, &mut Vec::with_capacity(DEEP), &mut ways);
        if !is_plain || ways.found.iter().any(|(path, _)| !self.is_apart(*path)) {
            return None;
        }
        ways.found.sort_by_key(|(path, _)| *path);
        Some(ways)
    }
}

impl Tree<'_> {
    /// Goes on from a branch; false where [`Tree::reach`] finds what is no single node to write to.
    fn ways(
        &self,
        at: usize,
        node: &Node,
        setter: &impl Setter,
        way: &mut Vec<usize>,
        ways: &mut Ways,
    ) -> bool {
        let Some(branch) = self.0.get(at) else { return true };
        if !branch.ends.is_empty() && setter.reach(node) == Reach::Write {
            branch.ends.iter().for_each(|path| ways.keep(*path, way));
        }
        branch.below.is_empty() || self.ways_below(branch, node, setter, way, ways)
    }

    /// What goes on below a branch. Paths have no part for a list: each of its elements is where they are already.
    fn ways_below(
        &self,
        branch: &Branch<'_>,
        node: &Node,
        setter: &impl Setter,
        way: &mut Vec<usize>,
        ways: &mut Ways,
    ) -> bool {
        let mapping = match &node.value {
            Value::Scalar(_) => return node.is_null(),
            Value::Sequence(items, _) => {
                return items.iter().enumerate().all(|(number, item)| {
                    way.push(number);
                    let is_plain = self.ways_below(branch, item, setter, way, ways);
                    way.pop();
                    is_plain
                });
            }
            Value::Mapping(mapping) => mapping,
        };
        branch.below.iter().all(|(segment, next)| {
            if segment.meaning != Meaning::Field {
                return false;
            }
            let Some(number) = mapping.place(&segment.key) else { return true };
            let Some(entry) = mapping.entries.get(number) else { return true };
            if segment.sequence && is_tagged_null(&entry.value) {
                return false;
            }
            way.push(number);
            let is_plain = self.ways(*next, &entry.value, setter, way, ways);
            way.pop();
            is_plain
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::trees;
    use super::*;
    use crate::diagnostic::FieldFault;
    use crate::manifest::FieldSpec;
    use crate::resource::ResId;
    use crate::transform::field_walk::FieldPath;
    use crate::transform::set_field::FieldError;
    use crate::yaml::{Limits, Mark, SourceId, parse_documents};

    /// Writes numbers over texts, and goes wrong at one of them.
    #[derive(Default)]
    struct Numbers {
        next: usize,
        bad: usize,
    }

    impl Setter for Numbers {
        fn mark(&self) -> Mark {
            Mark::default()
        }

        fn reach(&self, node: &Node) -> Reach {
            if node.text() == Some("w") { Reach::Write } else { Reach::No }
        }

        fn set(&mut self, node: &mut Node) -> Result<(), FieldError> {
            if self.next == self.bad {
                return Err(FieldError::new(FieldFault::EmptyName, node.mark));
            }
            *node = Node::plain(self.next.to_string());
            self.next += 1;
            Ok(())
        }
    }

    proptest! {
        #[test]
        fn ways_lead_to_what_each_path_writes(
            text in trees(),
            paths in prop::collection::vec("[abc](\\[\\])?(/[abc](\\[\\])?){0,3}", 0..5),
            bad in 0_usize..9,
        ) {
            let file = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default()).unwrap();
            let Some(document) = file.documents.into_iter().next() else { return Ok(()) };
            let spec = |path: String| FieldSpec { path, ..FieldSpec::default() };
            let paths: Vec<FieldPath> = paths.into_iter().map(|it| FieldPath::new(spec(it))).collect();
            let chosen = Chosen::new(paths.iter().collect()).together();
            let numbers = || Numbers { next: 0, bad };
            let Some(ways) = chosen.ways(&document.node, &numbers()) else { return Ok(()) };
            let id = ResId::default();
            let (mut by_path, mut setter) = (document.node.clone(), numbers());
            let expected = paths.iter().try_for_each(|path| match path.reach(&by_path, &setter) {
                Reach::Write => path.apply_found(&mut by_path, &id, &mut setter),
                _ => Ok(()),
            });
            let (mut by_way, mut setter) = (document.node, numbers());
            let written = ways.iter().try_for_each(|(number, way)| {
                paths[number].apply_at(&mut by_way, way, &id, &mut setter)
            });
            prop_assert_eq!(format!("{written:?}"), format!("{expected:?}"));
            prop_assert_eq!(by_way, by_path);
        }
    }
}
