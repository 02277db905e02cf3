//! The repositories that were read, shared by all builds of the same files.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::load::Files;

use super::super::BuildOptions;
use super::index::DeploymentIndex;

/// The maximum number of repositories in the cache.
const MAX_REPOSITORIES: usize = 4;

/// The deployment objects of repositories, with the outputs of their parents. Cheap to clone.
#[derive(Clone, Default)]
pub struct DeploymentCache {
    entries: Arc<Mutex<Vec<Entry>>>,
    /// The names of the targets whose builds need the output of the current target, outermost
    /// first.
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
    /// The index of the repository at a root: cached if these files were read before, otherwise
    /// read now.
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
        // The lock is held during the reading, so that other threads do not read the same
        // repository again.
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = entries.iter().find(|entry| is_it(entry)) {
            return known.index.clone();
        }
        // Most other builds change only the options or one file of a trial: such an index can be
        // derived from a cached one.
        let known = entries.iter().filter(|entry| entry.root == root).find_map(|entry| {
            if Arc::ptr_eq(&entry.files, files) && entry.generation == generation {
                return Some(entry.index.without_outputs());
            }
            let is_current = entry.generation == entry.files.generation();
            is_current.then(|| entry.index.with_files(&*entry.files, &**files)).flatten()
        });
        let index = known.unwrap_or_else(|| DeploymentIndex::read(root, &**files));
        let index = Arc::new(index);
        let (files, options) = (files.clone(), options.clone());
        let entry =
            Entry { files, generation, options, root: root.to_owned(), index: index.clone() };
        entries.insert(0, entry);
        entries.truncate(MAX_REPOSITORIES);
        index
    }

    /// The cache for the build of a target that the current build needs.
    pub(in crate::evaluate) fn for_nested_target(&self, target: &str) -> Self {
        let mut enclosing = self.enclosing.clone();
        enclosing.push(target.to_owned());
        Self { enclosing, ..self.clone() }
    }

    /// The names of the targets whose builds need the current target.
    pub(in crate::evaluate) fn names(&self) -> impl Iterator<Item = &String> {
        self.enclosing.iter()
    }

    /// True if the build of this target needs the current target.
    pub(in crate::evaluate) fn has(&self, target: &str) -> bool {
        self.enclosing.iter().any(|name| name == target)
    }
}

impl std::fmt::Debug for DeploymentCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DeploymentCache")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::MemoryFiles;

    const APPLICATION: &str = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec:\n  source: {repoURL: https://example.com/r, path: app}\n";
    const PARENT: &str = "resources: [app.yaml]\npatches:\n- patch: '[]'\n  target: {group: argoproj.io, kind: Application}\n";

    fn tree(parent: &str, application: &str) -> Arc<dyn Files> {
        let files = MemoryFiles::default()
            .file("/r/.git/config", "[remote \"origin\"]\n\turl = https://example.com/r\n")
            .file("/r/parent/kustomization.yaml", parent)
            .file("/r/parent/app.yaml", application)
            .file("/r/app/kustomization.yaml", "resources: [more.yaml]\n")
            .file("/r/app/more.yaml", "kind: ConfigMap\n");
        Arc::new(files)
    }

    #[test]
    fn edits_without_effect_on_objects_and_parents_keep_an_index() {
        let before = tree(PARENT, APPLICATION);
        let index = DeploymentIndex::read(Path::new("/r"), &*before);
        let with = |files: &Arc<dyn Files>| index.with_files(&*before, &**files);
        let patched = tree(&PARENT.replace("'[]'", "''"), APPLICATION);
        let kept = with(&patched).expect("a patch changes no object");
        let read = DeploymentIndex::read(Path::new("/r"), &*patched);
        assert_eq!(kept.texts, read.texts);
        assert_eq!(kept.objects, read.objects);
        let file = Path::new("/r/parent/app.yaml");
        assert_eq!(kept.parents_of(file), read.parents_of(file));
        for other in [
            tree("patches: []\n", APPLICATION),
            tree(PARENT, &APPLICATION.replace("path: app", "path: other")),
            tree(PARENT, "kind: ConfigMap\n"),
        ] {
            assert!(with(&other).is_none());
        }
    }
}
