//! The files of a build by number.

use indexmap::IndexSet;

use crate::yaml::SourceId;

/// Gives every file of a build a number that nodes can carry. Numbers are not reused, so that they
/// stay valid from one evaluation to the next.
#[derive(Clone, Debug, Default)]
pub struct SourceNumbers {
    paths: IndexSet<String>,
}

impl SourceNumbers {
    /// The number of a file; a new one for a file not seen before.
    pub fn intern(&mut self, path: &str) -> SourceId {
        let (index, _) = self.paths.insert_full(path.to_owned());
        SourceId(u32::try_from(index + 1).unwrap_or(u32::MAX))
    }

    /// The paths of all files, in the order of their numbers.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.paths.iter().map(String::as_str)
    }

    /// The number of a file seen before.
    pub fn number(&self, path: &str) -> Option<SourceId> {
        let index = self.paths.get_index_of(path)?;
        Some(SourceId(u32::try_from(index + 1).unwrap_or(u32::MAX)))
    }

    /// The path for a number.
    pub fn path(&self, source: SourceId) -> Option<&str> {
        let index = usize::try_from(source.0).ok()?.checked_sub(1)?;
        self.paths.get_index(index).map(String::as_str)
    }
}
