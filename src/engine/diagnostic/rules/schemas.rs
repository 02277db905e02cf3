//! Schemas of `openapi`.

super::rules! {
    KZ601 Warning "a custom schema takes a merge key away",
        "The schema of `openapi.path` took the place of the built-in one, which would merge this list.",
        "Add `mode: merge` under `openapi`, so that the built-in schema stays.",
        "tests/cases/openapi/path-replaces.md";
    KZ602 Warning "a schema without definitions",
        "The file has no `definitions`: Kustomize takes nothing from it.",
        "Name a schema, or use `openapi.mode: merge` for a CRD.",
        "tests/cases/openapi/crd-as-path.md";
    KZ603 Warning "a definition is left out",
        "One definition of the schema cannot be used; the others are.",
        "Correct the definition.",
        "tests/cases/openapi/merge-warnings.md";
    KZ604 Warning "a schema refers to what is defined nowhere",
        "A `$ref` leads nowhere: what is there counts as a field without a schema.",
        "Add the definition.",
        "tests/cases/openapi/merge-warnings.md";
    KZ605 Warning "a word of `openapi` has no effect",
        "The value is none of those that are known.",
        "Write one of the words that the message lists.",
        "tests/cases/openapi/unknown-mode.md";
    KZ606 Warning "`openapi` has a list where Kustomize reads a text",
        "Kustomize reads one path only.",
        "Keep one file under `path`; write the others as one text, a path per line.",
        "tests/cases/openapi/list-of-paths.md";
    KZ607 Warning "what is given as a schema is none",
        "Kustomize panics as soon as it needs the schema.",
        "Name a file that holds a schema.",
        "tests/cases/openapi/malformed-and-unused.md";
}
