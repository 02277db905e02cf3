//! Programs, downloads and sources that a pending step needs.

use std::path::PathBuf;

use super::program::ProgramError;

/// A program that is not run, or a chart or source that is not fetched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WithheldStep {
    #[error(transparent)]
    Program(ProgramError),
    #[error(
        "the chart {name} of {repo} is not in {}: kzui fetches only on request: use `kzui build` or --fetch",
        directory.display()
    )]
    Chart { name: String, repo: String, directory: PathBuf },
    /// A deployment object of another source, with the name of the source.
    #[error("{0}")]
    Source(String),
    /// A deployment object whose source another tool builds.
    #[error("{0}")]
    OtherTool(String),
    /// A deployment object with parameters that are known only in the cluster.
    #[error("{0}")]
    InCluster(String),
    /// An element for a cluster that is assumed to exist; its directory is not in the repository.
    #[error("{0}")]
    NoDirectory(String),
    #[error("{0} is Jsonnet, which kzui does not evaluate")]
    Jsonnet(String),
}

impl WithheldStep {
    /// True if the user requested the step, but it is not allowed.
    pub fn is_asked(&self) -> bool {
        !matches!(self, Self::Program(ProgramError::NotAsked { .. }))
    }
}
