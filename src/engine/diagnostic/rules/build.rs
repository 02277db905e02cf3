//! The build as a whole.

super::rules! {
    /// A fact about the check of a target as a whole.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum BuildRemark;

    KZ000 Error "the build fails" {
        means: "A step failed, and with it the build, where Kustomize fails as well. The message ends in Kustomize's own innermost phrase.",
        action: "Follow the message: it names the file, the line and the expected content.",
    }

    KZ001 Warning "a warning of the build" {
        means: "Kustomize prints this on standard error: a deprecated field, a flag that contradicts the kustomization file, or a message of a function.",
        action: "Replace a deprecated field by the one that the message names.",
    }

    KZ002 Warning "a waiver without a reason" {
        means: "A comment `# kzui: ignore CODE` has no `because …` after the codes, so it is ignored.",
        action: "Add the reason: `# kzui: ignore KZ110 because …`.",
        #[error("the waiver of {} has no reason and is ignored", .0.join(", "))]
        #[hint = "write `# kzui: ignore CODE because …`"]
        WaiverWithoutReason(Vec<String>),
    }

    KZ190 Note "a step is pending" {
        means: "The step needs something that is not fetched or not trusted: a remote base, a catalog, a function. kzui fetches and runs only on request.",
        action: "Fetch it (`F` in the workbench, `--fetch` on the command line), or decide about the catalog or function.",
        #[error("this target was not checked: it has charts, and these are rendered with --enable-helm")]
        ChartsNotRendered,
        #[error("this target was not checked: a remote could not be fetched: {0}")]
        NotFetched(String),
    }

    KZ191 Note "not known while an earlier step is pending" {
        means: "A step before this entry is pending, and its resources may be the ones that the entry matches.",
        action: "Fetch or allow the pending step; then the entry is checked again.",
        effect: NotKnown,
    }
}
