//! The port through which a whole tree of folders is listed.

use std::path::{Path, PathBuf};

use crate::engine::load::FileError;

/// Lists the files of a tree of folders: those of a disk that git does not ignore, or those of a commit.
pub trait Listing: Send + Sync {
    /// The files below a folder, absolute and sorted. Links are listed and not followed.
    ///
    /// # Errors
    /// The folder cannot be read.
    fn files_below(&self, folder: &Path) -> Result<Vec<PathBuf>, FileError>;

    /// What is known of these files without a look at every folder, where anything is: at once, in any order, and not the last
    /// word.
    fn files_at_a_glance(&self, _folder: &Path) -> Option<Vec<PathBuf>> {
        None
    }

    /// The same of a folder that may hold anything: those that are found within bounds, and in words what was not looked
    /// at.
    ///
    /// # Errors
    /// The folder cannot be read.
    fn files_within_bounds(
        &self,
        folder: &Path,
    ) -> Result<(Vec<PathBuf>, Option<String>), FileError> {
        Ok((self.files_below(folder)?, None))
    }
}

/// A listing that was made before.
#[derive(Clone, Debug, Default)]
pub struct ListedFiles(pub Vec<PathBuf>);

impl Listing for ListedFiles {
    fn files_below(&self, folder: &Path) -> Result<Vec<PathBuf>, FileError> {
        Ok(self.0.iter().filter(|file| file.starts_with(folder)).cloned().collect())
    }
}
