//! Names, references, labels and vars.

super::rules! {
    KZ112 Warning "a new name is not a string any more",
        "With prefix or suffix the name reads as a number, a date or a boolean, and Kustomize prints it without quotes.",
        "Put the name in quotes in the resource's file.",
        "tests/cases/diagnostics/name-not-a-string.md";
    KZ125 Warning "the hash of a name is not known",
        "The object is neither a ConfigMap nor a Secret, and its annotations request a hash in its name. Kustomize computes that hash from the line, column and style of each node, which kzui does not follow: it appends a hash of the content.",
        "Remove the annotation `needsHashSuffix`, or compare the name with the one that Kustomize prints.",
        "tests/cases/diagnostics/hash-not-known.md";
    KZ113 Warning "a reference still has an old name",
        "A field that Kustomize knows as a reference has a name that a resource had before it was renamed, and still has it at the end of the build: something kept Kustomize from following it.",
        "Follow the hint: namespace, role or prefixes keep the two apart.",
        "tests/cases/diagnostics/reference-held-back.md";
    KZ114 Warning "a label's field is hidden",
        "A field that is given for one type takes the place of the same field for all types.",
        "Leave group, version and kind out, or make it an entry of its own.",
        "tests/cases/diagnostics/label-field-hidden.md";
    KZ115 Warning "a var is never replaced",
        "The var is defined, and no field that Kustomize looks at holds `$(NAME)`.",
        "Remove the var, or name the field that holds the placeholder under `varReference`.",
        "tests/cases/diagnostics/var-unused.md";
    KZ123 Warning "a placeholder of a var is left over",
        "A field says `$(NAME)`, and Kustomize does not look for vars there: the text reaches the cluster as it is.",
        "Name the field under `varReference` in a file of `configurations`, or use replacements.",
        "tests/cases/diagnostics/var-left-over.md";
    KZ116 Warning "a var makes another type of a text",
        "The whole text is one var, so that Kustomize writes its number or boolean, not a string.",
        "An env value must be a string: use replacements, or add text around it.",
        "tests/cases/diagnostics/var-type.md";
    KZ117 Warning "a var is a mapping or a list",
        "Such a var cannot stand in a text: `$(NAME)` stays as it is.",
        "Name a field that holds a text, a number or a boolean.",
        "tests/cases/diagnostics/var-collection.md";
}
