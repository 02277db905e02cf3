//! Searches a text for many other texts in one pass.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

/// A search for many texts. The texts are numbered in their order.
#[derive(Debug)]
pub(super) struct MultiTextSearch(AhoCorasick);

impl MultiTextSearch {
    /// Searches for these texts, the longest first; no text is empty or repeated.
    pub(super) fn new<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        // A DFA, the default for a few texts, has a table for each byte of long values.
        let kind = Some(AhoCorasickKind::ContiguousNFA);
        let search = AhoCorasick::builder().kind(kind).build(texts);
        #[expect(
            clippy::expect_used,
            reason = "a build reads fewer bytes than the limit of states"
        )]
        Self(search.expect("the texts of a build fit into the automaton"))
    }

    pub(super) fn all_occurrences<'s>(
        &'s self,
        text: &'s str,
    ) -> impl Iterator<Item = (usize, Range<usize>)> + 's {
        let found = self.0.find_overlapping_iter(text);
        found.map(|found| (found.pattern().as_usize(), found.range()))
    }

    /// The byte ranges that occurrences of texts cover, in order. Overlapping occurrences are one
    /// range, with the number of the longest text.
    pub(super) fn covered_ranges(
        &self,
        text: &str,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Vec<(usize, Range<usize>)> {
        let mut covered: Vec<(usize, Range<usize>)> = Vec::new();
        for (mut longest, Range { mut start, end }) in
            self.all_occurrences(text).filter(|(number, _)| is_wanted(*number))
        {
            while let Some((other, range)) = covered.pop_if(|(_, range)| range.end > start) {
                (start, longest) = (start.min(range.start), longest.min(other));
            }
            covered.push((longest, start..end));
        }
        covered
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;
    use proptest::prelude::*;

    fn sequential_search(texts: &[String], text: &str) -> Vec<(usize, Range<usize>)> {
        let starts = |wanted: &'_ str| {
            let is_there = |at: &usize| text.get(*at..).is_some_and(|it| it.starts_with(wanted));
            (0..text.len()).filter(is_there).map(|at| at..at + wanted.len()).collect::<Vec<_>>()
        };
        let texts = texts.iter().enumerate();
        texts.flat_map(|(number, it)| starts(it).into_iter().map(move |at| (number, at))).collect()
    }

    proptest! {
        #[test]
        fn result_equals_sequential_search(texts in prop::collection::btree_set("[abé]{1,7}", 1..20), text in "[abé]{0,60}") {
            let mut texts: Vec<String> = texts.into_iter().collect();
            texts.sort_by_key(|text| Reverse(text.len()));
            let many = MultiTextSearch::new(texts.iter().map(String::as_str));
            let each = sequential_search(&texts, &text);
            let mut all: Vec<(usize, Range<usize>)> = many.all_occurrences(&text).collect();
            all.sort_by_key(|(number, place)| (*number, place.start));
            prop_assert_eq!(&all, &each);
            let covered = many.covered_ranges(&text, |_| true);
            let is_in = |at: usize, ranges: &[(usize, Range<usize>)]| ranges.iter().any(|(_, it)| it.contains(&at));
            for at in 0..text.len() {
                prop_assert_eq!(is_in(at, &covered), is_in(at, &each));
            }
            for ((_, one), (_, next)) in covered.iter().zip(covered.iter().skip(1)) {
                prop_assert!(one.end <= next.start);
            }
            for (number, range) in &covered {
                let within = each.iter().filter(|(_, it)| range.start <= it.start && it.end <= range.end);
                prop_assert_eq!(within.map(|(number, _)| number).min(), Some(number));
            }
        }
    }

    #[test]
    fn overlapping_texts_are_covered_as_one() {
        let texts: Vec<String> = (1..400).rev().map(|length| "a".repeat(length)).collect();
        let many = MultiTextSearch::new(texts.iter().map(String::as_str));
        assert_eq!(many.covered_ranges(&"a".repeat(401), |_| true), [(0, 0..401)]);
        let many = MultiTextSearch::new(["one-two", "two-six", "six"].into_iter());
        assert_eq!(many.covered_ranges("one-two-six six", |_| true), [(0, 0..11), (2, 12..15)]);
    }
}
