//! Builds that each revert half of the edits: a few builds identify the edit that causes each of
//! many differences.
//!
//! Every edit is reverted in a different set of builds, and all sets have the same size. A
//! difference that is gone in exactly the builds without one edit depends on this edit alone: a
//! difference that needs two edits reverted is gone in fewer builds, and a difference that either
//! of two edits reverts is gone in more builds.

use std::collections::BTreeSet;
use std::ops::Range;

use super::remaining_differences::RemainingDifferences;

/// The lowest number of edits, and of differences, for which groups need fewer builds than single
/// edits.
pub(super) const MIN_GROUPED_EDITS: usize = 10;

/// A range of edits, and the builds that each revert a group of these edits.
pub(super) struct EditGroups {
    edits: Range<usize>,
    codes: Vec<u32>,
    left: Vec<RemainingDifferences>,
}

impl EditGroups {
    /// Builds once without each group of edits. If a build fails, each half of the edits is grouped
    /// separately. `build` returns `None` for a failed build, and if no trials remain.
    pub(super) fn build(
        edits: Range<usize>,
        build: &mut dyn FnMut(&BTreeSet<usize>) -> Option<RemainingDifferences>,
    ) -> Vec<Self> {
        if edits.len() < MIN_GROUPED_EDITS {
            return Vec::new();
        }
        let (width, codes) = balanced_codes(edits.len());
        let groups = (0..width).map(|bit| {
            let is_in = |(_, code): &(usize, &u32)| **code & (1 << bit) != 0;
            let numbers = edits.clone().zip(&codes).filter(is_in).map(|(number, _)| number);
            build(&numbers.collect())
        });
        if let Some(left) = groups.collect() {
            return vec![Self { edits, codes, left }];
        }
        let middle = edits.start + edits.len() / 2;
        let mut found = Self::build(edits.start..middle, build);
        found.extend(Self::build(middle..edits.end, build));
        found
    }

    /// The edit that is reverted in exactly the builds in which a difference is gone: `Err` if the
    /// difference is gone in other builds, `Ok(None)` if in none.
    pub(super) fn find_edit(
        &self,
        is_gone: impl Fn(&RemainingDifferences) -> bool,
    ) -> Result<Option<usize>, ()> {
        let bits = self.left.iter().enumerate();
        let pattern =
            bits.fold(0, |pattern, (bit, left)| pattern | (u32::from(is_gone(left)) << bit));
        if pattern == 0 {
            return Ok(None);
        }
        let at = self.codes.binary_search(&pattern).map_err(|_| ())?;
        Ok(Some(self.edits.start + at))
    }
}

/// `count` different numbers of the same width, each with half of its bits set, in ascending order;
/// and the width in bits.
fn balanced_codes(count: usize) -> (u32, Vec<u32>) {
    // The number of codes of this width, by the formula for binomial coefficients.
    let enough = |width: &u32| {
        (0..width / 2).fold(1, |all, at| all * (u64::from(width - at)) / u64::from(at + 1))
            >= count as u64
    };
    let width = (2..=30).step_by(2).find(enough).unwrap_or(30);
    let next = |code: &u32| {
        // The next number with the same number of set bits (Gosper's hack).
        let low = code & code.wrapping_neg();
        let ripple = code + low;
        Some((((ripple ^ code) >> 2) / low) | ripple)
    };
    let first = (1 << (width / 2)) - 1;
    (width, std::iter::successors(Some(first), next).take(count).collect())
}

#[cfg(test)]
mod tests {
    use super::super::remaining_differences::DifferenceKey;
    use super::*;

    fn key(path: &str) -> DifferenceKey {
        DifferenceKey { resource: "r".to_owned(), path: path.to_owned(), added: None }
    }

    #[test]
    fn only_differences_of_single_edits_are_attributed() {
        let mut builds = 0;
        let mut build = |reverted: &BTreeSet<usize>| {
            builds += 1;
            let mut left: Vec<DifferenceKey> = (0..100)
                .filter(|number| !reverted.contains(number))
                .map(|number| key(&format!("f{number}")))
                .collect();
            let (one, other) = (reverted.contains(&3), reverted.contains(&60));
            left.extend((!(one && other)).then(|| key("both")));
            left.extend((!(one || other)).then(|| key("either")));
            Some(left.into_iter().collect())
        };
        let groups = EditGroups::build(0..100, &mut build);
        assert_eq!((groups.len(), builds), (1, 10), "100 edits in 10 builds");
        let edit = |path: &str| groups[0].find_edit(|left| !left.has(&key(path)));
        for number in 0..100 {
            assert_eq!(edit(&format!("f{number}")), Ok(Some(number)));
        }
        assert_eq!((edit("both"), edit("either")), (Err(()), Err(())));
    }

    #[test]
    fn edits_that_fail_to_build_alone_are_left_ungrouped() {
        let mut builds = 0;
        let mut build = |reverted: &BTreeSet<usize>| {
            builds += 1;
            if reverted.contains(&10) != reverted.contains(&11) {
                return None;
            }
            let left = (0..200).filter(|number| !reverted.contains(number));
            Some(left.map(|number| key(&format!("f{number}"))).collect())
        };
        let groups = EditGroups::build(0..200, &mut build);
        let grouped: usize = groups.iter().map(|group| group.edits.len()).sum();
        assert!(grouped >= 200 - 2 * MIN_GROUPED_EDITS, "{grouped}");
        assert!(builds < 60, "{builds}");
    }
}
