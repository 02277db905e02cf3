//! References without a target, and similar names or the end of the path.

use crate::diagnostic::{PlacedObject, joined};

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
    pub(super) fn names(&self) -> Vec<&str> {
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
    pub fn from_node(node: &crate::yaml::Node) -> Self {
        use crate::yaml::Value;
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
