//! What is said of names, references, labels and vars.

use crate::diagnostic::Code;
use crate::diagnostic::object::Object;
use crate::resource::{Gvk, ResId};

/// What Kustomize makes of a name, or does not make of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameRemark {
    /// A new name reads as something else than a string.
    #[error(
        "the new name of {id} is {text} without quotes, which Kustomize prints as something other than a string"
    )]
    NotAString {
        /// The resource.
        id: Box<ResId>,
        /// The name.
        text: String,
    },
    /// The hash in the name of a resource is not known.
    #[error(
        "the hash in the name of {0} is not known: Kustomize computes it from line numbers and styles"
    )]
    UnknownHash(Object),
    /// A reference has a name that a resource had before.
    #[error(transparent)]
    OldName(Box<OldName>),
    /// A field for labels of one type hides the same of all types.
    #[error(
        "the field {path} is given for {gvk} only, so Kustomize no longer labels it in other types"
    )]
    LabelFieldHidden {
        /// The field.
        path: String,
        /// The type.
        gvk: Box<Gvk>,
    },
    /// No field says the name of a var: the name.
    #[error("well-defined vars that were never replaced: {0}")]
    VarUnused(String),
    /// A field says the name of a var, and Kustomize does not look at it.
    #[error(
        "well-defined vars that were never replaced: {name}; {path} of {object} still says $({name})"
    )]
    VarLeftOver {
        /// The var.
        name: String,
        /// The field.
        path: String,
        /// Its resource.
        object: Object,
    },
    /// A whole text is one var that is no text: its name.
    #[error(
        "$({0}) is the whole text here, so Kustomize writes the var's number or boolean, not a string"
    )]
    VarRetypes(String),
    /// A var is a mapping or a list: its name.
    #[error("var {0} is a mapping or a list, so $({0}) stays as it is")]
    VarCollection(String),
}

/// A reference that was left alone although it names what a resource was called before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} still says {says}, a name that {meant} had before: {held_back}")]
pub struct OldName {
    /// The field, as a path, and the resource that it is in.
    pub field: ReferringField,
    /// The name in it.
    pub says: String,
    /// The resource that once had the name.
    pub meant: ResId,
    /// What kept them apart.
    pub held_back: HeldBack,
}

/// A field that refers to something: `spec/volumeName of …`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path} of {id}")]
pub struct ReferringField {
    /// The field, as a path with slashes.
    pub path: String,
    /// Its resource.
    pub id: ResId,
}

/// What keeps Kustomize from following a reference.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeldBack {
    /// A `roleRef` is for another type.
    #[error("roleRef.apiGroup or roleRef.kind says another type")]
    Role,
    /// The two are in different namespaces.
    #[error("it is in namespace {there}, the reference in {}", own_namespace(here))]
    Namespace {
        /// Of the resource.
        there: String,
        /// Of the reference; empty for none.
        here: String,
    },
    /// The reference says the namespace.
    #[error("the reference says namespace {says}, the resource came from {from}")]
    SaysNamespace {
        /// What it says.
        says: String,
        /// Where the resource came from.
        from: String,
    },
    /// The two were renamed differently.
    #[error(
        "prefixes and suffixes do not agree ({:?} {:?} against {:?} {:?}), so several resources of that name rule each \
         other out",
        here.0, here.1, there.0, there.1
    )]
    Affixes {
        /// Prefixes and suffixes of the resource that refers.
        here: (Vec<std::sync::Arc<str>>, Vec<std::sync::Arc<str>>),
        /// Those of the resource that is meant.
        there: (Vec<std::sync::Arc<str>>, Vec<std::sync::Arc<str>>),
    },
}

impl NameRemark {
    pub(super) fn code(&self) -> Code {
        match self {
            Self::NotAString { .. } => Code::KZ112,
            Self::UnknownHash(_) => Code::KZ125,
            Self::OldName(_) => Code::KZ113,
            Self::LabelFieldHidden { .. } => Code::KZ114,
            Self::VarUnused(_) => Code::KZ115,
            Self::VarLeftOver { .. } => Code::KZ123,
            Self::VarRetypes(_) => Code::KZ116,
            Self::VarCollection(_) => Code::KZ117,
        }
    }
}

fn own_namespace(namespace: &str) -> &str {
    if namespace.is_empty() { "none, which Kustomize takes for default" } else { namespace }
}
