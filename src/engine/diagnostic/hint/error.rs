//! What to do about an error.

use std::path::PathBuf;

use crate::load::LoadAdvice;
use crate::resource::{Narrowing, WayOut};

use super::Hint;
use super::missed::{PartMissed, PatchMissed, PathEnd};

/// What to do about what a step could not do. It is worded where it is shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ErrorHint {
    /// What is written under one field belongs under another one.
    #[error("list it under `{0}:`")]
    ListUnder(String),
    /// One of several has to be chosen: what they are called.
    #[error("name one: {}", .0.join(", "))]
    NameOne(Vec<String>),
    /// Of several files one counts: their names.
    #[error("keep one of {}", .0.join(", "))]
    KeepOne(Vec<String>),
    /// A key stands twice.
    #[error("remove one of the two `{0}`")]
    RepeatedKey(String),
    /// A field has nearly the name that is written.
    #[error("did you mean `{0}`?")]
    Field(String),
    /// Later versions have the field: the one that does not.
    #[error("Kustomize {0} does not have this field; a later one does")]
    LaterField(&'static str),
    /// A word that YAML 1.1 reads as a boolean is meant as a text.
    #[error("`{0}` is a boolean in YAML 1.1, which kustomization files are read as: write \"{0}\"")]
    Boolean(String),
    /// A number or a boolean is meant as a text.
    #[error("quote it: \"{0}\"")]
    Quote(String),
    /// A text stands where a list of texts is asked for: its first line.
    #[error("write a list: `- {0}`")]
    List(String),
    /// A path stands where an entry is asked for.
    #[error("write `- path: {0}`")]
    PathEntry(String),
    /// The `apiVersion` that a file of its kind has.
    #[error("write `apiVersion: {0}`, or leave the field out")]
    ApiVersion(&'static str),
    /// Two field specs disagree about `create`.
    #[error(
        "`{path}` of {} has `create: {create}` here and `create: {}` for {} before",
        every_kind(kind),
        !create,
        every_kind(other)
    )]
    Create {
        /// The path of both.
        path: String,
        /// The kind that the second one is for; empty for every kind.
        kind: String,
        /// What the second one says.
        create: bool,
        /// The kind that the first one is for; empty for every kind.
        other: String,
    },
    /// An option of an Argo CD Application writes over what is there.
    #[error("`{0}: true` in the Application overrides it")]
    Force(&'static str),
    /// The version of the built-in schema that is asked for, which is another than the one that there is.
    #[error("the only built-in version is v1.21.2; this is `{0}`")]
    SchemaVersion(String),
    /// A resource has an id that another one has already.
    #[error(transparent)]
    Twin(Twin),
    /// A key of a `ConfigMap` or Secret was there before.
    #[error("the key is first {}", key_place(file.as_deref(), *line))]
    FirstKey {
        /// The file, when it is another one.
        file: Option<String>,
        /// The line.
        line: u32,
    },
    /// A text is neither kind of patch: why not a strategic merge patch, and why not a JSON6902 patch.
    #[error("as a strategic merge patch: {0}; as a JSON6902 patch: {1}")]
    NeitherPatch(String, String),
    /// A strategic merge patch finds no resource.
    #[error("{0}")]
    PatchMissed(PatchMissed),
    /// A JSON pointer leads nowhere.
    #[error("{0}")]
    PathEnd(PathEnd),
    /// The path of a replacement leads nowhere.
    #[error("{0}")]
    PartMissed(PartMissed),
    /// A selector matches nothing.
    #[error("{}", nothing_selected(.0))]
    NothingSelected(Box<Narrowing>),
    /// An object has words for volumes: its kind and its name.
    #[error(
        "a volume is a word there, and Kustomize looks for its image since v5.7.0: load {0} {1} in a layer that \
         `images` does not reach, or build as before with --like v5.6.0"
    )]
    VolumesAreWords(String, String),
    /// An annotation with the value `disabled` keeps substitution away from an object.
    #[error("the annotation '{0}: disabled' leaves the object as it is")]
    Unsubstituted(&'static str),
    /// A file of values is the one of the chart.
    #[error("the values are those of {0}")]
    ValuesOf(String),
    /// A file of values holds nothing.
    #[error("{0} holds no values: write `{{}}` into it")]
    NoValues(String),
    /// A chart is neither there nor to be pulled: where it could be.
    #[error("put the chart into {}, or give it a `repo`", .0.display())]
    NoChart(PathBuf),
    /// A plugin has no program either: where it could be.
    #[error("no program {} either; Go plugins do not run here", .0.display())]
    NoProgram(PathBuf),
    /// A file or a directory cannot be loaded.
    #[error(transparent)]
    Load(LoadAdvice),
    /// A flag allows it.
    #[error("{0} allows it")]
    Flag(&'static str),
    /// A flag allows programs on this machine.
    #[error("it runs on this machine with your rights; {0} allows that")]
    ProgramsFlag(&'static str),
    /// A catalog has another digest than the one that was trusted: how it is called on a command line.
    #[error("see what changed with 'kzui trust diff {0}'")]
    TrustDiff(String),
    /// A catalog is not trusted: how it is called on a command line.
    #[error("Review it with 'kzui view catalog {0}' and pass --trusted-catalog={0}")]
    Review(String),
    /// Several things, one after the other.
    #[error("{}", joined(.0))]
    All(Vec<Hint>),
}

/// Where the resource comes from that has an id already.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Twin {
    /// Its place; by which entries the two come is the same, or not known.
    #[error("the same id comes from {0}; rename or remove one")]
    At(String),
    /// One and the same place comes in twice: the place, and the ways.
    #[error(
        "{place} comes in twice: by {}, and by {}; list it once, or make each overlay on it a Component (`kind: Component`, listed \
         under `components:`)",
        way(&.ways.0),
        way(&.ways.1)
    )]
    Same {
        /// File and line.
        place: String,
        /// The entries that lead there, from the root's on.
        ways: Box<(Vec<ListedAt>, Vec<ListedAt>)>,
    },
    /// Another place, and the ways to both, that of the older one first.
    #[error(
        "the same id comes from {place}, by {}; this one comes by {}: rename or remove one",
        way(&.ways.0),
        way(&.ways.1)
    )]
    Other {
        /// File and line of the older one.
        place: String,
        /// The entries that lead to each, from the root's on.
        ways: Box<(Vec<ListedAt>, Vec<ListedAt>)>,
    },
}

/// An entry of a list on the way to a resource.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}{}", in_brackets(name))]
pub struct ListedAt {
    /// The file that lists it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// What it lists; empty where that is not known.
    pub name: String,
}

impl ErrorHint {
    /// The names of resources that may have been meant.
    pub(super) fn names(&self) -> Vec<&str> {
        match self {
            Self::PatchMissed(missed) => missed.names(),
            Self::NothingSelected(narrowing) => {
                let hinted = narrowing.hint.iter().flat_map(WayOut::names);
                hinted.chain(narrowing.nearest.as_deref()).collect()
            }
            Self::All(hints) => hints.iter().flat_map(Hint::names).collect(),
            _ => Vec::new(),
        }
    }
}

fn nothing_selected(why: &Narrowing) -> String {
    let way_out = why.hint.as_ref().map(|way_out| format!("; {way_out}"));
    format!("{why}{}", way_out.unwrap_or_default())
}

fn every_kind(kind: &str) -> &str {
    if kind.is_empty() { "every kind" } else { kind }
}

fn key_place(file: Option<&str>, line: u32) -> String {
    file.map_or_else(|| format!("on line {line}"), |file| format!("at {file}:{line}"))
}

fn in_brackets(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" ({name})") }
}

fn way(entries: &[ListedAt]) -> String {
    entries.iter().map(ToString::to_string).collect::<Vec<_>>().join(" → ")
}

fn joined(hints: &[Hint]) -> String {
    hints.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
