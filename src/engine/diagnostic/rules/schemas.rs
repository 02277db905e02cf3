//! Rules about the schemas of `openapi`.

use crate::resource::SchemaFault;

super::rules! {
    /// A schema file, or a value under `openapi`, that has no or only a partial effect.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum OpenApiRemark;

    KZ601 Warning "a custom schema drops a merge key" {
        means: "The schema of `openapi.path` replaces the built-in one, which merges this list.",
        action: "Add the types of the other patches to the schema. `mode: merge` keeps the built-in one in kzui alone: Kustomize ignores it.",
        page: "tests/cases/openapi/path-replaces.md",
        #[error(
            "the list {path} of {kind} is replaced whole: the schema of `openapi.path` took the place of the built-in one, \
             which merges it{}",
            if keys.is_empty() { String::new() } else { format!(" by {}", keys.join(" and ")) }
        )]
        #[hint = "add the type to the schema as well; `mode: merge` under `openapi` keeps the built-in one in kzui alone, Kustomize ignores it"]
        LostMergeKey { path: String, kind: String, keys: Vec<String> },
    }

    KZ602 Warning "a schema without definitions" {
        means: "The file has no `definitions`: Kustomize ignores it.",
        action: "Name a schema, or use `openapi.mode: merge` for a CRD.",
        page: "tests/cases/openapi/crd-as-path.md",
        #[error(
            "openapi: Kustomize ignores '{0}', which has no `definitions`, and the built-in schema is gone"
        )]
        NothingTaken(String),
        #[error(
            "openapi: '{path}' has no definitions (is it a CRD list or an API index?){}",
            if *replaces { "; the built-in schema is gone" } else { "" }
        )]
        NoDefinitions { path: String, replaces: bool },
    }

    KZ603 Warning "a definition is left out" {
        means: "One definition of the schema cannot be used; the other definitions are used.",
        action: "Correct the definition.",
        page: "tests/cases/openapi/merge-warnings.md",
        #[error("openapi: '{path}': the definition {definition} is left out: {cause}")]
        BadType { path: String, definition: String, cause: String },
    }

    KZ604 Warning "a schema refers to a missing definition" {
        means: "The definition of a `$ref` does not exist: the field counts as one without a schema.",
        action: "Add the definition.",
        page: "tests/cases/openapi/merge-warnings.md",
        #[error("openapi: '{path}' refers to {first}{}, which is not defined", and_more(*more))]
        Undefined { path: String, first: String, more: usize },
    }

    KZ605 Warning "a value of `openapi` has no effect" {
        means: "The value is not one of the allowed values.",
        action: "Write one of the values in the message.",
        page: "tests/cases/openapi/unknown-mode.md",
        #[error("openapi.{key}: `{value}` has no effect")]
        UnknownWord { key: &'static str, value: String },
    }

    KZ606 Warning "`openapi` has a list where Kustomize expects a string" {
        means: "Kustomize reads one path only.",
        action: "Keep one file under `path`; write the others under `extraPaths`, as one string with a path per line.",
        page: "tests/cases/openapi/list-of-paths.md",
        #[error("openapi.{0}: kustomize cannot read a list here")]
        #[hint = "keep one file under `path`; write the others under `extraPaths`, as one string with a path per line"]
        List(String),
    }

    KZ607 Warning "a file of `openapi` is not a schema" {
        means: "Kustomize panics as soon as it needs the schema.",
        action: "Name a file that holds a schema.",
        page: "tests/cases/openapi/malformed-and-unused.md",
        #[error(transparent)]
        Invalid(SchemaFault),
    }
}

/// The number of further places, at the end of a message.
pub(super) fn and_more(count: usize) -> String {
    if count == 0 { String::new() } else { format!(" (and {count} more)") }
}
