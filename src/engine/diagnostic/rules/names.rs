//! Rules about names, references, labels and vars.

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
            "the new name of {} {} is {text} without quotes, which Kustomize prints as something other than a string",
            id.gvk.kind,
            id.name
        )]
        #[hint = "put the name in quotes in the resource's file"]
        NotAString { id: Box<ResId>, text: String },
    }

    KZ125 Warning "the hash of a name is not known" {
        means: "The object is neither a ConfigMap nor a Secret, and its annotations request a hash in its name. Kustomize computes that hash from the line, column and style of each node, and kzui does not: kzui appends a hash of the content.",
        action: "Remove the annotation `needsHashSuffix`, or compare the name with the one that Kustomize prints.",
        page: "tests/cases/diagnostics/hash-not-known.md",
        #[error(
            "the hash in the name of {0} is not known: Kustomize computes it from line numbers and styles"
        )]
        UnknownHash(Object),
    }

    KZ113 Warning "a reference still has an old name" {
        means: "A field that Kustomize updates as a reference still contains, at the end of the build, the name that a resource had before it was renamed.",
        action: "Follow the hint: it has the cause, a different namespace, role or prefix.",
        page: "tests/cases/diagnostics/reference-that-keeps-old-name.md",
        #[error(transparent)]
        OldName(Box<StaleReference>),
    }

    KZ114 Warning "a field spec for labels is overridden" {
        means: "A field spec for one type overrides the field spec with the same path for all types.",
        action: "Omit group, version and kind, or write it as a separate entry.",
        page: "tests/cases/diagnostics/label-field-hidden.md",
        #[error(
            "the field {path} is given for {gvk} only, so Kustomize no longer labels it in other types"
        )]
        #[hint = "omit group, version and kind, or write it as a separate entry"]
        LabelFieldHidden { path: String, gvk: Box<Gvk> },
    }

    KZ115 Note "a var is never replaced" {
        means: "The var is defined, and no field in which Kustomize replaces vars contains `$(NAME)`.",
        action: "Remove the var, or add the field with the placeholder to `varReference`.",
        page: "tests/cases/diagnostics/var-unused.md",
        effect: Unused,
        #[error("well-defined vars that were never replaced: {0}")]
        VarUnused(String),
    }

    KZ123 Warning "a placeholder of a var is left over" {
        means: "A field contains `$(NAME)`, and Kustomize does not replace vars in it: the text reaches the cluster unchanged.",
        action: "Name the field under `varReference` in a file listed under `configurations`, or use replacements.",
        page: "tests/cases/diagnostics/var-left-over.md",
        #[error(
            "well-defined vars that were never replaced: {name}; {} of {object} still contains $({name})",
            path.replace('/', ".")
        )]
        VarLeftOver { name: String, path: String, object: Object },
        #[error(
            "{} of {object} still contains $({name}), which is replaced in other fields",
            path.replace('/', ".")
        )]
        VarReplacedElsewhere { name: String, path: String, object: Object },
    }

    KZ116 Warning "a var changes the type of a value" {
        means: "The whole value is one var, so Kustomize writes its number or boolean, not a string.",
        action: "An env value must be a string: use replacements, or add text around it.",
        page: "tests/cases/diagnostics/var-type.md",
        #[error(
            "$({0}) is the whole value here, so Kustomize writes the var's number or boolean, not a string"
        )]
        VarRetypes(String),
    }

    KZ117 Warning "a var is a mapping or a list" {
        means: "Such a var cannot be part of a string: `$(NAME)` stays unchanged.",
        action: "Set `fieldref` to a field with a string, a number or a boolean.",
        page: "tests/cases/diagnostics/var-collection.md",
        #[error("var {0} is a mapping or a list, so $({0}) stays unchanged")]
        VarCollection(String),
    }
}

/// A reference that Kustomize did not update although it has the former name of a resource.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} still has the name {old_name}, which {} {} had before: {held_back}", renamed_resource.gvk.kind, renamed_resource.name)]
pub struct StaleReference {
    pub field: ReferringField,
    pub old_name: String,
    pub renamed_resource: ResId,
    /// The reason why Kustomize did not update the reference.
    pub held_back: String,
}

/// A field that refers to a resource: `spec.volumeName of PersistentVolumeClaim data`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} of {} {}", path.replace('/', "."), id.gvk.kind, id.name)]
pub struct ReferringField {
    pub path: String,
    pub id: ResId,
}
