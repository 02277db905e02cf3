//! Files that git ignores: they are in no commit, so both sides read them from the work tree.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::load::{FileError, FileKind, Files};
use crate::repository::{CommitTree, Listing};

pub(super) struct CommitWithIgnoredFiles {
    pub(super) commit: Arc<dyn CommitTree>,
    pub(super) disk: Arc<dyn Files>,
    pub(super) listing: Arc<dyn Listing>,
    pub(super) top: PathBuf,
    pub(super) used: Arc<IgnoredFiles>,
}

/// The ignored files that were read. Also, for each listed folder, its files that git does not
/// ignore.
#[derive(Default)]
pub(super) struct IgnoredFiles {
    read: Mutex<BTreeSet<PathBuf>>,
    listed: Mutex<BTreeMap<PathBuf, Arc<BTreeSet<PathBuf>>>>,
}

impl IgnoredFiles {
    pub(super) fn files_read(&self) -> Vec<PathBuf> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

impl CommitWithIgnoredFiles {
    /// The path on disk of a file that git ignores; `None` for a file that git does not ignore,
    /// that does not exist or that is outside of the repository.
    fn ignored_file(&self, path: &Path) -> Option<PathBuf> {
        let is_git = |path: &Path| path.components().any(|part| part.as_os_str() == ".git");
        let below = path.strip_prefix(&self.top).ok().filter(|below| !is_git(below))?;
        let (found, kind) = self.disk.resolve(path).ok()?;
        // A link may lead out of the repository, to a file that does not belong to it.
        if kind != FileKind::File || found != self.top.join(below) {
            return None;
        }
        let folder = path.parent()?;
        let mut listed = self.used.listed.lock().unwrap_or_else(PoisonError::into_inner);
        let known = listed.entry(folder.to_owned()).or_insert_with(|| {
            let files = self.listing.files_below(folder).unwrap_or_default();
            Arc::new(files.into_iter().collect())
        });
        (!known.contains(path)).then_some(found)
    }
}

impl Files for CommitWithIgnoredFiles {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        self.commit.resolve(path).or_else(|error| {
            self.ignored_file(path).map(|found| (found, FileKind::File)).ok_or(error)
        })
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        self.commit.read(path).or_else(|error| {
            let Some(found) = self.ignored_file(path) else { return Err(error) };
            let bytes = self.disk.read(&found)?;
            self.used.read.lock().unwrap_or_else(PoisonError::into_inner).insert(found);
            Ok(bytes)
        })
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        self.commit.list(path)
    }
}
