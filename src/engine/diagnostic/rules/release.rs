//! Differences between releases of Kustomize.

super::rules! {
    /// A difference between this build and the same as another release.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum ReleaseRemark;

    KZ701 Note "another release builds this otherwise" {
        means: "Built as another release of Kustomize that is in use, this tree gives another output, or fails. It was built as that release before this is said.",
        action: "Follow the hint, or see every difference with `kzui compat`; where the program that deploys the tree is known, name it with `--like` or in a `.kzui.toml`.",
        page: "tests/cases/diagnostics/another-release.md",
        #[error("built as {}, {difference}: {there}", releases.join(" or "))]
        Differs {
            /// Those that have this difference.
            releases: Vec<&'static str>,
            difference: ReleaseDifference,
            /// The behaviour of those releases.
            there: &'static str,
        },
    }
}

/// The first difference between two builds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReleaseDifference {
    Fails,
    /// The field is empty for the resource as a whole.
    Resource {
        field: String,
        resource: String,
        has_more: bool,
    },
    /// Only the text differs.
    Output,
}

impl std::fmt::Display for ReleaseDifference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fails => f.write_str("the build fails"),
            Self::Resource { field, resource, has_more } => {
                let of = if field.is_empty() { "" } else { " of " };
                let more = if *has_more { " and more" } else { "" };
                write!(f, "{field}{of}{resource}{more} is different")
            }
            Self::Output => f.write_str("the output is different"),
        }
    }
}
