//! The entries of the kustomization files of a repository, and the files that a folder uses through
//! them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::load::{FileKind, Files, WalkEntry, clean, walk};
use crate::manifest::decode_kustomization;
use crate::profile::Profile;
use crate::yaml::{Mark, Node, SourceId};

use super::super::FILE_NAMES;

/// The files and folders below a folder through entries of kustomization files.
#[derive(Default)]
pub(super) struct ReachablePaths {
    pub(super) files: BTreeSet<PathBuf>,
    /// The folders that are used, without the starting folder.
    pub(super) folders: BTreeSet<PathBuf>,
}

/// The local entries of the kustomization files in a repository, by folder; each file is read when
/// it is first needed.
pub(super) struct KustomizationGraph<'f> {
    files: &'f dyn Files,
    /// The files with deployment objects.
    objects: BTreeSet<&'f Path>,
    entries: BTreeMap<PathBuf, Arc<LocalEntries>>,
}

#[derive(Default, PartialEq)]
pub(super) struct LocalEntries {
    paths: Vec<(PathBuf, FileKind)>,
    /// The patches in files with deployment objects.
    patches: BTreeSet<PathBuf>,
    is_component: bool,
}

impl<'f> KustomizationGraph<'f> {
    pub(super) fn new(files: &'f dyn Files, objects: BTreeSet<&'f Path>) -> Self {
        Self { files, objects, entries: BTreeMap::new() }
    }

    pub(super) fn entries(&mut self, folder: &Path) -> Arc<LocalEntries> {
        if let Some(known) = self.entries.get(folder) {
            return known.clone();
        }
        let files = self.files;
        let bytes = FILE_NAMES.iter().find_map(|name| files.read(&folder.join(name)).ok());
        let read = bytes
            .and_then(|bytes| decode_kustomization(&bytes, SourceId::NONE, Profile::MASTER).ok());
        let mut entries = LocalEntries::default();
        if let Some(read) = read {
            entries.is_component = read.kind == crate::manifest::KustomizationKind::Component;
            let listed = read.resources.iter().chain(&read.components);
            entries.paths = listed
                .filter_map(|entry| files.resolve(&clean(&folder.join(&entry.value))).ok())
                .collect();
            let inline = |text: &&str| text.contains('\n');
            let patches = read.patches.iter().chain(&read.patches_json6902);
            let patches = patches.map(|entry| entry.value.path.as_str());
            let merges = read.patches_strategic_merge.iter().map(|entry| entry.value.as_str());
            let paths = patches.chain(merges).filter(|path| !path.is_empty() && !inline(path));
            entries.patches = paths
                .filter_map(|path| Some(files.resolve(&clean(&folder.join(path))).ok()?.0))
                .filter(|file| self.objects.contains(&**file))
                .collect();
        }
        let entries = Arc::new(entries);
        self.entries.insert(folder.to_owned(), entries.clone());
        entries
    }

    /// Collects the files and folders that a folder uses through entries of kustomization files.
    /// `components` are paths of additional components of the folder.
    pub(super) fn reachable_paths(
        &mut self,
        folder: &Path,
        components: &[String],
    ) -> ReachablePaths {
        let files = self.files;
        let mut reach = ReachablePaths::default();
        let mut queue = VecDeque::new();
        if has_kustomization(folder, files) {
            queue.push_back(folder.to_owned());
        } else {
            let below = manifests_below(folder, files);
            for path in below.iter().map(|path| clean(&folder.join(path))) {
                match files.resolve(&path) {
                    Ok((path, FileKind::Directory)) => queue.push_back(path),
                    Ok((path, FileKind::File)) => drop(reach.files.insert(path)),
                    Err(_) => {}
                }
            }
        }
        let added = components.iter().map(|path| clean(&folder.join(path)));
        queue.extend(added.filter_map(|path| Some(files.resolve(&path).ok()?.0)));
        while let Some(next) = queue.pop_front() {
            if next != folder && !reach.folders.insert(next.clone()) {
                continue;
            }
            for (path, kind) in &self.entries(&next).paths {
                match kind {
                    FileKind::File => drop(reach.files.insert(path.clone())),
                    FileKind::Directory if path != folder => queue.push_back(path.clone()),
                    FileKind::Directory => {}
                }
            }
            let own = FILE_NAMES.iter().map(|name| next.join(name));
            reach.files.extend(own.filter(|path| files.resolve(path).is_ok()));
        }
        reach
    }

    /// The folders with a kustomization that no object deploys and no other kustomization uses.
    pub(super) fn unused_folders(
        &mut self,
        all: &BTreeSet<PathBuf>,
        deployed: &BTreeSet<PathBuf>,
    ) -> Vec<PathBuf> {
        let mut used = deployed.clone();
        for folder in all {
            let entries = self.entries(folder);
            if entries.is_component {
                used.insert(folder.clone());
            }
            used.extend(entries.paths.iter().map(|(path, _)| path.clone()));
        }
        all.iter().filter(|folder| !used.contains(*folder)).cloned().collect()
    }

    /// The files that kustomizations in these folders list as patches only.
    pub(super) fn patch_files(&mut self, all: &BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
        let mut patches = BTreeSet::new();
        let mut listed = BTreeSet::new();
        for folder in all {
            let entries = self.entries(folder);
            patches.extend(entries.patches.iter().cloned());
            listed.extend(entries.paths.iter().map(|(path, _)| path.clone()));
        }
        patches.retain(|file| !listed.contains(file));
        patches
    }
}

pub(in crate::evaluate) fn has_kustomization(folder: &Path, files: &dyn Files) -> bool {
    FILE_NAMES.iter().any(|name| files.resolve(&folder.join(name)).is_ok())
}

pub(in crate::evaluate) fn is_kustomization_file(path: &Path) -> bool {
    path.file_name().is_some_and(|name| FILE_NAMES.iter().any(|it| name == *it))
}

/// The kustomization file that Flux generates for a directory without one lists every manifest below
/// it, and subdirectories with a kustomization file as directories. Returned as a tree. `files` are the files of
/// the source; `mark` is the location of the directory in the deployment object, and becomes the
/// location of each entry.
pub(in crate::evaluate) fn generated_kustomization(
    directory: &Path,
    files: &dyn Files,
    mark: Mark,
) -> Node {
    let found = manifests_below(directory, files);
    let mut root = Node::mapping();
    if found.is_empty() {
        root.set("namespace", Node::string("_placeholder"));
    } else {
        let items = found.iter().map(|path| Node::string(path.as_str())).collect();
        root.set("resources", Node::sequence(items));
    }
    root.mark_all(mark);
    root
}

fn manifests_below(directory: &Path, files: &dyn Files) -> Vec<String> {
    let mut found = Vec::new();
    walk((directory, usize::MAX), files, &mut |WalkEntry { shown, path, kind, .. }| {
        let is_target =
            |file: &&str| matches!(files.resolve(&path.join(file)), Ok((_, FileKind::File)));
        let is_listed = match kind {
            FileKind::Directory => FILE_NAMES.iter().any(is_target),
            FileKind::File => is_yaml(path),
        };
        if is_listed {
            found.push(format!("./{shown}"));
        }
        !is_listed
    });
    found
}

pub(in crate::evaluate) fn is_yaml(path: &Path) -> bool {
    matches!(path.extension().and_then(|it| it.to_str()), Some("yaml" | "yml"))
}
