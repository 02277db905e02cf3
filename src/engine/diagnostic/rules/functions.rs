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
    KZ510 Note "a program is looked up in PATH",
        "An inline `exec.path` without a slash names another program, or none, on another machine.",
        "Make sure that everybody who builds this has the same program.",
        "";
    KZ511 Note "a program outside of the layer",
        "An inline `exec.path` leads out of the directory of its kustomization file. Kustomize runs it, and so does kzui.",
        "Make sure that everybody who builds this has the same program there.",
        "";
    KZ610 Warning "a source that is not built",
        "The Application has sources that are no Kustomize directory of this tree: a chart, a plugin, another repository.",
        "What they add is not in this build.",
        "";
    KZ611 Note "the Application asks for a version",
        "`kustomize.version` names a binary of the Argo CD that deploys it; it does not choose the version here.",
        "Name the version with --like.",
        "";
    KZ612 Note "a component is left out",
        "A component is not there, and `ignoreMissingComponents` says to go on without it.",
        "Nothing has to be done if that is meant.",
        "";
    KZ613 Warning "a variable of the running Argo CD",
        "An image or label uses a variable that only the Argo CD that deploys the Application knows.",
        "Give it with --env.",
        "";
    KZ614 Warning "substitutions from the cluster",
        "`postBuild.substituteFrom` reads ConfigMaps and Secrets of the cluster; the variables that they hold are not replaced here.",
        "Give them in `postBuild.substitute` to see them replaced.",
        "";
    KZ615 Warning "encrypted files stay encrypted",
        "Flux decrypts files before it builds; kzui does not.",
        "Nothing has to be done: values of Secrets are what the files say.",
        "";
    KZ616 Warning "a Composition takes no additions",
        "An Application or Flux Kustomization points to a Composition: its additions have no place there.",
        "Write them into the Composition.",
        "";
    KZ617 Warning "Argo CD builds with other options",
        "`kustomize.buildOptions` of the ConfigMap `argocd-cm`, in a file of the repository with that name, gives flags that this build does not have. kzui does not take them by itself: they say what may be read and run.",
        "Give the flags on the command line.",
        "tests/cases/deployed/argo-build-options.md";
}
