//! Surprising effects of patches (ruling 2).

use crate::diagnostic::object::Object;

super::rules! {
    /// A directive or list of a patch with another effect than it seems to have. Paths have dots.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum PatchRemark;

    KZ201 Warning "`$patch: replace` at the root has no effect" {
        means: "Kustomize ignores the directive at the root of a patch.",
        action: "Put it on a field below the root.",
        page: "tests/cases/diagnostics/patch-directives.md",
        #[error("`$patch: replace` at the root of a patch has no effect")]
        #[hint = "put it on a field below the root"]
        ReplaceAtRoot,
    }

    KZ202 Warning "a list is replaced whole" {
        means: "The schema gives the list no merge key, or Kustomize has no schema for this kind: the patch's list replaces the whole list. Kustomize does not read the CustomResourceDefinitions of the build. Not reported if the patch repeats values of the elements, as a patch does that is meant to replace them.",
        action: "Write the whole list in the patch, use a JSON6902 patch, or give the schema with `openapi`.",
        page: "tests/cases/diagnostics/list-replaced.md",
        grouping: Line,
        #[error(
            "the list {path}{} is replaced whole: {} lost; {}{kind}{}",
            resources_text(names),
            lost_subject_text(lost),
            if *has_schema { "" } else { "Kustomize has no schema for this " },
            if *has_schema { " gives it no merge key" } else { "" }
        )]
        ReplacedList { path: String, names: Vec<String>, kind: String, has_schema: bool, lost: Vec<String> },
    }

    KZ203 Warning "an element without its merge key" {
        means: "An element of the patch's list lacks the merge key: Kustomize then drops every element that has the key. Not reported if the patch deletes these elements.",
        action: "Write the merge key of the element.",
        page: "tests/cases/diagnostics/patch-directives.md",
        #[error(
            "an element of {path} has no {}: Kustomize drops every element that has this key",
            keys.join(" or ")
        )]
        #[hint = "write the merge key of the element"]
        WithoutKey { path: String, keys: Vec<String> },
    }

    KZ204 Warning "a patch of an element is lost" {
        means: "Only the patch, or only the resource, has the second merge key; or the patch has another element with the same key, or one with `$patch: delete`.",
        action: "Write the key in both the patch and the resource, or in neither; write one element for each key.",
        page: "tests/cases/diagnostics/patch-directives.md",
        #[error("the patch of the element {key} {value} in {path} is lost: {cause}")]
        LostElement { key: String, value: String, path: String, cause: String },
    }

    KZ205 Warning "`$patch: replace` on an element has no effect" {
        means: "Kustomize ignores the directive on an element of a list.",
        action: "Put it on a mapping, or write it as a separate element.",
        page: "tests/cases/diagnostics/patch-directives.md",
        #[error("`$patch: replace` on an element of {0} has no effect")]
        #[hint = "put it on a mapping, or write it as a separate element"]
        ReplaceOfElement(String),
    }

    KZ206 Warning "a directive that Kustomize does not know" {
        means: "kubectl knows it, Kustomize does not: it stays in the output as data.",
        action: "Remove it from the patch.",
        page: "tests/cases/diagnostics/patch-directives.md",
        #[error("Kustomize does not know `{0}`: it stays in the output as data")]
        #[hint = "remove it from the patch"]
        UnknownDirective(String),
    }

    KZ207 Warning "elements of a list are replaced with all their fields" {
        means: "The list is atomic in this type: its elements have no merge key, so the patch's list replaces the list with all nested fields.",
        action: "Write the whole elements in the patch, or change the one field with a JSON6902 patch.",
        page: "tests/cases/diagnostics/atomic-list.md",
        #[error("{path} is replaced whole in {kind}: {} lost", lost_subject_text(lost))]
        ReplacedElements { path: String, kind: String, lost: Vec<String> },
    }

    KZ208 Note "values of a list are replaced" {
        means: "The list is atomic in this type: the values of the patch replace all values of the list, or the patch repeats some elements and leaves out the others.",
        action: "Write all values in the patch, or add one with a JSON6902 patch (`op: add`, a path that ends in `/-`).",
        page: "tests/cases/diagnostics/atomic-list.md",
        #[error("{path} is replaced whole in {kind}: {} lost", lost_subject_text(lost))]
        #[hint = "add the new value with a JSON6902 patch to keep them: `op: add`, and a path that ends in `/-`"]
        ReplacedValues { path: String, kind: String, lost: Vec<String> },
    }

    KZ209 Warning "`add` replaces a mapping or a list" {
        means: "A JSON6902 `add` of a field that exists replaces its value. The old mapping has keys that the new one does not have, and is a map of labels, annotations or data, or has some of the new keys; or the new list of variables, volumes, mounts or containers lacks all old elements.",
        action: "Add each key or element with its own path, or use a strategic merge patch, which merges mappings and these lists.",
        page: "tests/cases/diagnostics/add-over-mapping.md",
        #[error("`add` replaces the mapping {path} of {object}: {} lost", lost_subject_text(lost))]
        ReplacedMapping { path: String, object: Object, lost: Vec<String> },
        #[error("`add` replaces the list {path} of {object}: {} lost", lost_subject_text(lost))]
        ReplacedNames { path: String, object: Object, lost: Vec<String> },
    }

    KZ211 Warning "a JSON6902 path without a leading slash" {
        means: "The part before the first `/` of a path is ignored: `data/x` writes a field `x` at the root.",
        action: "Write a `/` at the beginning of the path.",
        page: "tests/cases/diagnostics/path-without-slash.md",
        #[error("the path {path:?} has no leading `/`, so it is read as {read:?}")]
        PathWithoutSlash { path: String, read: String },
    }
}

/// The lost texts as the subject of a sentence with its verb, as in `a, b and 2 more are`.
fn lost_subject_text(lost: &[String]) -> String {
    const MAX_LOST_SHOWN: usize = 3;
    let first_line = |text: &String| text.lines().next().unwrap_or_default().to_owned();
    let named = lost.iter().take(MAX_LOST_SHOWN).map(first_line).collect::<Vec<_>>().join(", ");
    match (lost.len(), lost.len().saturating_sub(MAX_LOST_SHOWN)) {
        (1, _) => format!("{named} is"),
        (_, 0) => format!("{named} are"),
        (_, more) => format!("{named} and {more} more are"),
    }
}

/// The resources of a list, if it is lost in several: ` of a, b and 2 more`.
fn resources_text(names: &[String]) -> String {
    const MAX_NAMES_SHOWN: usize = 5;
    let Some((last, before)) = names.split_last().filter(|(_, before)| !before.is_empty()) else {
        return String::new();
    };
    match names.len().saturating_sub(MAX_NAMES_SHOWN) {
        0 => format!(" of {} and {last}", before.join(", ")),
        more => format!(" of {} and {more} more", names[..MAX_NAMES_SHOWN].join(", ")),
    }
}
