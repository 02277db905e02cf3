//! Where something leads nowhere, and what is there instead.

use std::fmt;

/// What a strategic merge patch, which finds no resource, may have been meant for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatchMissed {
    /// A resource of its kind and name: in what it is another one.
    Namesake {
        /// Kind and name.
        kind: String,
        /// The name.
        name: String,
        /// What is not the same.
        other: Vec<OtherPart>,
    },
    /// There is nothing of the kind.
    NoneOfKind(String),
    /// A resource of nearly its name: in what it is another one besides.
    Near {
        /// The name.
        name: String,
        /// What is not the same.
        other: Vec<OtherPart>,
    },
    /// A resource whose name at this step is a part of the one that the patch has.
    CalledNow(String),
    /// The kind, and resources of it.
    OfKind(String, Vec<String>),
}

/// A part of its id but the name in which a resource is another than the one that a patch names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OtherPart {
    /// The `apiVersion`.
    ApiVersion {
        /// That of the resource.
        is: String,
        /// That of the patch.
        says: String,
    },
    /// The namespace; an empty one is none.
    Namespace {
        /// That of the resource.
        is: String,
        /// That of the patch.
        says: String,
    },
}

/// How far a JSON pointer can be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathEnd {
    /// The pointer up to there; empty for the root.
    pub place: String,
    /// The key or number that is not there.
    pub segment: String,
    /// What is there.
    pub there: Found,
}

/// How far the path of a replacement can be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartMissed {
    /// Which part of the path leads nowhere, from 1 on.
    pub part: usize,
    /// What is there.
    pub there: Found,
}

/// What stands where a path ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A mapping: its first keys.
    Keys(Vec<String>),
    /// A list: how many elements it has.
    Elements(usize),
    /// A scalar.
    Value,
}

impl PatchMissed {
    /// The names of the resources that may have been meant.
    pub(super) fn names(&self) -> Vec<&str> {
        match self {
            Self::Namesake { name, .. } | Self::Near { name, .. } | Self::CalledNow(name) => {
                vec![name]
            }
            Self::OfKind(_, names) => names.iter().map(String::as_str).collect(),
            Self::NoneOfKind(_) => Vec::new(),
        }
    }
}

impl fmt::Display for PatchMissed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Namesake { kind, name, other } => write!(f, "{kind} {name} {}", all(other)),
            Self::NoneOfKind(kind) => write!(f, "there is no {kind} here"),
            Self::Near { name, other } if other.is_empty() => write!(f, "did you mean {name}?"),
            Self::Near { name, other } => write!(f, "did you mean {name}? it {}", all(other)),
            Self::CalledNow(name) => write!(f, "{name} is the name at this step"),
            Self::OfKind(kind, names) => {
                write!(f, "resources of kind {kind}: {}", names.join(", "))
            }
        }
    }
}

fn all(parts: &[OtherPart]) -> String {
    parts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", and ")
}

impl fmt::Display for OtherPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ApiVersion { is, says } => {
                write!(f, "is of apiVersion {is}, the patch says {says}")
            }
            Self::Namespace { is, says } => match (&**is, &**says) {
                ("", says) => write!(f, "has no namespace, the patch says {says}"),
                (is, "") => write!(f, "is in namespace {is}, the patch says none"),
                (is, says) => write!(f, "is in namespace {is}, the patch says {says}"),
            },
        }
    }
}

impl fmt::Display for PathEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, segment, there } = self;
        let place = if place.is_empty() { "the root" } else { place };
        match there {
            Found::Keys(keys) => write!(f, "{place} has no {segment}; it has {}", keys.join(", ")),
            Found::Elements(count) => write!(f, "{place} has {count} elements"),
            Found::Value => write!(f, "{place} is a single value"),
        }
    }
}

impl fmt::Display for PartMissed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.part == 1 { "the resource" } else { "the field before it" };
        write!(f, "part {} of the path is not in {place}: ", self.part)?;
        match &self.there {
            Found::Keys(keys) => write!(f, "it has {}", keys.join(", ")),
            Found::Elements(count) => write!(f, "it has {count} elements"),
            Found::Value => f.write_str("it is a single value"),
        }
    }
}

/// Some of the keys of a mapping are enough to see what it is.
const KEYS_SHOWN: usize = 8;

impl Found {
    /// What a node is.
    pub fn of(node: &crate::yaml::Node) -> Self {
        use crate::yaml::Value;
        match &node.value {
            Value::Mapping(mapping) => {
                let keys = mapping.entries.iter().filter_map(|entry| entry.key.text());
                Self::Keys(keys.take(KEYS_SHOWN).map(str::to_owned).collect())
            }
            Value::Sequence(items, _) => Self::Elements(items.len()),
            Value::Scalar(_) => Self::Value,
        }
    }
}
