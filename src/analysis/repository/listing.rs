//! The port for listing a tree of folders.

use std::path::{Path, PathBuf};

use crate::engine::load::{FileError, FileKind, Files, walk};

/// Lists the files of a tree of folders: those on disk that git does not ignore, or those of a
/// commit.
pub trait Listing: Send + Sync {
    /// The files below a folder, absolute and sorted. Links are listed and not followed.
    fn files_below(&self, folder: &Path) -> Result<Vec<PathBuf>, FileError>;

    /// The files that are known without reading every folder, if any: fast, unsorted and possibly
    /// out of date.
    fn known_files(&self, _folder: &Path) -> Option<Vec<PathBuf>> {
        None
    }

    /// Like [`Listing::files_below`], for a folder outside a repository: the files within limits,
    /// and a message about the folders that were left out.
    fn files_within_bounds(
        &self,
        folder: &Path,
    ) -> Result<(Vec<PathBuf>, Option<String>), FileError> {
        Ok((self.files_below(folder)?, None))
    }
}

#[derive(Clone, Debug, Default)]
pub struct ListedFiles(pub Vec<PathBuf>);

impl ListedFiles {
    /// The files below a folder, also those that git ignores, without hidden folders and
    /// `node_modules`. Links are not followed.
    pub fn visible(folder: &Path, files: &dyn Files) -> Self {
        let mut found = Vec::new();
        walk((folder, usize::MAX), files, &mut |entry| {
            if entry.kind == FileKind::File {
                found.push(entry.path.clone());
            }
            let name = entry.shown.rsplit('/').next().unwrap_or_default();
            entry.is_own_folder() && !name.starts_with('.') && name != "node_modules"
        });
        found.sort_unstable();
        Self(found)
    }
}

impl Listing for ListedFiles {
    fn files_below(&self, folder: &Path) -> Result<Vec<PathBuf>, FileError> {
        Ok(self.0.iter().filter(|file| file.starts_with(folder)).cloned().collect())
    }
}
