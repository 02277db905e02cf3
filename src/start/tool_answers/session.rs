//! The files of the repository during the session of an agent: read once, until they change.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use kzui::draft::work_tree_root;
use kzui::engine::evaluate::DeploymentCache;
use kzui::engine::load::{FileError, Files};
use kzui::host::{DiskFiles, DiskListing, StatedFiles};
use kzui::repository::{KeptFiles, Listing, RepositoryCache};

use super::super::rooted_files::RootedFiles;

/// The files of the session, in their last known state.
pub(super) struct SessionFiles {
    root: PathBuf,
    /// The top of the repository around it, whose files are listed.
    top: PathBuf,
    last: Mutex<Option<Arc<FilesState>>>,
}

/// The files below the root at one time. A call that began before a change reads the state before
/// the change.
pub(super) struct FilesState {
    root: PathBuf,
    top: PathBuf,
    listed: Result<Arc<Vec<PathBuf>>, FileError>,
    stated: Arc<StatedFiles>,
    kept: Arc<KeptFiles>,
    pub(super) files: Arc<dyn Files>,
    pub(super) indexes: RepositoryCache,
    pub(super) deployments: DeploymentCache,
}

impl SessionFiles {
    pub(super) fn new(root: PathBuf) -> Self {
        let top = work_tree_root(&root, &DiskFiles).unwrap_or_else(|| root.clone());
        Self { root, top, last: Mutex::default() }
    }

    /// The present state. Only files that changed since the last call are read again.
    pub(super) fn state(&self) -> Arc<FilesState> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let listed = DiskListing.files_below(&self.top).map(Arc::new);
        let state = match last.take() {
            None => Arc::new(FilesState::read((&self.root, &self.top), listed)),
            Some(state) => state.renewed(listed),
        };
        // They may depend on more than files: a remote may be fetched meanwhile.
        state.deployments.forget_outputs();
        last.insert(state).clone()
    }
}

impl FilesState {
    fn new(
        (root, top): (&Path, &Path),
        listed: Result<Arc<Vec<PathBuf>>, FileError>,
        (stated, kept): (Arc<StatedFiles>, Arc<KeptFiles>),
    ) -> Self {
        Self {
            root: root.to_owned(),
            top: top.to_owned(),
            listed,
            stated,
            files: kept.clone(),
            kept,
            indexes: RepositoryCache::default(),
            deployments: DeploymentCache::default(),
        }
    }

    fn read((root, top): (&Path, &Path), listed: Result<Arc<Vec<PathBuf>>, FileError>) -> Self {
        let stated = Arc::new(StatedFiles::default());
        let kept = Arc::new(KeptFiles::new(fenced(root, stated.clone())));
        Self::new((root, top), listed, (stated, kept))
    }

    /// The state now: the same one if no file changed.
    fn renewed(self: Arc<Self>, listed: Result<Arc<Vec<PathBuf>>, FileError>) -> Arc<Self> {
        let mut changed = self.stated.changed();
        if changed.is_empty() && listed == self.listed {
            return self;
        }
        if let (Ok(before), Ok(now)) = (&self.listed, &listed) {
            let is_in = |file: &&PathBuf, files: &[PathBuf]| files.binary_search(file).is_ok();
            changed.extend(before.iter().filter(|file| !is_in(file, now)).cloned());
            changed.extend(now.iter().filter(|file| !is_in(file, before)).cloned());
            changed.sort_unstable();
            changed.dedup();
        }
        let stated = Arc::new(StatedFiles::default());
        let kept = self.kept.with_changes(&changed, fenced(&self.root, stated.clone()));
        // A running call may read further files: the state of each is recorded before its content
        // is kept, so the states are copied last.
        stated.take_over(&self.stated, &changed);
        Arc::new(Self::new((&self.root, &self.top), listed, (stated, Arc::new(kept))))
    }
}

fn fenced(root: &Path, files: Arc<StatedFiles>) -> Arc<dyn Files> {
    Arc::new(RootedFiles { root: root.to_owned(), inner: files })
}

impl Listing for FilesState {
    fn files_below(&self, folder: &Path) -> Result<Vec<PathBuf>, FileError> {
        if folder != self.top {
            return DiskListing.files_below(folder);
        }
        self.listed.as_ref().map(|listed| (**listed).clone()).map_err(Clone::clone)
    }
}
