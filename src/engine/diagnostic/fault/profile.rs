//! Errors of the version profile that a user names.

/// The error of a version profile, or of the file that names one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ProfileFault(pub String);
