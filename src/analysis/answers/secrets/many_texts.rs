//! Searches for many texts in another at once (Aho and Corasick): the cost grows with the sum of
//! the lengths, not with their product.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;

use crate::engine::resource::QuickMap;

/// The initial state, without any byte.
const ROOT: u32 = 0;

/// A state: the start of a text that the last bytes form.
#[derive(Clone, Copy, Debug)]
struct State {
    /// The longest other start of a text that is a suffix of these bytes.
    fail: u32,
    /// The number of the longest text that is a suffix of these bytes.
    longest: Option<u32>,
}

/// One of the texts.
#[derive(Clone, Copy, Debug)]
struct Known {
    length: usize,
    /// The longest other text that is a suffix of it.
    suffix: Option<u32>,
    /// The number of other texts that are suffixes of it.
    depth: usize,
    /// A distant suffix, chosen so that each suffix is reached within a few jumps.
    jump: Option<u32>,
}

/// Texts, numbered in their order, with an automaton that finds all of them in one pass.
#[derive(Debug)]
pub(super) struct ManyTexts {
    next: QuickMap<(u32, u8), u32>,
    states: Vec<State>,
    texts: Vec<Known>,
}

impl ManyTexts {
    /// Searches for these texts, the longest first, none of them empty or repeated.
    pub(super) fn new<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let mut many = Self {
            next: QuickMap::default(),
            states: vec![State { fail: ROOT, longest: None }],
            texts: Vec::new(),
        };
        // By number of bytes: the state before each new state, and the byte between them.
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
                state = number(many.states.len());
                many.next.insert((before, byte), state);
                many.states.push(State { fail: ROOT, longest: None });
                if levels.len() == depth {
                    levels.push(Vec::new());
                }
                if let Some(level) = levels.get_mut(depth) {
                    level.push((before, byte, state));
                }
            }
            if let Some(state) = many.states.get_mut(state as usize) {
                state.longest = Some(number(many.texts.len()));
            }
            ends.push(state);
            let length = text.len();
            many.texts.push(Known { length, suffix: None, depth: 0, jump: None });
        }
        for (before, byte, state) in levels.into_iter().flatten() {
            many.fall_back(before, byte, state);
        }
        for (text, end) in ends.into_iter().enumerate().rev() {
            many.chain(text, end);
        }
        many
    }

    /// Sets the fallback of a state; states of fewer bytes must be complete.
    fn fall_back(&mut self, before: u32, byte: u8, state: u32) {
        let fail = if before == ROOT { ROOT } else { self.step(self.state(before).fail, byte) };
        let inherited = self.state(fail).longest;
        if let Some(state) = self.states.get_mut(state as usize) {
            state.fail = fail;
            state.longest = state.longest.or(inherited);
        }
    }

    /// Sets the suffix of a text; shorter texts must be complete.
    fn chain(&mut self, text: usize, end: u32) {
        let suffix = self.state(self.state(end).fail).longest;
        let depth = suffix.map_or(0, |suffix| self.known(suffix).depth + 1);
        let jump = suffix.map(|suffix| {
            let near = self.known(suffix);
            let Some(far) = near.jump.map(|jump| self.known(jump)) else { return suffix };
            let beyond = far.jump.map(|jump| self.known(jump).depth);
            let is_balanced = beyond.is_some_and(|it| near.depth - far.depth == far.depth - it);
            if is_balanced { far.jump.unwrap_or(suffix) } else { suffix }
        });
        if let Some(known) = self.texts.get_mut(text) {
            *known = Known { suffix, depth, jump, ..*known };
        }
    }

    fn state(&self, state: u32) -> State {
        self.states.get(state as usize).copied().unwrap_or(State { fail: ROOT, longest: None })
    }

    fn known(&self, text: u32) -> Known {
        let none = Known { length: 0, suffix: None, depth: 0, jump: None };
        self.texts.get(text as usize).copied().unwrap_or(none)
    }

    /// The state after one more byte.
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

    /// For every position at which a text ends, the number of the longest one.
    fn ends<'s>(&'s self, text: &'s str) -> impl Iterator<Item = (u32, usize)> + 's {
        let mut state = ROOT;
        text.bytes().enumerate().filter_map(move |(at, byte)| {
            state = self.step(state, byte);
            Some((self.state(state).longest?, at + 1))
        })
    }

    /// Every occurrence of every text.
    pub(super) fn all<'s>(
        &'s self,
        text: &'s str,
    ) -> impl Iterator<Item = (usize, Range<usize>)> + 's {
        self.ends(text).flat_map(move |(longest, end)| {
            std::iter::successors(Some(longest), move |it| self.known(*it).suffix)
                .map(move |it| (it as usize, end.saturating_sub(self.known(it).length)..end))
        })
    }

    /// The occurrences that are left if each text, the longest first, takes its occurrences from
    /// left to right unless they overlap with others; in order of position.
    pub(super) fn apart(&self, text: &str) -> Vec<(usize, Range<usize>)> {
        let mut waiting: BinaryHeap<Reverse<(u32, usize)>> = self.ends(text).map(Reverse).collect();
        let mut taken: BTreeMap<usize, (usize, u32)> = BTreeMap::new();
        while let Some(Reverse((number, end))) = waiting.pop() {
            let start = end.saturating_sub(self.known(number).length);
            match taken.range(..end).next_back() {
                Some((_, (until, _))) if *until >= end => {}
                Some((_, (until, _))) if *until > start => {
                    waiting.extend(self.shorter(number, end - until).map(|it| Reverse((it, end))));
                }
                _ => {
                    taken.insert(start, (end, number));
                }
            }
        }
        taken.into_iter().map(|(start, (end, number))| (number as usize, start..end)).collect()
    }

    /// The longest suffix of a text, among the texts, with at most `most` bytes.
    fn shorter(&self, text: u32, most: usize) -> Option<u32> {
        let mut found = Some(text);
        while let Some(known) = found.map(|it| self.known(it)).filter(|it| it.length > most) {
            let is_too_long = |it: &u32| self.known(*it).length > most;
            found = known.jump.filter(is_too_long).or(known.suffix);
        }
        found
    }
}

/// A number of a state or a text. A build has fewer than four thousand million bytes, and so fewer
/// of both.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition of [`ManyTexts::apart`]: searches for one text after the other.
    fn one_by_one(texts: &[String], text: &str) -> Vec<(usize, Range<usize>)> {
        let mut is_taken = vec![false; text.len()];
        let mut places = Vec::new();
        for (number, wanted) in texts.iter().enumerate() {
            for start in 0..text.len() {
                let place = start..start + wanted.len();
                let is_there = text.get(place.clone()) == Some(wanted);
                if is_there && !is_taken[place.clone()].contains(&true) {
                    is_taken[place.clone()].fill(true);
                    places.push((number, place));
                }
            }
        }
        places.sort_by_key(|(_, place)| place.start);
        places
    }

    proptest! {
        #[test]
        fn finds_what_one_after_the_other_would(texts in prop::collection::btree_set("[abé]{1,7}", 1..20), text in "[abé]{0,60}") {
            let mut texts: Vec<String> = texts.into_iter().collect();
            texts.sort_by_key(|text| Reverse(text.len()));
            let many = ManyTexts::new(texts.iter().map(String::as_str));
            prop_assert_eq!(many.apart(&text), one_by_one(&texts, &text));
            let mut all: Vec<(usize, Range<usize>)> = many.all(&text).collect();
            all.sort_by_key(|(number, place)| (*number, place.start));
            let mut each = Vec::new();
            for (number, wanted) in texts.iter().enumerate() {
                let starts = (0..text.len()).filter(|at| text.get(*at..).is_some_and(|it| it.starts_with(wanted)));
                each.extend(starts.map(|at| (number, at..at + wanted.len())));
            }
            prop_assert_eq!(all, each);
        }
    }

    #[test]
    fn long_chains_of_endings_are_jumped_over() {
        let texts: Vec<String> = (1..400).rev().map(|length| "a".repeat(length)).collect();
        let many = ManyTexts::new(texts.iter().map(String::as_str));
        for (most, at) in [(1, 398), (7, 392), (398, 1)] {
            assert_eq!(many.shorter(0, most), Some(at));
        }
        assert_eq!(many.shorter(0, 0), None);
        assert_eq!(many.apart(&"a".repeat(401)), [(0, 0..399), (397, 399..401)]);
    }
}
