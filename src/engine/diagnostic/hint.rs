//! Hints: how to resolve a diagnostic or an error.

use std::fmt;

use super::object::{EntryMove, PlacedObject, joined};
use crate::load::LoadAdvice;
use crate::resource::{Narrowing, SelectorSuggestion};
use crate::yaml::{Node, Value};

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

/// The origin of another resource with the same id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DuplicateOrigin {
    #[error("the same id comes from {0}; rename or remove one")]
    At(String),
    #[error("{}", added_twice_text(place, renamed_by, ways))]
    Same {
        place: String,
        /// The fields of a layer that give a resource of this type another id.
        renamed_by: &'static [&'static str],
        /// The two chains of entries that lead to the same resource, from the root.
        ways: Box<(Vec<EntryLocation>, Vec<EntryLocation>)>,
    },
    #[error(
        "two resources have this id: {place}, listed at {}, and one listed at {}; {}",
        joined(&.ways.0, " → "),
        joined(&.ways.1, " → "),
        clash_remedy(ways)
    )]
    Other {
        place: String,
        /// The chain of entries that leads to each of the two resources, from the root.
        ways: Box<(Vec<EntryLocation>, Vec<EntryLocation>)>,
    },
}

/// How a resource is added twice, from the file in which the two chains of entries part.
fn added_twice_text(
    place: &str,
    renamed_by: &[&str],
    (one, other): &(Vec<EntryLocation>, Vec<EntryLocation>),
) -> String {
    let common = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let common = common.min(one.len().min(other.len()).saturating_sub(1));
    let (one, other) = (&one[common..], &other[common..]);
    let is_same_place = |(one, other): (&EntryLocation, &EntryLocation)| {
        (&one.file, one.line) == (&other.file, other.line)
    };
    // The name of an entry that is being loaded is not known: it lists the same file.
    if let ([first, inner @ ..], [second, other_inner @ ..]) = (one, other)
        && first.file == second.file
        && (first.name == second.name || second.name.is_empty())
        && inner.len() == other_inner.len()
        && inner.iter().zip(other_inner).all(is_same_place)
    {
        let EntryLocation { file, line, name } = first;
        return format!(
            "{file} lists {} twice, in lines {line} and {}: remove one of the entries",
            if name.is_empty() { place } else { name },
            second.line
        );
    }
    // Flux lists every folder below a path that has no kustomization.
    let is_kustomization = |file: &str| {
        let name = file.rsplit('/').next().unwrap_or_default();
        ["kustomization.yaml", "kustomization.yml", "Kustomization"].contains(&name)
    };
    let is_generated = one.first().zip(other.first()).is_some_and(|(one, other)| {
        one.file == other.file && one.line == other.line && !is_kustomization(&one.file)
    });
    let remedy = if is_generated {
        "set `path` to one of these folders, or add a kustomization above them that lists the deployed ones".to_owned()
    } else {
        format!("list it once{}", rename_choice(renamed_by))
    };
    format!(
        "{place} is added twice, by {} and by {}; {remedy}",
        joined(one, " → "),
        joined(other, " → ")
    )
}

/// The remedy for two resources with one id, by the entries that lead to each. A layer that adds its
/// own version of a resource of its base needs a patch.
fn clash_remedy((one, other): &(Vec<EntryLocation>, Vec<EntryLocation>)) -> &'static str {
    let is_above = |above: &[EntryLocation], below: &[EntryLocation]| {
        let inner = below.split_last().map(|(_, inner)| inner).unwrap_or_default();
        above.last().is_some_and(|last| inner.iter().any(|it| it.file == last.file))
    };
    if is_above(one, other) || is_above(other, one) {
        "to change the resource of the base, list the file under `patches`; otherwise rename or remove one"
    } else {
        "rename or remove one"
    }
}

/// An entry of a list on the way to a resource.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}{}", if name.is_empty() { String::new() } else { format!(" ({name})") })]
pub struct EntryLocation {
    pub file: String,
    pub line: u32,
    /// The listed name; empty if it is not known.
    pub name: String,
}

/// The continuation of a sentence that offers another id; empty if no field gives one.
fn rename_choice(fields: &[&str]) -> String {
    let Some((last, others)) = fields.split_last() else { return String::new() };
    let others: Vec<String> = others.iter().map(|field| format!("`{field}`")).collect();
    let others = others.join(", ");
    format!(", or rename it in one of the two layers ({others} or `{last}` there)")
}

/// The resources that a strategic merge patch without a match may be for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatchMissed {
    #[error("{kind} {name} {}", joined(other, ", and "))]
    SameKindAndName { kind: String, name: String, other: Vec<IdDifference> },
    #[error(
        "no {kind} exists at this step{}",
        other.as_ref().map(|other| format!(": {other} has the name of the patch")).unwrap_or_default()
    )]
    NoneOfKind { kind: String, other: Option<PlacedObject> },
    #[error("did you mean {name}?{}{}", if other.is_empty() { "" } else { " it " }, joined(other, ", and "))]
    SimilarName { name: String, other: Vec<IdDifference> },
    /// The name of a resource that is a part of the name in the patch.
    #[error("{0} is the name at this step")]
    CurrentName(String),
    #[error("resources of kind {}: {}", .0, .1.join(", "))]
    OfKind(String, Vec<String>),
    #[error(
        "it matches {}: give the entry a `target` that selects one of them, or patch each in the layer that adds it",
        joined(.0, " and ")
    )]
    Several(Vec<PlacedObject>),
}

/// A difference between the ids of a resource and of a patch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdDifference {
    #[error("has apiVersion {resource}, the patch has {patch}")]
    ApiVersion { resource: String, patch: String },
    /// An empty text means no namespace.
    #[error(
        "{}, the patch has {}",
        if resource.is_empty() { "has no namespace".to_owned() } else { format!("is in namespace {resource}") },
        if patch.is_empty() { "none" } else { patch }
    )]
    Namespace { resource: String, patch: String },
}

/// The last existing node on the path of a JSON pointer, and the next part, which is missing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} {}{there}",
    if place.is_empty() { "the root" } else { place },
    if let NodeShape::Keys(_) = there { format!("has no {segment}; it ") } else { String::new() }
)]
pub struct PathEnd {
    pub place: String,
    pub segment: String,
    pub there: NodeShape,
}

/// The last existing node on the path of a replacement, and the next part, which is missing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{}part {part} of the path does not exist: {} {there}{}",
    object.as_ref().map(|it| format!("{it} does not have the field: ")).unwrap_or_default(),
    if *part == 1 { "the resource" } else { "the field before it" },
    object.as_ref().map_or("", |_| {
        "; leave it out with `reject`, or create the field with `options: {create: true}`"
    })
)]
pub struct PartMissed {
    /// The resource without the field, if the replacement has several.
    pub object: Option<PlacedObject>,
    /// The number of the missing part, from 1.
    pub part: usize,
    pub there: NodeShape,
}

/// The shape of the node at the end of a path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NodeShape {
    /// The first keys of a mapping.
    #[error("has {}", .0.join(", "))]
    Keys(Vec<String>),
    #[error("has {0} elements")]
    Elements(usize),
    #[error("is a single value")]
    Scalar,
}

impl PatchMissed {
    fn names(&self) -> Vec<&str> {
        match self {
            Self::SameKindAndName { name, .. }
            | Self::SimilarName { name, .. }
            | Self::CurrentName(name) => vec![name],
            Self::OfKind(_, names) => names.iter().map(String::as_str).collect(),
            Self::Several(objects) => objects.iter().map(|object| &*object.name).collect(),
            Self::NoneOfKind { .. } => Vec::new(),
        }
    }
}

const MAX_KEYS_SHOWN: usize = 8;

impl NodeShape {
    /// The shape of a node.
    pub fn from_node(node: &Node) -> Self {
        match &node.value {
            Value::Mapping(mapping) => {
                let keys = mapping.entries.iter().filter_map(|entry| entry.key.text());
                Self::Keys(keys.take(MAX_KEYS_SHOWN).map(str::to_owned).collect())
            }
            Value::Sequence(items, _) => Self::Elements(items.len()),
            Value::Scalar(_) => Self::Scalar,
        }
    }
}
