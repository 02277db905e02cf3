//! Hints: how to resolve a diagnostic or an error.

mod duplicate_id;
mod missing_reference;

use std::fmt;

pub use duplicate_id::{DuplicateOrigin, EntryLocation};
pub use missing_reference::{IdDifference, NodeShape, PartMissed, PatchMissed, PathEnd};

use super::object::{EntryMove, joined};
use crate::load::LoadAdvice;
use crate::resource::{Narrowing, SelectorSuggestion};

/// How to resolve a diagnostic or an error. A hint has its own variant if code distinguishes it, to
/// make a fix from its values, for example; any other hint is a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Hint {
    #[error("{0}")]
    FixedText(&'static str),
    #[error("{0}")]
    Change(String),
    #[error("{}", joined(.0, "; "))]
    All(Vec<Hint>),
    #[error("the order is wrong: {moved}, and it builds now{}", before.as_ref().map(|hint| format!("; in the current order, {hint}")).unwrap_or_default())]
    Order { moved: Box<EntryMove>, before: Option<Box<Hint>> },
    #[error("{0}")]
    Selector(SelectorSuggestion),
    #[error("did you mean {0}?")]
    DidYouMean(String),
    /// The field that an unknown one probably means.
    #[error("did you mean `{0}`?")]
    Field(String),
    #[error("kustomization files are YAML 1.1, in which `{0}` is a boolean: write \"{0}\"")]
    Boolean(String),
    #[error("quote it: \"{0}\"")]
    Quote(String),
    #[error("write a list: `- {0}`")]
    List(String),
    #[error("write `- path: {0}`")]
    PathEntry(String),
    #[error("write `apiVersion: {0}`, or leave the field out")]
    ApiVersion(&'static str),
    #[error(transparent)]
    DuplicateId(#[from] DuplicateOrigin),
    #[error(transparent)]
    PatchMissed(#[from] PatchMissed),
    #[error(transparent)]
    PathEnd(#[from] PathEnd),
    #[error(transparent)]
    PartMissed(#[from] PartMissed),
    #[error("{}{}", .0, .0.hint.as_ref().map(|it| format!("; {it}")).unwrap_or_default())]
    NothingSelected(Box<Narrowing>),
    #[error(transparent)]
    Load(#[from] LoadAdvice),
    #[error("set at {0}:{1}")]
    ComesFrom(String, u32),
    #[error("{}", .0.words(None))]
    Overridden(OverrideAdvice),
    /// A later step makes a match for the entry.
    #[error("{0}")]
    Later(String),
    #[error("{}", tried(.0))]
    Verified(Box<Hint>),
}

/// The remedy for an entry whose values are overridden by later steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverrideAdvice {
    /// All values of the entry are overridden.
    All,
    /// The same entry comes again later in the same list.
    ListedTwice,
    /// All fields that the entry wrote are removed.
    Gone,
    One,
    Several,
}

impl Hint {
    /// The paths of the entries that do not exist, if the hint is about several.
    pub fn missing_entries(&self) -> &[String] {
        match self {
            Self::Load(
                LoadAdvice::MissingEntries(entries) | LoadAdvice::OnlyMissingEntries(entries),
            ) => entries,
            Self::All(hints) => hints
                .iter()
                .map(Self::missing_entries)
                .find(|it| !it.is_empty())
                .unwrap_or_default(),
            _ => &[],
        }
    }

    /// The similar names of resources that the hint contains.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::All(hints) => hints.iter().flat_map(Self::names).collect(),
            Self::Order { before: Some(hint), .. } | Self::Verified(hint) => hint.names(),
            Self::Selector(suggestion) => suggestion.names.iter().map(String::as_str).collect(),
            Self::PatchMissed(missed) => missed.names(),
            Self::NothingSelected(narrowing) => {
                let hinted = narrowing.hint.iter().flat_map(|hint| &hint.names);
                hinted.chain(&narrowing.nearest).map(String::as_str).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The text with the location that it refers to.
    pub fn at(&self, place: &str) -> String {
        match self {
            Self::ComesFrom(..) => format!("set at {place}"),
            Self::Overridden(what) => what.words(Some(place)),
            Self::Verified(hint) => tried(&hint.at(place)),
            _ => self.to_string(),
        }
    }
}

impl OverrideAdvice {
    /// The advice with this location; without a location, with the word "there" in its place.
    fn words(self, place: Option<&str>) -> String {
        let there = place.map_or_else(|| "there".to_owned(), |place| format!("at {place}"));
        match self {
            Self::All => format!("change the value {there}, or remove this entry"),
            Self::ListedTwice => "the entry is listed twice: remove one of the two".to_owned(),
            Self::Gone => "remove this entry".to_owned(),
            Self::One => format!("change the value {there}"),
            Self::Several => {
                format!("change the final values, the first of them {there}")
            }
        }
    }
}

impl From<&'static str> for Hint {
    fn from(words: &'static str) -> Self {
        Self::FixedText(words)
    }
}

impl From<String> for Hint {
    fn from(words: String) -> Self {
        Self::Change(words)
    }
}

impl From<&'static str> for Box<Hint> {
    fn from(words: &'static str) -> Self {
        Self::new(words.into())
    }
}

impl From<String> for Box<Hint> {
    fn from(words: String) -> Self {
        Self::new(words.into())
    }
}

impl From<OverrideAdvice> for Hint {
    fn from(what: OverrideAdvice) -> Self {
        Self::Overridden(what)
    }
}

fn tried(hint: &impl fmt::Display) -> String {
    format!("{hint}: the output of this target is the same without it")
}
