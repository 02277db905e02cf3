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
    use super::*;

    #[test]
    fn overlapping_texts_are_covered_as_one() {
        let texts: Vec<String> = (1..400).rev().map(|length| "a".repeat(length)).collect();
        let many = MultiTextSearch::new(texts.iter().map(String::as_str));
        assert_eq!(many.covered_ranges(&"a".repeat(401), |_| true), [(0, 0..401)]);
        let many = MultiTextSearch::new(["one-two", "two-six", "six"].into_iter());
        assert_eq!(many.covered_ranges("one-two-six six", |_| true), [(0, 0..11), (2, 12..15)]);
    }
}
