//! The repositories that were read, shared by all builds of the same files.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::load::Files;

use super::super::BuildOptions;
use super::index::DeploymentIndex;

const MAX_REPOSITORIES: usize = 4;
/// Limit of the variants of repositories that are kept: with edits, or for other options. Trials
/// make many of them, which must not replace the repositories.
const MAX_VARIANTS: usize = 4;

/// The deployment objects of repositories, with the outputs of their parents. Cheap to clone.
#[derive(Clone, Default)]
pub struct DeploymentCache {
    entries: Arc<Mutex<CachedRepositories>>,
    /// The names of the targets whose builds need the output of the current target, outermost
    /// first.
    enclosing: Vec<String>,
}

/// The newest entries first.
#[derive(Default)]
struct CachedRepositories {
    repositories: Vec<Entry>,
    variants: Vec<Entry>,
}

struct Entry {
    files: Arc<dyn Files>,
    generation: u64,
    options: BuildOptions,
    root: PathBuf,
    index: Arc<DeploymentIndex>,
}

impl Entry {
    fn is_of(&self, root: &Path, files: &Arc<dyn Files>) -> bool {
        Arc::ptr_eq(&self.files, files)
            && self.generation == files.generation()
            && self.root == root
    }
}

impl CachedRepositories {
    fn index(
        &mut self,
        root: &Path,
        options: &BuildOptions,
        files: &Arc<dyn Files>,
    ) -> Arc<DeploymentIndex> {
        let all = self.repositories.iter().chain(&self.variants);
        let mut same = all.filter(|entry| entry.is_of(root, files));
        let other = same.clone().next().map(|entry| entry.index.clone());
        if let Some(known) = same.find(|entry| entry.options == *options) {
            return known.index.clone();
        }
        let edited = files.edits().filter(|_| other.is_none()).and_then(|(before, paths)| {
            self.index(root, options, before).with_edits(&paths, &**before, &**files)
        });
        let variant = other.map(|other| other.without_outputs()).or(edited);
        let is_variant = variant.is_some() || files.edits().is_some();
        let index = Arc::new(variant.unwrap_or_else(|| DeploymentIndex::read(root, &**files)));
        let (list, most) = if is_variant {
            (&mut self.variants, MAX_VARIANTS)
        } else {
            (&mut self.repositories, MAX_REPOSITORIES)
        };
        let entry = Entry {
            files: files.clone(),
            generation: files.generation(),
            options: options.clone(),
            root: root.to_owned(),
            index: index.clone(),
        };
        list.insert(0, entry);
        list.truncate(most);
        index
    }
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
        // The lock is held during the reading, so that other threads do not read the same
        // repository again.
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.index(root, options, files)
    }

    /// Forgets the outputs of targets, which may depend on more than files: a remote may be fetched,
    /// or a function trusted, between two commands.
    pub fn forget_outputs(&self) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let CachedRepositories { repositories, variants } = &mut *entries;
        for entry in repositories.iter_mut().chain(variants) {
            entry.index = Arc::new(entry.index.without_outputs());
        }
    }

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

#[cfg(test)]
mod tests {
    use super::super::output::TargetOutput;
    use super::*;
    use crate::load::{MemoryFiles, SourceNumbers};
    use std::collections::BTreeSet;

    const APPLICATION: &str = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec:\n  source: {repoURL: https://example.com/r, path: app}\n";
    const PARENT: &str = "resources: [app.yaml]\npatches:\n- patch: '[]'\n  target: {group: argoproj.io, kind: Application}\n";

    fn tree(parent: &str, application: &str) -> MemoryFiles {
        MemoryFiles::default()
            .file("/r/.git/config", "[remote \"origin\"]\n\turl = https://example.com/r\n")
            .file("/r/parent/kustomization.yaml", parent)
            .file("/r/parent/app.yaml", application)
            .file("/r/app/kustomization.yaml", "resources: [more.yaml]\n")
            .file("/r/app/more.yaml", "kind: ConfigMap\n")
    }

    const PATHS: [&str; 2] = ["/r/parent/kustomization.yaml", "/r/parent/app.yaml"];

    #[test]
    fn edits_without_effect_on_objects_keep_an_index() {
        let before = tree(PARENT, APPLICATION);
        let index = DeploymentIndex::read(Path::new("/r"), &before);
        let edited = PATHS.map(PathBuf::from);
        let with = |files: &MemoryFiles| index.with_edits(&edited, &before, files);
        let patched = tree(&PARENT.replace("'[]'", "''"), APPLICATION);
        let kept = with(&patched).expect("a patch changes no object");
        let read = DeploymentIndex::read(Path::new("/r"), &patched);
        assert_eq!(kept.texts, read.texts);
        assert_eq!(kept.objects, read.objects);
        let file = Path::new("/r/parent/app.yaml");
        assert_eq!(kept.parents_of(file), read.parents_of(file));
        let without = tree("patches: []\n", APPLICATION);
        let kept = with(&without).expect("a kustomization changes no object");
        assert_eq!(kept.objects, index.objects);
        assert!(kept.parents_of(file).is_empty());
        for other in [
            tree(PARENT, &APPLICATION.replace("path: app", "path: other")),
            tree(PARENT, "kind: ConfigMap\n"),
        ] {
            assert!(with(&other).is_none());
        }
    }

    #[test]
    fn an_output_is_kept_if_its_build_read_no_edited_file() {
        let before = tree(PARENT, APPLICATION);
        let index = DeploymentIndex::read(Path::new("/r"), &before);
        let watched = |path: &str| TargetOutput {
            children: Vec::new(),
            data: Vec::new(),
            problem: None,
            kept_variables: BTreeSet::new(),
            names: SourceNumbers::default(),
            watched: [PathBuf::from(path)].into(),
        };
        index.output("parent", || watched(PATHS[0]));
        index.output("app", || watched("/r/app/more.yaml"));
        index.output("parent/app.yaml#a", || watched("/r/app/more.yaml"));
        let patched = tree(&PARENT.replace("'[]'", "''"), APPLICATION);
        let edition = index.with_edits(&PATHS.map(PathBuf::from), &before, &patched).unwrap();
        let is_kept = |target: &str| {
            let mut is_built = false;
            edition.output(target, || {
                is_built = true;
                watched("")
            });
            !is_built
        };
        assert!(!is_kept("parent"));
        assert!(is_kept("app"));
        // It may contain variables or objects of the first output.
        assert!(!is_kept("parent/app.yaml#a"));
    }
}
