//! Pairs the elements of two lists without identifying keys, so that paired elements have as many
//! values as possible in common.

use super::canonical::canonical_text;
use crate::engine::yaml::Node;

/// The limit on compared pairs of elements; elements of longer lists are paired by index.
const MAX_PAIRS_COMPARED: usize = 10_000;

/// Pairs of indices into both lists, in the order of both lists. Each element of the shorter list
/// is in one pair, and paired elements have as many values as possible in common.
pub(super) fn pair_by_similarity(old: &[Node], new: &[Node]) -> Vec<(usize, usize)> {
    let pairs = old.len().min(new.len());
    if old.len() == new.len() || old.len().saturating_mul(new.len()) > MAX_PAIRS_COMPARED {
        return (0..pairs).map(|at| (at, at)).collect();
    }
    if old.len() > new.len() {
        return align_shorter_list(new, old).into_iter().map(|(other, one)| (one, other)).collect();
    }
    align_shorter_list(old, new)
}

/// Assigns each element of the shorter list an element of the longer one, in the order of both.
fn align_shorter_list(few: &[Node], many: &[Node]) -> Vec<(usize, usize)> {
    let spare = many.len() - few.len();
    let score: Vec<Vec<usize>> = few
        .iter()
        .enumerate()
        .map(|(at, one)| {
            many[at..=at + spare].iter().map(|other| count_common_values(one, other)).collect()
        })
        .collect();
    // `best[at][skipped]`: the highest score for the elements of `few` from `at` on, after
    // `skipped` elements of `many` were left out.
    let mut best = vec![vec![0; spare + 1]; few.len() + 1];
    for at in (0..few.len()).rev() {
        let mut most = 0;
        for skipped in (0..=spare).rev() {
            most = most.max(score[at][skipped] + best[at + 1][skipped]);
            best[at][skipped] = most;
        }
    }
    let mut skipped = 0;
    let place = |at: usize| {
        while score[at][skipped] + best[at + 1][skipped] < best[at][skipped] {
            skipped += 1;
        }
        (at, at + skipped)
    };
    (0..few.len()).map(place).collect()
}

/// The number of values that two elements have in common, at the same keys.
fn count_common_values(one: &Node, other: &Node) -> usize {
    match (one.as_mapping(), other.as_mapping(), one.items(), other.items()) {
        (Some(_), Some(_), ..) => {
            let entries = one.entries().iter();
            let of = |key: &Node| other.entries().iter().find(|entry| entry.key.same_value(key));
            entries
                .filter_map(|entry| Some(count_common_values(&entry.value, &of(&entry.key)?.value)))
                .sum()
        }
        (.., Some(one), Some(other)) => {
            let others: Vec<String> = other.iter().map(canonical_text).collect();
            one.iter().filter(|item| others.contains(&canonical_text(item))).count()
        }
        _ => usize::from(canonical_text(one) == canonical_text(other)),
    }
}
