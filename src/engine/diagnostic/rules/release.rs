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
            difference: ReleaseDifference,
            /// The behaviour of those releases.
            there: &'static str,
        },
    }
}

/// The first difference between two builds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReleaseDifference {
    #[error("the build fails")]
    Fails,
    /// An empty field means the resource as a whole.
    #[error(
        "{field}{}{resource}{} is different",
        if field.is_empty() { "" } else { " of " },
        if *has_more { " and more" } else { "" }
    )]
    Resource { field: String, resource: String, has_more: bool },
    #[error("the output is different")]
    Output,
}
