//! Names, references, labels and vars.

use std::sync::Arc;

use crate::diagnostic::object::Object;
use crate::resource::{Gvk, ResId};

super::rules! {
    /// A name, a reference, a label field or a var that Kustomize handles in a surprising way.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum NameRemark;

    KZ112 Warning "a new name is not a string any more" {
        means: "With prefix or suffix the name reads as a number, a date or a boolean, and Kustomize prints it without quotes.",
        action: "Put the name in quotes in the resource's file.",
        page: "tests/cases/diagnostics/name-not-a-string.md",
        #[error(
            "the new name of {id} is {text} without quotes, which Kustomize prints as something other than a string"
        )]
        #[hint = "put the name in quotes in the resource's file"]
        NotAString { id: Box<ResId>, text: String },
    }

    KZ125 Warning "the hash of a name is not known" {
        means: "The object is no ConfigMap and no Secret, and asks for a hash in its name. Kustomize makes that hash of where each of its nodes stands in a text, and behind a function, or a patch that puts other annotations in the place of all, nobody sees where they stand.",
        action: "Take the annotation `needsHashSuffix` away, or look at the name that Kustomize gives it.",
        page: "tests/cases/diagnostics/hash-not-known.md",
        #[error(
            "the hash in the name of {0} may be another in Kustomize, which makes it of the place of every field: a step \
             before made fields whose places nobody sees"
        )]
        UnknownHash(Object),
    }

    KZ113 Warning "a reference still has an old name" {
        means: "A field that Kustomize knows as a reference has a name that a resource had before it was renamed, and still has it at the end of the build: something kept Kustomize from following it.",
        action: "Follow the hint: namespace, role or prefixes keep the two apart.",
        page: "tests/cases/diagnostics/reference-held-back.md",
        #[error(transparent)]
        OldName(Box<OldName>),
    }

    KZ114 Warning "a label's field is hidden" {
        means: "A field that is given for one type takes the place of the same field for all types.",
        action: "Leave group, version and kind out, or make it an entry of its own.",
        page: "tests/cases/diagnostics/label-field-hidden.md",
        #[error(
            "the field {path} is given for {gvk} only, so Kustomize no longer labels it in other types"
        )]
        #[hint = "leave group, version and kind out, or make it an entry of its own"]
        LabelFieldHidden { path: String, gvk: Box<Gvk> },
    }

    KZ115 Warning "a var is never replaced" {
        means: "The var is defined, and no field that Kustomize looks at holds `$(NAME)`.",
        action: "Remove the var, or name the field that holds the placeholder under `varReference`.",
        page: "tests/cases/diagnostics/var-unused.md",
        effect: Unused,
        #[error("well-defined vars that were never replaced: {0}")]
        VarUnused(String),
    }

    KZ123 Warning "a placeholder of a var is left over" {
        means: "A field says `$(NAME)`, and Kustomize does not look for vars there: the text reaches the cluster as it is.",
        action: "Name the field under `varReference` in a file of `configurations`, or use replacements.",
        page: "tests/cases/diagnostics/var-left-over.md",
        #[error(
            "well-defined vars that were never replaced: {name}; {path} of {object} still says $({name})"
        )]
        VarLeftOver { name: String, path: String, object: Object },
    }

    KZ116 Warning "a var makes another type of a text" {
        means: "The whole text is one var, so that Kustomize writes its number or boolean, not a string.",
        action: "An env value must be a string: use replacements, or add text around it.",
        page: "tests/cases/diagnostics/var-type.md",
        #[error(
            "$({0}) is the whole text here, so Kustomize writes the var's number or boolean, not a string"
        )]
        VarRetypes(String),
    }

    KZ117 Warning "a var is a mapping or a list" {
        means: "Such a var cannot stand in a text: `$(NAME)` stays as it is.",
        action: "Name a field that holds a text, a number or a boolean.",
        page: "tests/cases/diagnostics/var-collection.md",
        #[error("var {0} is a mapping or a list, so $({0}) stays as it is")]
        VarCollection(String),
    }
}

/// A reference that Kustomize did not update although it has the former name of a resource.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} still says {says}, a name that {meant} had before: {held_back}")]
pub struct OldName {
    pub field: ReferringField,
    pub says: String,
    /// The resource that had the name.
    pub meant: ResId,
    pub held_back: NotFollowedCause,
}

/// A field that refers to a resource: `spec/volumeName of …`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path} of {id}")]
pub struct ReferringField {
    pub path: String,
    pub id: ResId,
}

/// Prefixes and suffixes.
type Affixes = (Vec<Arc<str>>, Vec<Arc<str>>);

/// Why Kustomize does not update a reference.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotFollowedCause {
    #[error("roleRef.apiGroup or roleRef.kind says another type")]
    Role,
    #[error("it is in namespace {there}, the reference in {}", own_namespace(here))]
    /// `there` is the resource's, `here` the reference's; empty for none.
    Namespace { there: String, here: String },
    #[error("the reference says namespace {says}, the resource came from {from}")]
    SaysNamespace { says: String, from: String },
    #[error(
        "prefixes and suffixes do not agree ({:?} {:?} against {:?} {:?}), so several resources of that name rule each \
         other out",
        here.0, here.1, there.0, there.1
    )]
    Affixes { here: Affixes, there: Affixes },
}

fn own_namespace(namespace: &str) -> &str {
    if namespace.is_empty() { "none, which Kustomize takes for default" } else { namespace }
}
