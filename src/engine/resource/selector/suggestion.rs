//! Suggestions for a selector without a match.

use std::collections::BTreeSet;

use super::PartChange;
use super::remedy::in_words;

/// A suggestion in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct SelectorSuggestion {
    pub text: String,
    /// The names of resources in the text.
    pub names: Vec<String>,
}

impl SelectorSuggestion {
    /// The suggestion of a change, after the existing values for the part that excludes all
    /// resources; `None` without both. `is_elsewhere` is true if the change does not affect that
    /// part.
    pub fn new(change: &[PartChange], there: Option<Self>, is_elsewhere: bool) -> Option<Self> {
        let (text, mut names) = match (there, in_words(change)) {
            (Some(Self { text, names }), Some(words)) => {
                let sign = if is_elsewhere { "; or" } else { ":" };
                (format!("{text}{sign} {words}"), names)
            }
            (Some(Self { text, names }), None) => (text, names),
            (None, words) => (words?, Vec::new()),
        };
        let changed = change.iter().filter(|change| change.part == "name");
        names.extend(changed.filter_map(|change| change.with.clone()));
        Some(Self { text, names })
    }
}

/// The first words in alphabetical order, each once, and their text; `None` if there are none.
pub(super) fn listed<'a>(words: impl Iterator<Item = &'a str>) -> Option<(Vec<String>, String)> {
    const SHOWN: usize = 5;
    let all: BTreeSet<&str> = words.collect();
    let shown: Vec<String> = all.iter().take(SHOWN).map(|word| (*word).to_owned()).collect();
    let more = if all.len() > SHOWN { ", …" } else { "" };
    let text = format!("{}{more}", shown.join(", "));
    (!shown.is_empty()).then_some((shown, text))
}

/// `a Deployment`, `an Ingress`, `an HTTPRoute`: by pronunciation.
pub fn with_article(kind: &str) -> String {
    let mut letters = kind.chars();
    let (first, second) = (letters.next().unwrap_or(' '), letters.next().unwrap_or(' '));
    // An abbreviation is spelled out, so that the name of its first letter decides the article.
    let is_spelt = first.is_ascii_uppercase() && second.is_ascii_uppercase();
    let vowels = if is_spelt { "AEFHILMNORSX" } else { "AEIOaeio" };
    let article = if vowels.contains(first) { "an" } else { "a" };
    format!("{article} {kind}")
}
