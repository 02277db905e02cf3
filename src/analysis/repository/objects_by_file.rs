//! The deployment objects of a repository, kept up to date.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::load::Files;

use super::builds::FILES_PER_PART;
use super::{
    LocatedDeploymentObject, Repository, deployment_objects_in_file, map_with_cache,
    resolve_deployment_objects,
};

/// The deployment objects of a repository by their file, with unresolved folders.
#[derive(Clone, Debug, Default)]
pub struct ObjectsByFile(BTreeMap<PathBuf, Vec<LocatedDeploymentObject>>);

impl ObjectsByFile {
    /// The objects in all files of a repository. Reads every YAML file.
    pub fn find(repository: &Repository, files: &dyn Files) -> Self {
        let found = map_with_cache(&repository.files, (FILES_PER_PART, || ()), |file, ()| {
            let objects = deployment_objects_in_file(&repository.root, file, files);
            (!objects.is_empty()).then(|| (file.clone(), objects))
        });
        Self(found.into_iter().flatten().collect())
    }

    /// Updates the objects after the repository was updated for these files: the objects in them,
    /// and those that a generator makes from other files. True if an object changed.
    pub fn update(
        &mut self,
        repository: &Repository,
        changed: &[PathBuf],
        files: &dyn Files,
    ) -> bool {
        let has_generator = |file: &&PathBuf| {
            let text = files.read(file);
            text.is_ok_and(|text| memchr::memmem::find(&text, b"ApplicationSet").is_some())
        };
        let generated: Vec<PathBuf> = self.0.keys().filter(has_generator).cloned().collect();
        let mut is_changed = false;
        for file in changed.iter().chain(&generated) {
            let is_listed = repository.files.binary_search(file).is_ok();
            let objects =
                is_listed.then(|| deployment_objects_in_file(&repository.root, file, files));
            let objects = objects.unwrap_or_default();
            let before = self.0.remove(file).unwrap_or_default();
            is_changed |= objects != before;
            if !objects.is_empty() {
                self.0.insert(file.clone(), objects);
            }
        }
        is_changed
    }

    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.0.keys()
    }

    /// The objects with the folders that they build, in the order of their files.
    pub fn resolved(&self, root: &Path, files: &Arc<dyn Files>) -> Vec<LocatedDeploymentObject> {
        resolve_deployment_objects(self.0.values().flatten().cloned().collect(), root, files)
    }
}
