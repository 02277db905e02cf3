//! The reverse index of a repository: from a path to the targets with entries that refer to it. An
//! update replaces the entries of single targets, so that its cost depends on the number of changed
//! targets only.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{ReferenceDestination, ReferenceEntry};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TargetIndex {
    /// From a path to the targets with entries that refer to it, each with the index of the entry
    /// in its `uses`; sorted.
    users: BTreeMap<PathBuf, Vec<(PathBuf, usize)>>,
    missed: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
    configured: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
}

impl TargetIndex {
    pub(super) fn add(&mut self, (folder, file): (&Path, &Path), uses: &[ReferenceEntry]) {
        for (at, it) in uses.iter().enumerate() {
            if let Some(path) = it.to.path() {
                let users = self.users.entry(path.to_owned()).or_default();
                let user = (folder.to_owned(), at);
                let place = users.partition_point(|known| *known < user);
                users.insert(place, user);
            }
            if let ReferenceDestination::Missing(path) = &it.to {
                let missing = self.missed.entry(path.clone()).or_default();
                missing.insert(folder.to_owned());
            }
            if it.file != file {
                let readers = self.configured.entry(it.file.clone()).or_default();
                readers.insert(folder.to_owned());
            }
        }
    }

    pub(super) fn remove(&mut self, folder: &Path, uses: &[ReferenceEntry]) {
        for it in uses {
            remove_folder(&mut self.configured, &it.file, folder);
            if let ReferenceDestination::Missing(path) = &it.to {
                remove_folder(&mut self.missed, path, folder);
            }
            let Some(path) = it.to.path() else { continue };
            if let Some(users) = self.users.get_mut(path) {
                users.retain(|(user, _)| user != folder);
                if users.is_empty() {
                    self.users.remove(path);
                }
            }
        }
    }

    /// The folders of the targets with entries that refer to a path, each with the index of the
    /// entry.
    pub(super) fn targets_using(&self, path: &Path) -> impl Iterator<Item = &(PathBuf, usize)> {
        self.users.get(path).into_iter().flatten()
    }

    pub(super) fn leads_to(&self, path: &Path) -> bool {
        self.users.contains_key(path)
    }

    /// The folders of the targets with entries that refer to a missing path that would exist if
    /// `path` were created.
    pub(super) fn targets_missing(&self, path: &Path) -> impl Iterator<Item = &PathBuf> {
        path.ancestors().filter_map(|to| self.missed.get(to)).flatten()
    }

    pub(super) fn configured_by(&self, file: &Path) -> impl Iterator<Item = &PathBuf> {
        self.configured.get(file).into_iter().flatten()
    }
}

fn remove_folder(index: &mut BTreeMap<PathBuf, BTreeSet<PathBuf>>, path: &Path, folder: &Path) {
    if let Some(folders) = index.get_mut(path) {
        folders.remove(folder);
        if folders.is_empty() {
            index.remove(path);
        }
    }
}
