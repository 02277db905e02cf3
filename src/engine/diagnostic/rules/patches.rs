//! Surprising effects of patches (ruling 2).

super::rules! {
    /// A directive or list of a patch with another effect than it seems to have. Paths have dots.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum PatchRemark;

    KZ201 Warning "`$patch: replace` at the root has no effect" {
        means: "Kustomize does not heed the directive at the root of a patch.",
        action: "Put it on a field below the root.",
        page: "tests/cases/diagnostics/patch-directives.md",
        #[error("`$patch: replace` at the root of a patch has no effect")]
        #[hint = "put it on a field below the root"]
        ReplaceAtRoot,
    }

    KZ202 Warning "a list is replaced whole" {
        means: "The schema gives the list no merge key, or there is no schema for this kind: the patch's list takes the place of all that was there.",
        action: "Write the whole list in the patch, use a JSON6902 patch, or give the schema with `openapi`.",
        page: "tests/cases/diagnostics/list-replaced.md",
        #[error("the list {path} is replaced whole: {}", no_merge_key(kind, *has_schema))]
        ReplacedList { path: String, kind: String, has_schema: bool },
    }

    KZ203 Warning "an element without its merge key" {
        means: "An element of the patch's list lacks the key that says which element is meant: Kustomize throws out every element that has one.",
        action: "Name the element that is meant.",
        page: "tests/cases/diagnostics/patch-directives.md",
        #[error(
            "an element of {path} has no {}: Kustomize throws out every element that has one",
            keys.join(" or ")
        )]
        #[hint = "name the element that is meant"]
        WithoutKey { path: String, keys: Vec<String> },
    }

    KZ204 Warning "what the patch says about an element is lost" {
        means: "One side names a second merge key, the other does not.",
        action: "Write the key in both, or in neither.",
        page: "tests/cases/diagnostics/patch-directives.md",
        #[error(
            "what the patch says about {key} {value} in {path} is lost: one side has {second}, the other has not"
        )]
        LostElement { key: String, value: String, path: String, second: String },
    }

    KZ205 Warning "`$patch: replace` on an element has no effect" {
        means: "Kustomize does not heed the directive there.",
        action: "Put it on a mapping, or as an element of its own.",
        page: "tests/cases/diagnostics/patch-directives.md",
        #[error("`$patch: replace` on an element of {0} has no effect")]
        #[hint = "put it on a mapping, or as an element of its own"]
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
}

fn no_merge_key(kind: &str, has_schema: bool) -> String {
    if has_schema {
        format!("{kind} gives it no merge key")
    } else {
        format!("there is no schema for this {kind}")
    }
}
