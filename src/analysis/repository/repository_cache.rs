//! Repositories with their deployment objects, read once and kept up to date.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::evaluate::BuildOptions;
use crate::engine::load::{FileError, Files};

use super::{Listing, LocatedDeploymentObject, ObjectsByFile, Repository};

const MAX_RESOURCES: usize = 200_000;
const MAX_REPOSITORIES: usize = 8;

#[derive(Clone, Debug)]
pub struct RepositoryIndex {
    pub repository: Repository,
    /// The deployment objects in the order of their files.
    pub objects: Vec<LocatedDeploymentObject>,
    by_file: ObjectsByFile,
    built: Arc<Mutex<BuiltResources>>,
}

/// The resources of targets that were built, if they depend on the files alone.
#[derive(Clone, Debug, Default)]
struct BuiltResources {
    options: BuildOptions,
    by_target: BTreeMap<PathBuf, TargetResources>,
    count: usize,
}

/// Resources in the order of the output, shared by their readers.
pub type TargetResources = Arc<Vec<BuiltResource>>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltResource {
    pub kind: Arc<str>,
    /// The name in the output, and the names at earlier steps.
    pub names: Vec<Arc<str>>,
    /// The file that the resource begins in; `None` for one that a function made.
    pub file: Option<PathBuf>,
    pub line: u32,
}

impl RepositoryIndex {
    fn read(root: &Path, listed: Vec<PathBuf>, files: &Arc<dyn Files>) -> Self {
        let mut repository = Repository::from_files(root, listed, None);
        repository.read_targets(&**files);
        let by_file = ObjectsByFile::find(&repository, &**files);
        let objects = by_file.resolved(root, files);
        Self { repository, objects, by_file, built: Arc::default() }
    }

    /// The resources of the targets that were built with these options before.
    pub fn built_resources(&self, options: &BuildOptions) -> BTreeMap<PathBuf, TargetResources> {
        let built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        if built.options == *options { built.by_target.clone() } else { BTreeMap::new() }
    }

    /// Keeps the resources of targets that were built with these options, up to a limit.
    pub fn keep_resources(
        &self,
        options: &BuildOptions,
        targets: impl IntoIterator<Item = (PathBuf, TargetResources)>,
    ) {
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        if built.options != *options {
            *built = BuiltResources { options: options.clone(), ..BuiltResources::default() };
        }
        for (target, resources) in targets {
            if built.count + resources.len() <= MAX_RESOURCES {
                built.count += resources.len();
                built.by_target.insert(target, resources);
            }
        }
    }

    fn unaffected_resources(&self, after: &Self, changed: &[PathBuf]) -> BuiltResources {
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let names: BTreeSet<PathBuf> = built.by_target.keys().cloned().collect();
        for index in [self, after] {
            let (repository, objects) = (&index.repository, &index.objects);
            for target in repository.affected_targets(&names, objects, changed) {
                built.by_target.remove(&target);
            }
        }
        built.count = built.by_target.values().map(|resources| resources.len()).sum();
        built
    }

    /// The index for edits of these files. Other files are not read again.
    fn with_edits(&self, edited: &[PathBuf], files: &Arc<dyn Files>) -> Self {
        let mut repository = self.repository.clone();
        let edited: Vec<PathBuf> =
            edited.iter().filter(|file| file.starts_with(&repository.root)).cloned().collect();
        repository.update(&edited, &**files);
        self.with_repository(repository, &edited, files)
    }

    /// The index after these paths were changed, added or removed; `listed` are the files below the
    /// root now.
    fn with_changes(
        &self,
        listed: &Arc<Vec<PathBuf>>,
        changed: &[PathBuf],
        files: &Arc<dyn Files>,
    ) -> Self {
        let mut repository = self.repository.clone();
        repository.files = listed.clone();
        repository.update_targets(changed, &**files);
        let mut after = self.with_repository(repository, changed, files);
        after.built = Arc::new(Mutex::new(self.unaffected_resources(&after, changed)));
        after
    }

    fn with_repository(
        &self,
        repository: Repository,
        changed: &[PathBuf],
        files: &Arc<dyn Files>,
    ) -> Self {
        let mut by_file = self.by_file.clone();
        by_file.update(&repository, changed, &**files);
        // Folders and parents of objects depend on other files.
        let objects = by_file.resolved(&repository.root, files);
        Self { repository, objects, by_file, built: Arc::default() }
    }
}

/// The indexes of repositories whose files are cached: each is read once for all commands that
/// share the cache. Cheap to clone.
#[derive(Clone, Default)]
pub struct RepositoryCache {
    entries: Arc<Mutex<Vec<CachedIndex>>>,
}

#[derive(Clone)]
struct CachedIndex {
    files: Arc<dyn Files>,
    generation: u64,
    index: Arc<RepositoryIndex>,
}

impl CachedIndex {
    fn is_of(&self, root: &Path, files: &Arc<dyn Files>) -> bool {
        Arc::ptr_eq(&self.files, files)
            && self.generation == files.generation()
            && self.index.repository.root == root
    }
}

impl RepositoryCache {
    /// The index of the repository at a root: the cached one if these files are cached and were
    /// read before, derived from it if these files are edits of them, otherwise read now.
    pub fn index(
        &self,
        root: &Path,
        listing: &dyn Listing,
        files: &Arc<dyn Files>,
    ) -> Result<Arc<RepositoryIndex>, FileError> {
        let listed = listing.files_below(root)?;
        let has_these_files = |index: &RepositoryIndex| *index.repository.files == listed;
        if let Some(known) = self.known(root, files).filter(|known| has_these_files(known)) {
            return Ok(known);
        }
        // The lock is not held while files are read: the threads that read may have to wait for
        // each other.
        let derived = files.edits().and_then(|(before, edited)| {
            Some(self.known(root, before)?.with_edits(&edited, files))
        });
        let derived = derived.filter(has_these_files);
        let index = Arc::new(derived.unwrap_or_else(|| RepositoryIndex::read(root, listed, files)));
        if files.is_cached() {
            self.insert(files, index.clone());
        }
        Ok(index)
    }

    /// A cache for the state of files after a change, which begins with the index of the root if
    /// this cache has it for the files before. `listed` are the files below the root now.
    #[must_use]
    pub fn with_changes(
        &self,
        (root, listed): (&Path, &Arc<Vec<PathBuf>>),
        (before, files): (&Arc<dyn Files>, &Arc<dyn Files>),
        changed: &[PathBuf],
    ) -> Self {
        let after = Self::default();
        if let Some(known) = self.known(root, before) {
            after.insert(files, Arc::new(known.with_changes(listed, changed, files)));
        }
        after
    }

    fn known(&self, root: &Path, files: &Arc<dyn Files>) -> Option<Arc<RepositoryIndex>> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let known = entries.iter().find(|entry| entry.is_of(root, files));
        known.map(|entry| entry.index.clone())
    }

    /// Adds an index. Indexes of edits are dropped before others.
    fn insert(&self, files: &Arc<dyn Files>, index: Arc<RepositoryIndex>) {
        let entry = CachedIndex { files: files.clone(), generation: files.generation(), index };
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.len() == MAX_REPOSITORIES {
            let edit = entries.iter().position(|entry| entry.files.edits().is_some());
            entries.remove(edit.unwrap_or_default());
        }
        entries.push(entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::DraftedFiles;
    use crate::engine::load::{KeptFiles, MemoryFiles};
    use crate::repository::ListedFiles;

    const SET: &str = "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s}\nspec:\n  \
                       generators:\n  - git: {repoURL: https://example.com/r, directories: [{path: apps/*}]}\n  \
                       template: {metadata: {name: '{{path.basename}}'}, spec: {source: {repoURL: https://example.com/r, path: '{{path}}'}}}\n";
    // The file in `base` keeps the folder when its kustomization file is removed.
    const TREE: [(&str, &str); 5] = [
        ("/r/.git/config", "[remote \"origin\"]\n\turl = https://example.com/r\n"),
        ("/r/set.yaml", SET),
        ("/r/apps/a/kustomization.yaml", "resources: [../../base]\n"),
        ("/r/base/kustomization.yaml", "namePrefix: a-\n"),
        ("/r/base/notes.txt", ""),
    ];
    /// A new folder of the generator, a base that uses another folder, and a removed base.
    const CHANGES: [(&str, Option<&str>); 3] = [
        ("/r/apps/b/kustomization.yaml", Some("resources: [../../other]\n")),
        ("/r/base/kustomization.yaml", None),
        ("/r/other/kustomization.yaml", Some("namePrefix: b-\n")),
    ];

    fn files(changed: bool) -> (Arc<dyn Files>, ListedFiles) {
        let mut texts: std::collections::BTreeMap<&str, &str> = TREE.into();
        for (path, text) in CHANGES.iter().filter(|_| changed) {
            texts.remove(path);
            texts.extend(text.map(|text| (*path, text)));
        }
        let listed = texts.keys().filter(|path| !path.contains("/.git/")).map(PathBuf::from);
        let mut listed: Vec<PathBuf> = listed.collect();
        listed.sort_unstable();
        let files =
            texts.iter().fold(MemoryFiles::default(), |all, (path, text)| all.file(path, text));
        (Arc::new(KeptFiles::new(Arc::new(files))), ListedFiles(listed))
    }

    fn assert_same(derived: &RepositoryIndex, read: &RepositoryIndex) {
        assert_eq!(derived.repository.files, read.repository.files);
        assert!(derived.repository.targets().eq(read.repository.targets()));
        assert_eq!(derived.objects, read.objects);
    }

    #[test]
    fn an_index_is_read_once_and_derived_after_changes() {
        let root = Path::new("/r");
        let (before, listing) = files(false);
        let (after, new_listing) = files(true);
        let read = RepositoryCache::default().index(root, &new_listing, &after).unwrap();
        let names = |index: &RepositoryIndex| -> Vec<String> {
            index.objects.iter().map(|object| object.name.clone()).collect()
        };
        assert_eq!(names(&read), ["a", "b"]);
        let cache = RepositoryCache::default();
        let first = cache.index(root, &listing, &before).unwrap();
        assert_eq!(names(&first), ["a"]);
        assert!(Arc::ptr_eq(&first, &cache.index(root, &listing, &before).unwrap()));
        let texts = CHANGES.map(|(path, text)| (path.into(), text.map(|it| it.as_bytes().into())));
        let edited: Arc<dyn Files> = Arc::new(DraftedFiles::new(texts.into_iter(), before.clone()));
        assert_same(&cache.index(root, &new_listing, &edited).unwrap(), &read);
        let changed: Vec<PathBuf> = CHANGES.iter().map(|(path, _)| path.into()).collect();
        let listed = Arc::new(new_listing.0.clone());
        let cache = cache.with_changes((root, &listed), (&before, &after), &changed);
        let derived = cache.known(root, &after).unwrap();
        assert_same(&derived, &read);
        assert!(Arc::ptr_eq(&derived, &cache.index(root, &new_listing, &after).unwrap()));
    }
}
