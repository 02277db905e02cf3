//! The difference of two lists.

use std::hash::Hash;

use similar::DiffOp;
use similar::algorithms::{Capture, Compact, IdentifyDistinct, Replace, myers};

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
        fn numbered_diff_equals_item_diff(
            old in prop::collection::vec("[a-e]{0,2}", 0..40),
            new in prop::collection::vec("[a-e]{0,2}", 0..40),
        ) {
            prop_assert_eq!(list_diff(&old, &new), capture_diff_slices(Algorithm::Myers, &old, &new));
        }
    }
}
