//! What nobody asked for yet, so that a step waits for it.

use std::path::PathBuf;

use super::program::ProgramError;

/// What is not run or not fetched, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Withheld {
    /// A program.
    #[error(transparent)]
    Program(ProgramError),
    /// A chart is elsewhere.
    #[error(
        "the chart {name} of {repo} is not in {}: nothing is fetched without being asked; `kzui build` or --fetch asks \
         for it",
        directory.display()
    )]
    Chart {
        /// The chart.
        name: String,
        /// Where it is.
        repo: String,
        /// Where it would have to be.
        directory: PathBuf,
    },
}

impl Withheld {
    /// True for what was asked for, and may not be done.
    pub fn is_asked(&self) -> bool {
        !matches!(self, Self::Program(ProgramError::NotAsked { .. }))
    }
}
