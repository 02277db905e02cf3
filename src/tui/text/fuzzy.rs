//! Finds names with the letters of a text in their order and close together.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

pub(crate) struct FuzzyMatcher {
    pattern: Pattern,
    matcher: Matcher,
    /// The minimum score: lower scores are coincidences.
    floor: u32,
}

impl FuzzyMatcher {
    /// `floor` is the minimum score, made from the score of the text itself.
    pub(crate) fn new(
        text: &str,
        (config, case): (Config, CaseMatching),
        floor: fn(Option<u32>) -> u32,
    ) -> Self {
        let mut matcher = Matcher::new(config);
        let pattern = Pattern::parse(text, case, Normalization::Smart);
        let itself = pattern.score(Utf32Str::new(text, &mut Vec::new()), &mut matcher);
        Self { pattern, matcher, floor: floor(itself) }
    }

    pub(crate) fn matches(&mut self, name: &str) -> bool {
        let score = self.pattern.score(Utf32Str::new(name, &mut Vec::new()), &mut self.matcher);
        score.is_some_and(|score| score >= self.floor)
    }
}
