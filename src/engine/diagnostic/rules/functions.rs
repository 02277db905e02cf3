//! Plugins, functions and Compositions.

super::rules! {
    KZ180 Warning "a variable is too long for a plugin",
        "The configuration of an exec plugin does not fit into the environment variable that Kustomize gives it.",
        "The plugin has to read the file that its first argument names.",
        "";
    KZ301 Error "a function reports an error",
        "A result of a KRM function with severity error.",
        "See the function's own message.",
        "";
    KZ302 Warning "a function reports a warning",
        "A result of a KRM function with severity warning.",
        "See the function's own message.",
        "";
    KZ303 Warning "how a function is run",
        "Something about the way in which a function is named, pinned or run that is worth a look.",
        "Follow the message.",
        "";
    KZ304 Note "a function reports something",
        "A result of a KRM function with severity info.",
        "Nothing has to be done.",
        "";
    KZ501 Warning "a file beside a Composition",
        "Another file of the same directory could have been meant as well.",
        "Keep one of them.",
        "";
    KZ502 Warning "an override is listed twice",
        "Two overrides have the same id: the later one wins.",
        "Merge them into one.",
        "";
    KZ503 Warning "labels without fieldSpecs reach selectors",
        "A LabelTransformer of a Composition that has no fieldSpecs also sets selectors and templates.",
        "Say `includeSelectors: false` for metadata only.",
        "";
    KZ504 Warning "empty fieldSpecs change nothing",
        "An entry that has an empty list of fieldSpecs writes to no field.",
        "Leave fieldSpecs out for the default ones.",
        "";
    KZ505 Warning "a catalog that was not read may matter",
        "A catalog that is not at hand may say by which keys the lists of an override are merged.",
        "Fetch the catalog.",
        "";
    KZ506 Warning "a Composition beside a kustomization",
        "The directory has a kustomization, which is built, and a Composition as well.",
        "Keep one of them, or name the Composition's own file.",
        "";
}
