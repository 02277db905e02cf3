//! Suggestions for a selector without a match.

use std::collections::BTreeSet;
use std::fmt;

use super::PartChange;
use super::remedy::in_words;

/// Suggestions as data; their text is created where they are displayed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SelectorSuggestion {
    /// The existing values for the part that excludes all resources, if they add information to the
    /// change.
    pub available_values: Option<AvailableValues>,
    pub change: Vec<PartChange>,
    /// True if the change does not affect the part that excludes all resources.
    pub is_elsewhere: bool,
}

/// The existing values for a part of a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AvailableValues {
    /// Resources of the same kind with another group or version.
    OtherType { kind: String, api_version: String },
    /// The namespaces of resources that match the other parts.
    Namespaces(TruncatedList),
    /// All resources of the type, of this kind, are cluster-scoped.
    NoNamespace(String),
    /// The names of resources that match the other parts.
    Names(TruncatedList),
    /// `labels` or `annotations`, `KEY=VALUE`; `None` if the resources have none.
    Metadata(&'static str, Option<TruncatedList>),
}

/// Words in order, up to a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TruncatedList {
    pub shown: Vec<String>,
    pub has_more: bool,
}

const SHOWN: usize = 5;

impl TruncatedList {
    /// The first words in alphabetical order, each once; `None` if there are none.
    pub(super) fn from_words<'a>(words: impl Iterator<Item = &'a str>) -> Option<Self> {
        // One more word than is shown, to detect that the list is truncated.
        let mut first: BTreeSet<&str> = BTreeSet::new();
        for word in words {
            if first.len() <= SHOWN || first.last().is_some_and(|last| word < *last) {
                first.insert(word);
            }
            if first.len() > SHOWN + 1 {
                first.pop_last();
            }
        }
        let shown: Vec<String> = first.iter().take(SHOWN).map(|word| (*word).to_owned()).collect();
        let has_more = first.len() > shown.len();
        (!shown.is_empty()).then_some(Self { shown, has_more })
    }
}

impl SelectorSuggestion {
    pub(super) fn is_empty(&self) -> bool {
        self.available_values.is_none() && self.change.is_empty()
    }

    /// The names of resources in the suggestions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let there = match &self.available_values {
            Some(AvailableValues::Names(listed)) => &listed.shown[..],
            Some(
                AvailableValues::OtherType { .. }
                | AvailableValues::Namespaces(_)
                | AvailableValues::NoNamespace(_)
                | AvailableValues::Metadata(..),
            )
            | None => &[],
        };
        let changed = self.change.iter().filter(|change| change.part == "name");
        let changed = changed.filter_map(|change| change.with.as_deref());
        there.iter().map(String::as_str).chain(changed)
    }
}

impl fmt::Display for SelectorSuggestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.available_values, in_words(&self.change)) {
            // A change that does not affect the excluding part is a separate suggestion, not a
            // value for that part.
            (Some(there), Some(words)) if self.is_elsewhere => write!(f, "{there}; or {words}"),
            (Some(there), Some(words)) => write!(f, "{there}: {words}"),
            (Some(there), None) => write!(f, "{there}"),
            (None, words) => f.write_str(&words.unwrap_or_default()),
        }
    }
}

impl fmt::Display for AvailableValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherType { kind, api_version } => write!(
                f,
                "a {kind} of apiVersion {api_version} exists; the target's group or version excludes it"
            ),
            Self::Namespaces(listed) => write!(f, "available namespaces: {listed}"),
            Self::NoNamespace(kind) => write!(f, "{} has no namespace", with_article(kind)),
            Self::Names(listed) => write!(f, "available names: {listed}"),
            Self::Metadata(word, Some(listed)) => write!(f, "available {word}: {listed}"),
            Self::Metadata(word, None) => write!(f, "these resources have no {word}"),
        }
    }
}

impl fmt::Display for TruncatedList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = if self.has_more { ", …" } else { "" };
        write!(f, "{}{more}", self.shown.join(", "))
    }
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
