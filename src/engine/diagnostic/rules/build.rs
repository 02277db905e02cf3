//! What is said about a build as a whole.

super::rules! {
    KZ000 Error "the build fails",
        "A step failed, and with it the build, where Kustomize fails as well. The message ends in Kustomize's own innermost phrase.",
        "Follow the message: it names the file, the line and what was expected there.",
        "";
    KZ001 Warning "a warning of the build",
        "Kustomize would print this on standard error: a deprecated field, a flag that contradicts the kustomization file, or what a function had to say.",
        "Replace a deprecated field by the one that the message names.",
        "";
    KZ002 Warning "a waiver without a reason",
        "A comment `# kzui: ignore CODE` has no `because …` behind the codes. It waives nothing.",
        "Say why: `# kzui: ignore KZ110 because …`.",
        "";
    KZ190 Note "a step waits",
        "The step needs something that is not at hand or not trusted: a remote base that was not fetched, a catalog, a function. Nothing is fetched or run without being asked for.",
        "Fetch it (`F` in the workbench, `--fetch` on the command line), or decide about the catalog or function.",
        "";
    KZ191 Note "unknown until something else is there",
        "Whether this entry matches anything cannot be known: a step before it waits, and what it will bring may be what the entry is for.",
        "Fetch or allow what is waited for; then the entry is judged again.",
        "";
    KZ701 Note "another release builds this otherwise",
        "Built as another release of Kustomize that is in use, this tree gives another output, or fails. It was built as that release before this is said.",
        "Follow the hint, or see every difference with `kzui compat`; where the program that deploys the tree is known, name it with `--like` or in a `.kzui.toml`.",
        "tests/cases/diagnostics/another-release.md";
}
