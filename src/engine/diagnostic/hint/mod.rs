//! Hints: how to resolve a diagnostic or an error.

mod error;
mod missing_reference;

use std::fmt;

pub use error::{DuplicateOrigin, EntryLocation, ErrorHint};
pub use missing_reference::{IdDifference, NodeShape, PartMissed, PatchMissed, PathEnd};

use super::object::{EntryMove, Object, StepName, and_more};
use crate::resource::SelectorSuggestion;

/// How to resolve a diagnostic or an error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Hint {
    #[error("{0}")]
    FixedText(&'static str),
    #[error("{0}")]
    Change(String),
    #[error(transparent)]
    Error(Box<ErrorHint>),
    #[error("the order is wrong: {moved}, and it builds now{}", before.as_ref().map(|hint| format!("; in the current order, {hint}")).unwrap_or_default())]
    Order { moved: Box<EntryMove>, before: Option<Box<Hint>> },
    #[error("{0}")]
    Selector(SelectorSuggestion),
    #[error("did you mean {0}?")]
    DidYouMean(String),
    #[error("did you mean {0:?}?")]
    DidYouMeanText(String),
    #[error("write one of: {}", .0.join(", "))]
    OneOf(&'static [&'static str]),
    #[error("write {0} in both the patch and the resource, or in neither")]
    InBoth(String),
    #[error("set an image, or write the name of an existing container: {}", .0.join(", "))]
    Containers(Vec<String>),
    #[error("write the name without its tag or digest: did you mean {0}?")]
    BareImage(String),
    #[error("{object} has the image in {path}, {}", unsearched_image_text(object, path, *is_image))]
    ImageElsewhere {
        object: Object,
        path: String,
        /// True if the field contains only the image.
        is_image: bool,
    },
    #[error("{by}, has renamed the image before: did you mean {to}?")]
    ImageRenamed { by: StepName, to: String },
    #[error("images at this step: {}{}", .0.join(", "), and_more(*.1))]
    Images(Vec<String>, usize),
    #[error("no field contains $({0}): the var is unused in this target")]
    VarUnused(String),
    #[error(
        "add to a file listed under `configurations`: varReference: [{{path: {0}, kind: {1}}}]"
    )]
    VarReference(String, String),
    #[error(
        "add to a file listed under `configurations`: nameReference: [{{kind: {kind}, fieldSpecs: [{{path: {path}, group: {group}, \
         kind: {of}}}]}}]"
    )]
    NameReference { kind: String, path: String, group: String, of: String },
    #[error(
        "write the namespace {to} in place of {from}, or only the name of the Service within {to}"
    )]
    AddressNamespace { from: String, to: String },
    #[error("remove the annotation {0}, or compare with the name that Kustomize prints")]
    WithoutHash(&'static str),
    #[error("fetch it with `kzui catalog fetch {}`", .0.join(", "))]
    FetchCatalog(Vec<String>),
    #[error("parts are counted from 0: index {} is {}", .0, last_part(.1.as_deref()))]
    LastPart(usize, Option<String>),
    #[error("run `{command}` to choose an edit that writes the value{}", not_verified.as_ref().map(|it| format!("; no edit is verified: {it}")).unwrap_or_default())]
    SetValue {
        command: String,
        /// Why no build has verified an edit, if a trial has a pending step.
        not_verified: Option<String>,
    },
    #[error("{0}; `kzui compat --to {1}` lists every difference")]
    Release(&'static str, &'static str),
    #[error("set at {0}:{1}")]
    ComesFrom(String, u32),
    #[error("{}", .0.words(None))]
    Overridden(OverrideAdvice),
    #[error(transparent)]
    Later(#[from] LaterMatch),
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

/// The later step that makes a match for an entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaterMatch {
    #[error("{now:?} is the name at this step: {by}, renames the {kind} to {then:?} later")]
    Renames { now: String, by: StepName, kind: String, then: String },
    #[error(
        "{now:?} is the name at this step: Flux replaces the variable by {then:?} later; leave `name` out"
    )]
    Variable { now: String, then: String },
    #[error(
        "{now:?} is the namespace at this step: {by}, moves the {kind} to {then:?} later; select {now:?}, or leave the namespace out"
    )]
    Moves { now: String, by: StepName, kind: String, then: String },
    #[error(
        "{0}, entry {1} of the same list, creates the resource: move this entry below that entry"
    )]
    SameList(StepName, usize),
    #[error(
        "{by}, in the component {other}, creates the resource: move the component {own} below {other}"
    )]
    Component { by: StepName, other: String, own: String },
    #[error("{0}, adds the resource later: move this entry after that step")]
    SameLayer(StepName),
    /// The step is in a layer above, whose folder has this name.
    #[error("{0}, adds the resource later: move this entry into the kustomization of {1}")]
    OuterLayer(StepName, String),
}

impl Hint {
    /// See [`ErrorHint::missing_entries`].
    pub fn missing_entries(&self) -> &[String] {
        match self {
            Self::Error(hint) => hint.missing_entries(),
            _ => &[],
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

impl From<ErrorHint> for Hint {
    fn from(hint: ErrorHint) -> Self {
        Self::Error(Box::new(hint))
    }
}

impl From<&'static str> for Box<Hint> {
    fn from(words: &'static str) -> Self {
        Self::new(words.into())
    }
}

impl From<ErrorHint> for Box<Hint> {
    fn from(hint: ErrorHint) -> Self {
        Self::new(hint.into())
    }
}

impl From<OverrideAdvice> for Hint {
    fn from(what: OverrideAdvice) -> Self {
        Self::Overridden(what)
    }
}

impl Hint {
    /// The similar names of resources that the hint contains.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::Error(hint) => hint.names(),
            Self::Order { before: Some(hint), .. } | Self::Verified(hint) => hint.names(),
            Self::Selector(suggestion) => suggestion.names().collect(),
            _ => Vec::new(),
        }
    }
}

fn tried(hint: &impl fmt::Display) -> String {
    format!("{hint}: the output of this target is the same without it")
}

fn unsearched_image_text(object: &Object, path: &str, is_image: bool) -> String {
    if is_image {
        format!(
            "which Kustomize does not know as a field of images: name it under `images` in a file listed under `configurations` (path: {path}, \
             kind: {})",
            object.kind
        )
    } else {
        "inside a string that `images` does not search".to_owned()
    }
}

fn last_part(part: Option<&str>) -> String {
    part.map_or_else(|| "the last".to_owned(), |part| format!("{part:?}"))
}
