//! The repositories that were read, shared by all builds of the same files.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::load::Files;

use super::super::BuildOptions;
use super::index::DeploymentIndex;

/// Limit of the repositories that are kept.
const MAX_REPOSITORIES: usize = 4;

/// The deployment objects of repositories, with the outputs of their parents. Cheap to clone.
#[derive(Clone, Default)]
pub struct DeploymentCache {
    entries: Arc<Mutex<Vec<Entry>>>,
    /// The targets with builds that need this one, outermost first.
    enclosing: Vec<String>,
}

struct Entry {
    files: Arc<dyn Files>,
    generation: u64,
    options: BuildOptions,
    root: PathBuf,
    index: Arc<DeploymentIndex>,
}

impl DeploymentCache {
    /// The repository at a root, read now unless these files are known.
    pub(in crate::evaluate) fn index(
        &self,
        root: &Path,
        options: &BuildOptions,
        files: &Arc<dyn Files>,
    ) -> Arc<DeploymentIndex> {
        let generation = files.generation();
        let is_it = |entry: &Entry| {
            Arc::ptr_eq(&entry.files, files)
                && entry.generation == generation
                && entry.root == root
                && entry.options == *options
        };
        // The lock is held during the reading: other threads need the same repository.
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = entries.iter().find(|entry| is_it(entry)) {
            return known.index.clone();
        }
        let index = Arc::new(DeploymentIndex::read(root, &**files));
        let (files, options) = (files.clone(), options.clone());
        let entry =
            Entry { files, generation, options, root: root.to_owned(), index: index.clone() };
        entries.insert(0, entry);
        entries.truncate(MAX_REPOSITORIES);
        index
    }

    /// For the build of a target that another one needs.
    pub(in crate::evaluate) fn enclosed(&self, target: &str) -> Self {
        let mut enclosing = self.enclosing.clone();
        enclosing.push(target.to_owned());
        Self { enclosing, ..self.clone() }
    }

    /// The names of the targets with builds that need the current one.
    pub(in crate::evaluate) fn names(&self) -> impl Iterator<Item = &String> {
        self.enclosing.iter()
    }

    /// True if the build of this target needs the current one.
    pub(in crate::evaluate) fn has(&self, target: &str) -> bool {
        self.enclosing.iter().any(|name| name == target)
    }
}

impl std::fmt::Debug for DeploymentCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DeploymentCache")
    }
}
