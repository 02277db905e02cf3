//! Errors of function catalogs (KEP-2906). All errors in a catalog are reported together.

use crate::diagnostic::{joined, printable};
use crate::load::{ArtifactError, FileError};
use crate::yaml::Mark;

/// The error of a catalog.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CatalogFault {
    #[error(transparent)]
    File(FileError),
    #[error(transparent)]
    Artifact(ArtifactError),
    #[error("larger than {0} MiB")]
    TooLarge(usize),
    #[error("{}", joined(.0, "\n"))]
    Malformed(Vec<CatalogProblem>),
}

/// An error in a catalog. Its text is made printable: a catalog is not trusted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", printable(text))]
pub struct CatalogProblem {
    /// The field by its path, `spec.krmFunctions[0].group`, or the function, `example.com/Logger
    /// v1`, and the error; for an error of the document only the error.
    pub text: String,
    pub mark: Mark,
}
