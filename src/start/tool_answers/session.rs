//! The files of the repository during the session of an agent: read once, until they change.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use kzui::draft::work_tree_root;
use kzui::engine::evaluate::DeploymentCache;
use kzui::engine::load::FileError;
use kzui::host::{DiskFiles, DiskListing, StatedFiles};
use kzui::repository::{KeptFiles, Listing, RepositoryCache};

use super::super::rooted_files::RootedFiles;

/// The files of the session, in their last known state.
pub(super) struct SessionFiles {
    root: PathBuf,
    /// The top of the repository around it, whose files are listed.
    top: PathBuf,
    stated: Arc<StatedFiles>,
    last: Mutex<Option<Arc<FilesState>>>,
}

/// The files below the root at one time. A call that began before a change reads the state before
/// the change.
pub(super) struct FilesState {
    top: PathBuf,
    listed: Result<Arc<Vec<PathBuf>>, FileError>,
    pub(super) files: Arc<KeptFiles>,
    pub(super) indexes: RepositoryCache,
    pub(super) deployments: DeploymentCache,
}

impl SessionFiles {
    pub(super) fn new(root: PathBuf) -> Self {
        let top = work_tree_root(&root, &DiskFiles).unwrap_or_else(|| root.clone());
        Self { root, top, stated: Arc::default(), last: Mutex::default() }
    }

    /// The present state. Only files that changed since the last call are read again.
    pub(super) fn state(&self) -> Arc<FilesState> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let listed = DiskListing.files_below(&self.top).map(Arc::new);
        let changed = self.stated.take_changed();
        let state = match last.take() {
            Some(state) if changed.is_empty() && listed == state.listed => state,
            before => Arc::new(self.renewed(before.as_deref(), listed, changed)),
        };
        // They may depend on more than files: a remote may be fetched meanwhile.
        state.deployments.forget_outputs();
        last.insert(state).clone()
    }

    fn renewed(
        &self,
        before: Option<&FilesState>,
        listed: Result<Arc<Vec<PathBuf>>, FileError>,
        mut changed: Vec<PathBuf>,
    ) -> FilesState {
        if let (Some(Ok(before)), Ok(now)) = (before.map(|it| &it.listed), &listed) {
            let is_in = |file: &&PathBuf, files: &[PathBuf]| files.binary_search(file).is_ok();
            changed.extend(before.iter().filter(|file| !is_in(file, now)).cloned());
            changed.extend(now.iter().filter(|file| !is_in(file, before)).cloned());
            changed.sort_unstable();
            changed.dedup();
        }
        let fenced = RootedFiles { root: self.root.clone(), inner: self.stated.clone() };
        let files = match before {
            Some(before) => before.files.with_changes(&changed, Arc::new(fenced)),
            None => KeptFiles::new(Arc::new(fenced)),
        };
        FilesState {
            top: self.top.clone(),
            listed,
            files: Arc::new(files),
            indexes: RepositoryCache::default(),
            deployments: DeploymentCache::default(),
        }
    }
}

impl Listing for FilesState {
    fn files_below(&self, folder: &Path) -> Result<Vec<PathBuf>, FileError> {
        if folder != self.top {
            return DiskListing.files_below(folder);
        }
        self.listed.as_ref().map(|listed| (**listed).clone()).map_err(Clone::clone)
    }
}
