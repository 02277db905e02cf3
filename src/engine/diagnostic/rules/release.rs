//! Differences between releases of Kustomize.

super::rules! {
    /// A difference between this build and the build as another release.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum ReleaseRemark;

    KZ701 Note "another release builds this differently" {
        means: "Another release of Kustomize that is in use builds this target with a different output, or fails. Verified by a build as that release.",
        action: "Follow the hint, or list every difference with `kzui compat`. If you know the program that deploys the target, set it with `--like` or in a `.kzui.toml`.",
        page: "tests/cases/diagnostics/another-release.md",
        #[error("built as {}, {difference}: {there}", releases.join(" or "))]
        Differs {
            releases: Vec<&'static str>,
            /// The first difference between the two builds.
            difference: String,
            /// The behaviour of those releases.
            there: &'static str,
        },
    }
}
