//! The build as a whole.

super::rules! {
    /// A fact about the check of a target as a whole.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum BuildRemark;

    KZ000 Error "the build fails" {
        means: "A step failed, and with it the build, where Kustomize fails as well. The message ends in Kustomize's own innermost phrase.",
        action: "Follow the message: it names the file, the line and what was expected there.",
    }

    KZ001 Warning "a warning of the build" {
        means: "Kustomize would print this on standard error: a deprecated field, a flag that contradicts the kustomization file, or what a function had to say.",
        action: "Replace a deprecated field by the one that the message names.",
    }

    KZ002 Warning "a waiver without a reason" {
        means: "A comment `# kzui: ignore CODE` has no `because …` behind the codes. It waives nothing.",
        action: "Say why: `# kzui: ignore KZ110 because …`.",
        #[error("the waiver of {} has no reason, and waives nothing", .0.join(", "))]
        #[hint = "write `# kzui: ignore CODE because …`"]
        WaiverWithoutReason(Vec<String>),
    }

    KZ190 Note "a step waits" {
        means: "The step needs something that is not at hand or not trusted: a remote base that was not fetched, a catalog, a function. Nothing is fetched or run without being asked for.",
        action: "Fetch it (`F` in the workbench, `--fetch` on the command line), or decide about the catalog or function.",
        #[error("this target was not checked: it has charts, and these are rendered with --enable-helm")]
        ChartsNotRendered,
        #[error("this target was not checked: what it needs could not be fetched: {0}")]
        NotFetched(String),
    }

    KZ191 Note "unknown until something else is there" {
        means: "Whether this entry matches anything cannot be known: a step before it waits, and what it will bring may be what the entry is for.",
        action: "Fetch or allow what is waited for; then the entry is judged again.",
        effect: NotKnown,
    }
}
