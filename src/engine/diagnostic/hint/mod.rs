//! What to do about what a diagnostic or an error says.

mod error;
mod missed;

use std::fmt;

pub use error::{ErrorHint, ListedAt, Twin};
pub use missed::{Found, OtherPart, PartMissed, PatchMissed, PathEnd};

use super::object::{EntryMove, Object, StepName};
use crate::resource::WayOut;

/// What to do. It is worded where it is shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Hint {
    /// The same in each case.
    #[error("{0}")]
    Always(&'static str),
    /// What to do about an error.
    #[error(transparent)]
    Error(Box<ErrorHint>),
    /// An error goes away when an entry moves.
    #[error("it is the order: {moved}, and the build succeeds{}", as_it_is(before.as_deref()))]
    Order {
        /// The entry, and where it goes.
        moved: Box<EntryMove>,
        /// What else there is to do.
        before: Option<Box<Hint>>,
    },
    /// What a selector would have to say.
    #[error("{0}")]
    Selector(WayOut),
    /// A word that is nearly the one that is written.
    #[error("did you mean {0}?")]
    DidYouMean(String),
    /// A text that is nearly the one that is written.
    #[error("did you mean {0:?}?")]
    DidYouMeanText(String),
    /// The words that are known.
    #[error("write one of: {}", .0.join(", "))]
    OneOf(&'static [&'static str]),
    /// A key that has to be on both sides.
    #[error("write {0} in both, or in neither")]
    InBoth(String),
    /// The elements that have an image already.
    #[error("give it an image, or name one of: {}", .0.join(", "))]
    Containers(Vec<String>),
    /// An image has a tag or a digest in its name: the name without.
    #[error("a name has no tag and no digest: did you mean {0}?")]
    BareImage(String),
    /// A field that `images` does not look at has the image.
    #[error("{object} has it in {path}, {}", not_looked_at(object, path, *is_image))]
    ImageElsewhere {
        /// The resource.
        object: Object,
        /// The field, as a path with slashes.
        path: String,
        /// The field holds nothing else.
        is_image: bool,
    },
    /// Images that containers have, and how many others there are.
    #[error("images here: {}{}", .0.join(", "), and_more(*.1))]
    Images(Vec<String>, usize),
    /// No field says the name of a var: the name.
    #[error("no field says $({0}): the var is unused in this target")]
    VarUnused(String),
    /// The field that holds a var has to be named: its path, and the kind that it is of.
    #[error("name the field in a file of `configurations`: varReference, path {0}, kind {1}")]
    VarReference(String, String),
    /// A field has to be named as a reference.
    #[error(
        "in a file of `configurations`: nameReference: [{{kind: {kind}, fieldSpecs: [{{path: {path}, group: {group}, \
         kind: {of}}}]}}]"
    )]
    NameReference {
        /// What it refers to.
        kind: String,
        /// The field, as a path with slashes.
        path: String,
        /// The group that it is of.
        group: String,
        /// The kind that it is of.
        of: String,
    },
    /// The address that a Service has now: its name, and its namespace.
    #[error("write {0}.{1}.svc, or {0} for what is in the same namespace")]
    Address(String, String),
    /// The annotation by which a hash is asked for.
    #[error("take the annotation {0} away, or look at the name that Kustomize gives it")]
    WithoutHash(&'static str),
    /// Catalogs that were not read.
    #[error("fetch it with 'kzui catalog fetch {}'", .0.join(", "))]
    FetchCatalog(Vec<String>),
    /// The last part of a text: its index, and the part, where it may be told.
    #[error("parts are counted from 0: index {} is {}", .0, last_part(.1.as_deref()))]
    LastPart(usize, Option<String>),
    /// What another release asks for, and its name.
    #[error("{0}; `kzui compat --to {1}` tells every difference")]
    Release(&'static str, &'static str),
    /// Where what a patch says is written already: the end of the file's path, and the line.
    #[error("it comes from {0}:{1}")]
    ComesFrom(String, u32),
    /// Where a value is written that counts.
    #[error("{}", .0.words(None))]
    WrittenOver(WrittenOver),
    /// What the entry is for comes later.
    #[error(transparent)]
    Later(Later),
    /// What is to be done, and that the entry is for nothing was tried.
    #[error("{}", tried(.0))]
    Tried(Box<Hint>),
}

/// What to do where a later step writes over what an entry wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenOver {
    /// Nothing is left of the entry, and a value stands where it wrote.
    All,
    /// Nothing is left of the entry, and nothing stands where it wrote.
    Gone,
    /// One value is not left.
    One,
    /// Several are not left.
    Several,
}

/// Which later step makes what an entry is for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Later {
    /// It calls a resource as the entry does already now.
    #[error("{now:?} is the name at this step: {by}, calls the {kind} {then:?} later")]
    Renames {
        /// The name at this step.
        now: String,
        /// The step.
        by: StepName,
        /// The kind of the resource.
        kind: String,
        /// The name that it gives.
        then: String,
    },
    /// It moves a resource into the namespace that the entry says already now.
    #[error("{now:?} is the namespace at this step: {by}, moves the {kind} to {then:?} later")]
    Moves {
        /// The namespace at this step.
        now: String,
        /// The step.
        by: StepName,
        /// The kind of the resource.
        kind: String,
        /// The namespace to which it moves it.
        then: String,
    },
    /// It belongs to another entry of the same list: the step, and the place of the entry, from 1.
    #[error("{0}, entry {1} of the same list, makes it: move this entry below that one")]
    SameList(StepName, usize),
    /// It belongs to another component of the same list.
    #[error("{by}, in the component {other}, makes it: move the component {own} below {other}")]
    Component {
        /// The step.
        by: StepName,
        /// The component that it is in.
        other: String,
        /// The component that the entry is in.
        own: String,
    },
    /// It is somewhere else.
    #[error("{0}, brings it in later: this entry has to come after it")]
    Elsewhere(StepName),
}

impl Hint {
    /// In words, with the whole path and line of the place that it speaks of.
    pub fn at(&self, place: &str) -> String {
        match self {
            Self::ComesFrom(..) => format!("it comes from {place}"),
            Self::WrittenOver(what) => what.words(Some(place)),
            Self::Tried(hint) => tried(&hint.at(place)),
            Self::Always(_)
            | Self::Error(_)
            | Self::Order { .. }
            | Self::Selector(_)
            | Self::DidYouMean(_)
            | Self::DidYouMeanText(_)
            | Self::OneOf(_)
            | Self::InBoth(_)
            | Self::Containers(_)
            | Self::BareImage(_)
            | Self::ImageElsewhere { .. }
            | Self::Images(..)
            | Self::VarUnused(_)
            | Self::VarReference(..)
            | Self::NameReference { .. }
            | Self::Address(..)
            | Self::WithoutHash(_)
            | Self::FetchCatalog(_)
            | Self::LastPart(..)
            | Self::Release(..)
            | Self::Later(_) => self.to_string(),
        }
    }
}

impl WrittenOver {
    /// In words; where the place is not told, it is *there*.
    fn words(self, place: Option<&str>) -> String {
        let there = place.map_or_else(|| "there".to_owned(), |place| format!("at {place}"));
        match self {
            Self::All => format!("change the value {there}, or remove this entry"),
            Self::Gone => "remove this entry".to_owned(),
            Self::One => format!("change the value {there}"),
            Self::Several => {
                format!("change the values where they are written last: the first of them {there}")
            }
        }
    }
}

impl From<&'static str> for Hint {
    fn from(words: &'static str) -> Self {
        Self::Always(words)
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

impl From<Later> for Hint {
    fn from(later: Later) -> Self {
        Self::Later(later)
    }
}

impl From<WrittenOver> for Hint {
    fn from(what: WrittenOver) -> Self {
        Self::WrittenOver(what)
    }
}

impl Hint {
    /// The names of resources that may have been meant.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::Error(hint) => hint.names(),
            Self::Order { before: Some(hint), .. } | Self::Tried(hint) => hint.names(),
            Self::Selector(way_out) => way_out.names().collect(),
            _ => Vec::new(),
        }
    }
}

fn as_it_is(hint: Option<&Hint>) -> String {
    hint.map(|hint| format!("; as it is, {hint}")).unwrap_or_default()
}

fn tried(hint: &impl fmt::Display) -> String {
    format!("{hint}: the output of this target is the same without it")
}

fn not_looked_at(object: &Object, path: &str, is_image: bool) -> String {
    if is_image {
        format!(
            "which is no field of images to Kustomize: name it under `images` in a file of `configurations` (path: {path}, \
             kind: {})",
            object.kind
        )
    } else {
        "inside a text that `images` does not look at".to_owned()
    }
}

fn and_more(count: usize) -> String {
    if count == 0 { String::new() } else { format!(" and {count} more") }
}

fn last_part(part: Option<&str>) -> String {
    part.map_or_else(|| "the last".to_owned(), |part| format!("{part:?}"))
}
