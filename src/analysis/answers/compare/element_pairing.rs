//! Pairs the elements of two lists without identifying keys, so that paired elements have as many
//! values as possible in common. A value counts more if few elements have it.

use super::canonical::canonical_text;
use crate::engine::resource::{QuickMap, QuickSet};
use crate::engine::yaml::Node;

/// The limit on compared pairs of elements; elements of longer lists are paired by index.
const MAX_PAIRS_COMPARED: usize = 10_000;
/// The weight of a value that only one element has.
const VALUE_WEIGHT: usize = 10_000;

/// Pairs of indices into both lists, in the order of both lists. Elements between two pairs that
/// have no value in common with another element are paired by their order.
pub(super) fn pair_by_similarity(old: &[Node], new: &[Node]) -> Vec<(usize, usize)> {
    if old.len().saturating_mul(new.len()) > MAX_PAIRS_COMPARED {
        return (0..old.len().min(new.len())).map(|at| (at, at)).collect();
    }
    let values = |items: &[Node]| items.iter().map(values_of).collect::<Vec<_>>();
    let (before, after) = (values(old), values(new));
    let mut elements: QuickMap<&str, usize> = QuickMap::default();
    for value in before.iter().chain(&after).flatten() {
        *elements.entry(value).or_default() += 1;
    }
    let weight = |value: &String| VALUE_WEIGHT / elements.get(value.as_str()).copied().unwrap_or(1);
    let score = |one: &QuickSet<String>, other: &QuickSet<String>| -> usize {
        one.iter().filter(|value| other.contains(*value)).map(weight).sum()
    };
    let scores: Vec<Vec<usize>> =
        before.iter().map(|one| after.iter().map(|other| score(one, other)).collect()).collect();
    let score = |at: usize, by: usize| Some(scores[at][by]).filter(|score| *score > 0);
    let mut pairs = Vec::new();
    let mut ends = (0, 0);
    for (at, by) in best_pairs([old.len(), new.len()], score) {
        pairs.extend((ends.0..at).zip(ends.1..by));
        pairs.push((at, by));
        ends = (at + 1, by + 1);
    }
    pairs.extend((ends.0..old.len()).zip(ends.1..new.len()));
    pairs
}

/// The pairs of indices into two lists, in the order of both, with the highest sum of scores.
/// Elements without a score are no pair.
pub(super) fn best_pairs(
    [olds, news]: [usize; 2],
    score: impl Fn(usize, usize) -> Option<usize>,
) -> Vec<(usize, usize)> {
    // `best[at][by]`: the highest sum for the elements from `at` and from `by` on.
    let mut best = vec![vec![0; news + 1]; olds + 1];
    for at in (0..olds).rev() {
        for by in (0..news).rev() {
            let paired = score(at, by).map_or(0, |score| score + best[at + 1][by + 1]);
            best[at][by] = paired.max(best[at + 1][by]).max(best[at][by + 1]);
        }
    }
    let mut pairs = Vec::new();
    let (mut at, mut by) = (0, 0);
    while at < olds && by < news {
        if score(at, by).is_some_and(|score| score + best[at + 1][by + 1] == best[at][by]) {
            pairs.push((at, by));
            (at, by) = (at + 1, by + 1);
        } else if best[at + 1][by] == best[at][by] {
            at += 1;
        } else {
            by += 1;
        }
    }
    pairs
}

fn values_of(node: &Node) -> QuickSet<String> {
    let mut values = QuickSet::default();
    add_values(node, "", &mut values);
    values
}

fn add_values(node: &Node, path: &str, values: &mut QuickSet<String>) {
    if node.as_mapping().is_some() {
        for entry in node.entries() {
            let key = entry.key.text().unwrap_or_default();
            add_values(&entry.value, &format!("{path}.{key}"), values);
        }
    } else if let Some(items) = node.items() {
        values.extend(items.iter().map(|item| format!("{path}[]{}", canonical_text(item))));
    } else {
        values.insert(format!("{path}={}", canonical_text(node)));
    }
}
