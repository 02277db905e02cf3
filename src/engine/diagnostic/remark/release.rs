//! That another release of Kustomize builds a tree otherwise.

use crate::diagnostic::Code;

/// What is different as another release.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("built as {}, {difference}: {there}", releases.join(" or "))]
pub struct ReleaseRemark {
    /// The releases that are alike in it.
    pub releases: Vec<&'static str>,
    /// What is different.
    pub difference: ReleaseDifference,
    /// What Kustomize does as those.
    pub there: &'static str,
}

/// The difference that is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReleaseDifference {
    /// The build fails.
    Fails,
    /// A resource is another one.
    Resource {
        /// The field; empty for the resource as a whole.
        field: String,
        /// The resource.
        resource: String,
        /// There are more differences.
        has_more: bool,
    },
    /// Only the text is.
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

impl ReleaseRemark {
    pub(super) fn code() -> Code {
        Code::KZ701
    }
}
