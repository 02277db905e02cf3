//! Searches a text for many other texts at once (Aho and Corasick): the cost grows with the sum of
//! the lengths, not with their product.

use std::ops::Range;

use crate::engine::resource::QuickMap;

/// The initial state, without any byte.
const ROOT: u32 = 0;

/// A state of the automaton: the last bytes are the beginning of one of the texts.
#[derive(Clone, Copy, Debug)]
struct AutomatonState {
    /// The state for the longest shorter suffix of these bytes that is also the start of a text.
    fail: u32,
    /// The number of the longest text that is a suffix of these bytes.
    longest: Option<u32>,
}

/// A text to find.
#[derive(Clone, Copy, Debug)]
struct SearchText {
    length: usize,
    /// The longest other text that is a suffix of this text.
    suffix: Option<u32>,
}

/// A search for many texts in one pass. The texts are numbered in their order.
#[derive(Debug)]
pub(super) struct MultiTextSearch {
    next: QuickMap<(u32, u8), u32>,
    states: Vec<AutomatonState>,
    texts: Vec<SearchText>,
}

impl MultiTextSearch {
    /// Searches for these texts, the longest first; no text is empty or repeated.
    pub(super) fn new<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let mut many = Self {
            next: QuickMap::default(),
            states: vec![AutomatonState { fail: ROOT, longest: None }],
            texts: Vec::new(),
        };
        // New states are created by depth. Each level lists the parent state, the byte and the new
        // state.
        let mut levels: Vec<Vec<(u32, u8, u32)>> = Vec::new();
        let mut ends = Vec::new();
        for text in texts {
            let mut state = ROOT;
            for (depth, byte) in text.bytes().enumerate() {
                let before = state;
                if let Some(known) = many.next.get(&(before, byte)) {
                    state = *known;
                    continue;
                }
                state = to_number(many.states.len());
                many.next.insert((before, byte), state);
                many.states.push(AutomatonState { fail: ROOT, longest: None });
                if levels.len() == depth {
                    levels.push(Vec::new());
                }
                if let Some(level) = levels.get_mut(depth) {
                    level.push((before, byte, state));
                }
            }
            if let Some(state) = many.states.get_mut(state as usize) {
                state.longest = Some(to_number(many.texts.len()));
            }
            ends.push(state);
            let length = text.len();
            many.texts.push(SearchText { length, suffix: None });
        }
        for (before, byte, state) in levels.into_iter().flatten() {
            many.set_fallback(before, byte, state);
        }
        for (text, end) in ends.into_iter().enumerate() {
            let suffix = many.state(many.state(end).fail).longest;
            if let Some(known) = many.texts.get_mut(text) {
                known.suffix = suffix;
            }
        }
        many
    }

    /// Sets the state that the automaton enters after a mismatch in `state`, which is reached from
    /// `before` by `byte`. States of fewer bytes must be complete.
    fn set_fallback(&mut self, before: u32, byte: u8, state: u32) {
        let fail = if before == ROOT { ROOT } else { self.step(self.state(before).fail, byte) };
        let inherited = self.state(fail).longest;
        if let Some(state) = self.states.get_mut(state as usize) {
            state.fail = fail;
            state.longest = state.longest.or(inherited);
        }
    }

    /// The state with this number.
    fn state(&self, state: u32) -> AutomatonState {
        self.states
            .get(state as usize)
            .copied()
            .unwrap_or(AutomatonState { fail: ROOT, longest: None })
    }

    /// The searched text with this number; an empty one for an unknown number.
    fn searched_text(&self, text: u32) -> SearchText {
        let none = SearchText { length: 0, suffix: None };
        self.texts.get(text as usize).copied().unwrap_or(none)
    }

    /// The state after `state` and one more byte.
    fn step(&self, mut state: u32, byte: u8) -> u32 {
        loop {
            if let Some(next) = self.next.get(&(state, byte)) {
                return *next;
            }
            if state == ROOT {
                return ROOT;
            }
            state = self.state(state).fail;
        }
    }

    /// For each position at which a text ends, the number of the longest text that ends there.
    fn longest_matches<'s>(&'s self, text: &'s str) -> impl Iterator<Item = (u32, usize)> + 's {
        let mut state = ROOT;
        text.bytes().enumerate().filter_map(move |(at, byte)| {
            state = self.step(state, byte);
            Some((self.state(state).longest?, at + 1))
        })
    }

    /// Every occurrence of every text.
    pub(super) fn all_occurrences<'s>(
        &'s self,
        text: &'s str,
    ) -> impl Iterator<Item = (usize, Range<usize>)> + 's {
        self.longest_matches(text).flat_map(move |(longest, end)| {
            std::iter::successors(Some(longest), move |it| self.searched_text(*it).suffix).map(
                move |it| (it as usize, end.saturating_sub(self.searched_text(it).length)..end),
            )
        })
    }

    /// The byte ranges that occurrences of texts cover, in order. Overlapping occurrences are one
    /// range, with the number of the longest text. A text that is not wanted must not end in a
    /// wanted text.
    pub(super) fn covered_ranges(
        &self,
        text: &str,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Vec<(usize, Range<usize>)> {
        let mut found: Vec<(usize, Range<usize>)> = Vec::new();
        for (number, end) in
            self.longest_matches(text).filter(|(number, _)| is_wanted(*number as usize))
        {
            let mut start = end.saturating_sub(self.searched_text(number).length);
            let mut longest = number as usize;
            while let Some((other, range)) = found.pop_if(|(_, range)| range.end > start) {
                (start, longest) = (start.min(range.start), longest.min(other));
            }
            found.push((longest, start..end));
        }
        found
    }
}

/// An index as the number of a state or text. A build has fewer than four thousand million bytes,
/// and therefore fewer states and texts.
fn to_number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;
    use proptest::prelude::*;

    /// The reference implementation of the search for the test: searches for one text after the
    /// other.
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
