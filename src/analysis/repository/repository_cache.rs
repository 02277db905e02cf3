//! Repositories with their deployment objects, read once.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::load::{FileError, Files};

use super::{Listing, Repository};

const MAX_REPOSITORIES: usize = 8;

/// The repositories whose files are cached: each is read once for all commands that share the
/// cache. Cheap to clone.
#[derive(Clone, Default)]
pub struct RepositoryCache {
    entries: Arc<Mutex<Vec<CachedRepository>>>,
}

#[derive(Clone)]
struct CachedRepository {
    files: Arc<dyn Files>,
    generation: u64,
    repository: Arc<Repository>,
}

impl RepositoryCache {
    /// The repository at a root with its deployment objects: the cached one if these files are
    /// cached and were read before, otherwise read now.
    pub fn repository(
        &self,
        root: &Path,
        listing: &dyn Listing,
        files: &Arc<dyn Files>,
    ) -> Result<Arc<Repository>, FileError> {
        let listed = listing.files_below(root)?;
        if let Some(known) = self.known((root, &listed), files) {
            return Ok(known);
        }
        // The lock is not held while files are read: the threads that read may have to wait for
        // each other.
        let mut repository = Repository::from_files(root, listed, None);
        repository.read_targets(&**files);
        repository.read_objects(files);
        let repository = Arc::new(repository);
        if files.is_cached() {
            let (files, generation) = (files.clone(), files.generation());
            let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
            if entries.len() == MAX_REPOSITORIES {
                entries.remove(0);
            }
            entries.push(CachedRepository { files, generation, repository: repository.clone() });
        }
        Ok(repository)
    }

    fn known(
        &self,
        (root, listed): (&Path, &[PathBuf]),
        files: &Arc<dyn Files>,
    ) -> Option<Arc<Repository>> {
        let is_it = |entry: &&CachedRepository| {
            let known = &entry.repository;
            Arc::ptr_eq(&entry.files, files)
                && entry.generation == files.generation()
                && (&*known.root, &**known.files) == (root, listed)
        };
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.iter().find(is_it).map(|entry| entry.repository.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::load::{KeptFiles, MemoryFiles};
    use crate::repository::ListedFiles;

    #[test]
    fn a_repository_is_read_once_until_files_change() {
        let path = PathBuf::from("/r/kustomization.yaml");
        let disk = MemoryFiles::default().file(&path, "namePrefix: a-\n");
        let kept = Arc::new(KeptFiles::new(Arc::new(disk)));
        let files: Arc<dyn Files> = kept.clone();
        let (cache, listing) = (RepositoryCache::default(), ListedFiles(vec![path.clone()]));
        let read = || cache.repository(Path::new("/r"), &listing, &files).unwrap();
        let first = read();
        assert!(Arc::ptr_eq(&first, &read()));
        kept.invalidate(&[path]);
        assert!(!Arc::ptr_eq(&first, &read()));
    }
}
