//! The difference of two texts, by lines.

use std::hash::Hash;
use std::ops::Range;

use similar::algorithms::{Capture, Compact, IdentifyDistinct, Replace, myers};
use similar::{Change, ChangeTag, DiffOp, group_diff_ops};

/// The difference of two texts by lines; each line has its end. The text diff of `similar` is not
/// used: it contains all of the algorithms of that library, and this needs one.
pub struct LineChanges<'t> {
    old: Vec<&'t str>,
    new: Vec<&'t str>,
    ops: Vec<DiffOp>,
}

impl<'t> LineChanges<'t> {
    pub fn new(old: &'t str, new: &'t str) -> Self {
        let old: Vec<&str> = old.split_inclusive('\n').collect();
        let new: Vec<&str> = new.split_inclusive('\n').collect();
        let ops = list_diff(&old, &new);
        Self { old, new, ops }
    }

    /// All lines, equal ones included; of a replacement, the removed lines come first. Indices are
    /// counted from 0.
    pub fn all(&self) -> impl Iterator<Item = Change<&'t str>> {
        self.ops.iter().flat_map(|op| op.iter_changes(&*self.old, &*self.new))
    }

    pub fn different(&self) -> impl Iterator<Item = Change<&'t str>> {
        self.all().filter(|change| change.tag() != ChangeTag::Equal)
    }

    /// As [`Self::unified`], with the names of the texts; empty for equal texts.
    pub fn unified_with_names(&self, context: usize, (old, new): (&str, &str)) -> String {
        let diff = self.unified(context);
        if diff.is_empty() { diff } else { format!("--- {old}\n+++ {new}\n{diff}") }
    }

    /// The difference as a unified diff with `context` lines around each change, without the names
    /// of the texts.
    pub fn unified(&self, context: usize) -> String {
        let mut diff = String::new();
        for hunk in group_diff_ops(self.ops.clone(), context) {
            let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { continue };
            let from = place(first.old_range().start..last.old_range().end);
            let to = place(first.new_range().start..last.new_range().end);
            diff.push_str(&format!("@@ -{from} +{to} @@\n"));
            for change in hunk.iter().flat_map(|op| op.iter_changes(&*self.old, &*self.new)) {
                diff.push_str(match change.tag() {
                    ChangeTag::Equal => " ",
                    ChangeTag::Delete => "-",
                    ChangeTag::Insert => "+",
                });
                diff.push_str(change.value());
                if !change.value().ends_with('\n') {
                    diff.push_str("\n\\ No newline at end of file\n");
                }
            }
        }
        diff
    }
}

fn place(hunk: Range<usize>) -> String {
    match hunk.len() {
        0 => format!("{},0", hunk.start),
        1 => format!("{}", hunk.start + 1),
        count => format!("{},{count}", hunk.start + 1),
    }
}

/// The operations that turn the first list into the second, equal ranges included: the result of
/// Myers' algorithm in `similar`. Equal items get the same number and the numbers are compared, so
/// that the algorithm is compiled once and not for each type.
pub fn list_diff<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<DiffOp> {
    let known = IdentifyDistinct::<u32>::new(old, 0..old.len(), new, 0..new.len());
    let old: Vec<u32> = known.old_range().map(|at| known.old_lookup()[at]).collect();
    let new: Vec<u32> = known.new_range().map(|at| known.new_lookup()[at]).collect();
    diff_numbers(&old, &new)
}

fn diff_numbers(old: &[u32], new: &[u32]) -> Vec<DiffOp> {
    let mut hook = Compact::new(Replace::new(Capture::new()), old, new);
    let (all_old, all_new) = (0..old.len(), 0..new.len());
    let Ok(()) = myers::diff_deadline(&mut hook, old, all_old, new, all_new, None);
    hook.into_inner().into_inner().into_ops()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use similar::{Algorithm, capture_diff_slices};

    use super::*;

    proptest! {
        #[test]
        fn the_unified_diff_is_that_of_the_library(
            old in "([a-d]\n){0,24}[a-d]?",
            new in "([a-d]\n){0,24}[a-d]?",
            context in 0_usize..4,
        ) {
            let expected = similar::TextDiff::from_lines(&old, &new);
            let expected = expected.unified_diff().context_radius(context).header("a", "b").to_string();
            prop_assert_eq!(LineChanges::new(&old, &new).unified_with_names(context, ("a", "b")), expected);
        }
    }

    proptest! {
        #[test]
        fn numbered_diff_equals_item_diff(
            old in prop::collection::vec("[a-e]{0,2}", 0..40),
            new in prop::collection::vec("[a-e]{0,2}", 0..40),
        ) {
            prop_assert_eq!(list_diff(&old, &new), capture_diff_slices(Algorithm::Myers, &old, &new));
        }
    }
}
