//! What patches do that people do not expect.

super::rules! {
    KZ201 Warning "`$patch: replace` at the root has no effect",
        "Kustomize does not heed the directive at the root of a patch.",
        "Put it on a field below the root.",
        "tests/cases/diagnostics/patch-directives.md";
    KZ202 Warning "a list is replaced whole",
        "The schema gives the list no merge key, or there is no schema for this kind: the patch's list takes the place of all that was there.",
        "Write the whole list in the patch, use a JSON6902 patch, or give the schema with `openapi`.",
        "tests/cases/diagnostics/list-replaced.md";
    KZ203 Warning "an element without its merge key",
        "An element of the patch's list lacks the key that says which element is meant: Kustomize throws out every element that has one.",
        "Name the element that is meant.",
        "tests/cases/diagnostics/patch-directives.md";
    KZ204 Warning "what the patch says about an element is lost",
        "One side names a second merge key, the other does not.",
        "Write the key in both, or in neither.",
        "tests/cases/diagnostics/patch-directives.md";
    KZ205 Warning "`$patch: replace` on an element has no effect",
        "Kustomize does not heed the directive there.",
        "Put it on a mapping, or as an element of its own.",
        "tests/cases/diagnostics/patch-directives.md";
    KZ206 Warning "a directive that Kustomize does not know",
        "kubectl knows it, Kustomize does not: it stays in the output as data.",
        "Remove it from the patch.",
        "tests/cases/diagnostics/patch-directives.md";
}
