//! Entries of kustomization files that have no effect, or an overridden one.

use std::sync::Arc;

use crate::diagnostic::object::{Object, StepName, and_more};
use crate::diagnostic::unwritten::UnwrittenCause;
use crate::resource::{Narrowing, ResId};

super::rules! {
    /// An entry of a kustomization file that has less effect than it seems to have.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum EntryRemark;

    KZ101 Error "a patch has no match" {
        means: "The target of the patch selects no resource at its step. Kustomize prints no warning and exits 0.",
        action: "Compare each part of the target with the resources before the step; the message names the part that excludes them. The resources have their names without the prefixes and suffixes of the same kustomization.",
        page: "tests/cases/patches-sm/without-effect.md",
        effect: NoMatch,
        listing: Habit,
        #[error("the patch's target has no match: {0}")]
        PatchTarget(Box<Narrowing>),
    }

    KZ102 Warning "a target of a replacement has no match" {
        means: "The `select` of a replacement's target selects no resource at its step, or `reject` leaves none. The other targets are still written.",
        action: "Correct the selector, or remove the target.",
        page: "tests/cases/diagnostics/replacement-target.md",
        effect: NoMatch,
        #[error(
            "a target of the replacement has no match: {}",
            .0.as_ref().map_or_else(
                || "`reject` excludes all resources, or the resource has no explicit namespace".to_owned(),
                ToString::to_string
            )
        )]
        ReplacementTarget(Option<Box<Narrowing>>),
    }

    KZ103 Note "an entry has no effect: its values are already set" {
        means: "The entry matches resources, which already have the values that it writes, or deletes an object that is not there. In a patch file with several documents, the finding is at the document, and the others may have an effect.",
        action: "Remove the entry if no other target relies on it.",
        page: "tests/cases/patches-sm/without-effect.md",
        effect: Unchanged,
        #[error("the patch does not change {object}{}", already.as_ref().map(|it| format!(": {it}")).unwrap_or_default())]
        PatchChangesNothing { object: Object, already: Option<AlreadySet> },
        #[error("the replacement does not change {object}: {}", unchanged_text(paths, value.as_deref()))]
        ReplacementChangesNothing {
            object: Object,
            paths: Vec<String>,
            value: Option<String>,
        },
        #[error("there is no {kind} {name:?} to delete at this step")]
        NothingToDelete { kind: String, name: String },
        #[error("{field} {argument} has no effect: {}", already_set_text(*matched))]
        SaysSoAlready { field: &'static str, argument: Arc<str>, matched: usize },
    }

    KZ110 Warning "all values of an entry are overridden" {
        means: "Later steps of this build override everything that the entry writes. Verified by a build without the entry, which has the same output. Another target that uses the same entry may still need it: `kzui check` reports it only if every target that uses the entry overrides it, and as a note if another layer does, as overlays do, or if the later values are the same.",
        action: "Change the value where it is written last, or remove the entry.",
        page: "tests/cases/patches-sm/without-effect.md",
        effect: Overridden,
        #[error("no effect: {}", overriding_step_text(path.as_deref(), object, by, *is_repeated))]
        Overwritten {
            path: Option<String>,
            object: Object,
            by: StepName,
            /// The later steps write the same values again, and not by the same entry.
            is_repeated: bool,
        },
    }

    KZ111 Warning "an entry of `images` is applied twice" {
        means: "Kustomize goes over the containers of workloads twice, so a suffix, or a new name that the entry's name matches, is added twice.",
        action: "Use `newTag`, or a `newName` that the entry's name does not match.",
        page: "tests/cases/diagnostics/images-twice.md",
        #[error(
            "Kustomize goes over the containers of workloads twice, so {} is applied twice, first in {first}",
            if *is_suffix { "tagSuffix" } else { "this entry" }
        )]
        #[hint = "use newTag, or a newName that the entry's name does not match"]
        ImageTwice { is_suffix: bool, first: Box<ResId> },
    }

    KZ120 Error "an entry of `images` matches no container" {
        means: "No field that Kustomize knows as an image has this image at that step.",
        action: "Write the name as in the manifest, with its registry and without its tag; for an image in a custom resource, name its field under `configurations`.",
        page: "tests/cases/diagnostics/images-nowhere.md",
        effect: NoMatch,
        listing: Habit,
        #[error(
            "{}",
            match _0.as_str() {
                "" => "the entry has no name, so no container has its image".to_owned(),
                name => format!("no container has the image {name} at this step"),
            }
        )]
        NoSuchImage(String),
    }

    KZ121 Error "a patch is empty" {
        means: "The patch is empty, or all of it is commented out.",
        action: "Remove the entry, or write the patch.",
        page: "tests/cases/diagnostics/patch-empty.md",
        effect: Empty,
        #[error("the patch is empty")]
        EmptyPatch,
    }

    KZ122 Error "an entry matches no resource" {
        means: "No resource at the step of the entry has its field, or no resource exists yet. For a field that applies to all resources, such as `namespace`, `kzui check` reports a note.",
        action: "Compare the entry with the resources before the step.",
        effect: NoMatch,
        #[error(
            "{field} {argument} has no match{}",
            if *is_empty { ": no resource exists at this step" } else { "" }
        )]
        MatchesNothing { field: &'static str, argument: Arc<str>, is_empty: bool },
    }

    KZ126 Note "an entry does not write a field" {
        means: "The entry could write the field that `kzui why` was asked about, and does not: its target, its image, its type or its position in the order excludes the resource.",
        action: "Follow the help: it names the part of the entry to change.",
        #[error("{0}")]
        NotWritten(UnwrittenCause),
    }

    KZ127 Note "the namespace of a subject is replaced" {
        means: "`namespace` is set on every subject named `default` of a RoleBinding or ClusterRoleBinding, also where another namespace is written. Other subjects get the namespace of the ServiceAccount that they name, if it is in the build.",
        action: "To keep the written namespace, set `namespace` with a NamespaceTransformer under `transformers` that has `setRoleBindingSubjects: none`.",
        #[error("{object} has a subject default in namespace {was}: `namespace` replaces it by {now}")]
        #[hint = "to keep it, use a NamespaceTransformer with `setRoleBindingSubjects: none` under `transformers`"]
        SubjectNamespace { object: Object, was: String, now: String },
    }

    KZ124 Note "some values of an entry are overridden" {
        means: "Later steps of this build override or remove some of the fields that the entry wrote.",
        action: "Change those values where they are written last. Remove them from this entry if no step in between and no other target needs them.",
        page: "tests/cases/diagnostics/partly-overwritten.md",
        effect: PartlyOverridden,
        #[error(
            "{gone} of {all} fields that it wrote {} overridden or removed by {by}{}{}",
            if *gone == 1 { "is" } else { "are" },
            other_steps_suffix(*others),
            which.as_ref().map(ToString::to_string).unwrap_or_default()
        )]
        PartlyOverwritten {
            gone: usize,
            all: usize,
            by: StepName,
            others: usize,
            which: Option<OverriddenFields>,
        },
    }
}

/// A part of a patch that a resource fulfils before the patch is applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AlreadySet {
    /// The path and the value; no value for a collection or a value of a Secret.
    #[error("{} is {}", .0, current_value_text(.1.as_deref()))]
    Is(String, Option<String>),
    #[error("{0}, which it removes, does not exist")]
    Gone(String),
    #[error("it has only `test` operations")]
    OnlyTests,
}

/// Fields that an entry wrote and a later step overrode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverriddenFields {
    /// The first overridden fields, each with its resource.
    pub named: Vec<(String, Object)>,
    pub more: usize,
}

impl EntryRemark {
    /// The part of the selector (of a patch or replacement) after which no resource is left.
    pub(in crate::diagnostic) fn narrowing(&self) -> Option<&Narrowing> {
        match self {
            Self::PatchTarget(why) | Self::ReplacementTarget(Some(why)) => Some(why),
            _ => None,
        }
    }
}

/// Writes the fields as the end of a sentence, as in
/// `: spec.replicas of Deployment web and 2 more`.
impl std::fmt::Display for OverriddenFields {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let named = self.named.iter().map(|(path, object)| format!("{path} of {object}"));
        write!(f, ": {}{}", named.collect::<Vec<_>>().join(", "), and_more(self.more))
    }
}

fn current_value_text(value: Option<&str>) -> String {
    match value {
        None => "already as in the patch".to_owned(),
        Some("") => "\"\" already".to_owned(),
        Some(value) => format!("{} already", value.lines().next().unwrap_or_default()),
    }
}

fn unchanged_text(paths: &[String], value: Option<&str>) -> String {
    let (paths, value) = (paths.join(", "), value.unwrap_or("the value of the source"));
    format!("{paths} is {value} already")
}

fn already_set_text(matched: usize) -> String {
    match matched {
        1 => "already set in the resource that it matches".to_owned(),
        count => format!("already set in all {count} resources that it matches"),
    }
}

fn overriding_step_text(
    path: Option<&str>,
    object: &Object,
    by: &StepName,
    is_repeated: bool,
) -> String {
    match path {
        Some(path) if is_repeated => {
            format!("{path} of {object} gets the same value again by {by}")
        }
        Some(path) => format!("{path} of {object} is overridden or removed by {by}"),
        None => format!("{by}, removes {object}"),
    }
}

fn other_steps_suffix(others: usize) -> String {
    match others {
        0 => String::new(),
        1 => " and by 1 more step".to_owned(),
        others => format!(" and by {others} more steps"),
    }
}
