//! The repository as a value: its targets and their entries.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::evaluate::{makes_target, target_file_names};
use crate::engine::load::{FileError, Files, relative_path};
use crate::engine::manifest::{COMPOSITION_FILE_NAMES, KustomizationKind, decode_kustomization};
use crate::engine::profile::Profile;
use crate::engine::yaml::SourceId;

use super::builds::FILES_PER_PART;
use super::entries::ReferenceReader;
use super::{
    Listing, LocatedDeploymentObject, ReferenceDestination, ReferenceEntry, UseKind, map_with_cache,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TargetKind {
    Kustomization,
    Component,
    Composition,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub folder: PathBuf,
    pub file: PathBuf,
    pub kind: TargetKind,
    pub uses: Vec<ReferenceEntry>,
    /// Why the kustomization file cannot be read: message and line.
    pub broken: Option<(String, u32)>,
    pub copies_values: bool,
}

impl Target {
    pub(super) fn reads_unlisted_files(&self) -> bool {
        let fields =
            ["generators", "transformers", "validators", "helmCharts", "openapi", "composition"];
        self.kind == TargetKind::Composition
            || self.uses.iter().any(|it| fields.contains(&it.field))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repository {
    pub root: PathBuf,
    /// The files below the root. The list is shared until a file is added or removed.
    pub files: Arc<Vec<PathBuf>>,
    /// True if the kustomization files were listed and not read: kind and entries of the targets
    /// are not known.
    pub is_unread: bool,
    /// A message about the folders that were left out: a folder outside a git repository can be of
    /// any size.
    pub left_out: Option<String>,
    /// The deployment objects in the order of their locations; none before
    /// [`Repository::read_objects`].
    pub objects: Arc<Vec<LocatedDeploymentObject>>,
    targets: BTreeMap<PathBuf, Arc<Target>>,
    /// From a path to the targets with entries that refer to it, each with the index of the entry in
    /// its `uses`; sorted. A path may be missing.
    users: Arc<BTreeMap<PathBuf, Vec<(PathBuf, usize)>>>,
}

impl Repository {
    /// Reads every kustomization file below a folder.
    ///
    /// # Errors
    /// The folder cannot be listed. A file that cannot be read is a [`Target::broken`] one.
    pub fn read(root: &Path, listing: &dyn Listing, files: &dyn Files) -> Result<Self, FileError> {
        let files_below = listing.files_below(root)?;
        let mut repository = Self::from_files(root, files_below, None);
        repository.read_targets(files);
        Ok(repository)
    }

    /// Finds every kustomization file below a folder, within limits, and reads none.
    pub fn find_unread(root: &Path, listing: &dyn Listing) -> Result<Self, FileError> {
        let (files_below, left_out) = listing.files_within_bounds(root)?;
        Ok(Self::from_files(root, files_below, left_out))
    }

    /// The targets in a list of files in any order, without reading them.
    pub fn from_files(root: &Path, files: Vec<PathBuf>, left_out: Option<String>) -> Self {
        let found =
            files.iter().filter(|file| is_target_file(file)).filter_map(|file| unread_target(file));
        let mut found: Vec<Target> = found.collect();
        // The targets are nearly in this order already, so sorting is fast. Of several
        // kustomization files in a folder, the first name counts.
        found.sort_by(|one, other| {
            one.folder.cmp(&other.folder).then_with(|| rank(&one.file).cmp(&rank(&other.file)))
        });
        found.dedup_by(|one, other| one.folder == other.folder);
        let targets = found.into_iter().map(|target| (target.folder.clone(), Arc::new(target)));
        let targets = targets.collect();
        let root = root.to_owned();
        Self { root, files: Arc::new(files), is_unread: true, left_out, targets, ..Self::default() }
    }

    pub fn read_targets(&mut self, files: &dyn Files) {
        let unread: Vec<Arc<Target>> = std::mem::take(&mut self.targets).into_values().collect();
        let read =
            map_with_cache(&unread, (FILES_PER_PART, || ()), |it, ()| read_target(it, files));
        let read = read.into_iter().flatten();
        self.targets = read.map(|target| (target.folder.clone(), Arc::new(target))).collect();
        self.is_unread = false;
        self.index();
    }

    /// Updates the repository after these files were changed, added or removed: only the
    /// kustomization files among them or with references to them are read again. Returns the
    /// targets that changed.
    pub fn update(&mut self, changed: &[PathBuf], files: &dyn Files) -> Vec<PathBuf> {
        let mut again: BTreeSet<PathBuf> = BTreeSet::new();
        for path in changed {
            let is_there = files.resolve(path).is_ok();
            match (self.files.binary_search(path), is_there) {
                (Ok(at), false) => drop(Arc::make_mut(&mut self.files).remove(at)),
                // Files of git itself are never listed.
                (Err(_), true) if path.iter().any(|part| part == ".git") => {}
                (Err(at), true) => Arc::make_mut(&mut self.files).insert(at, path.clone()),
                _ => {}
            }
            if is_target_file(path) {
                again.extend(path.parent().map(Path::to_owned));
            }
            // The existence of a path decides whether the entries that refer to it are resolved or
            // missing.
            let leads = |it: &ReferenceEntry| match &it.to {
                ReferenceDestination::File(_) | ReferenceDestination::Missing(_) => true,
                ReferenceDestination::Folder(_) => !is_there,
                ReferenceDestination::Remote(_) => false,
            };
            for to in path.ancestors() {
                let users = self.referring(to).filter(|(_, it)| leads(it));
                again.extend(users.map(|(target, _)| target.folder.clone()));
            }
            // Paths in the configuration of a plugin count only if they exist.
            let plugins = path.ancestors().skip(1).filter_map(|above| self.target(above));
            again
                .extend(plugins.filter(|it| it.reads_unlisted_files()).map(|it| it.folder.clone()));
        }
        let changed: BTreeSet<&PathBuf> = changed.iter().collect();
        let is_configured = |it: &&Target| it.uses.iter().any(|it| changed.contains(&it.file));
        again.extend(self.targets().filter(is_configured).map(|it| it.folder.clone()));
        for folder in &again {
            self.targets.remove(folder);
            let there = |name: &&str| self.files.binary_search(&folder.join(name)).is_ok();
            let file = target_file_names().find(there).map(|name| folder.join(name));
            if let Some(target) = file.as_deref().and_then(unread_target) {
                let read = read_target(&target, files);
                self.targets.extend(read.map(|target| (folder.clone(), Arc::new(target))));
            }
        }
        self.index();
        again.into_iter().collect()
    }

    fn index(&mut self) {
        let mut users: BTreeMap<PathBuf, Vec<(PathBuf, usize)>> = BTreeMap::new();
        for target in self.targets.values() {
            for (at, it) in target.uses.iter().enumerate() {
                let Some(path) = it.to.local_path() else { continue };
                users.entry(path.to_owned()).or_default().push((target.folder.clone(), at));
            }
        }
        self.users = Arc::new(users);
    }

    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        self.targets.values().map(|target| &**target)
    }

    pub fn target(&self, folder: &Path) -> Option<&Target> {
        self.targets.get(folder).map(|target| &**target)
    }

    pub fn users(&self, path: &Path) -> impl Iterator<Item = (&Target, &ReferenceEntry)> {
        self.referring(path).filter(|(_, it)| it.to.path().is_some())
    }

    fn referring(&self, path: &Path) -> impl Iterator<Item = (&Target, &ReferenceEntry)> {
        self.users.get(path).into_iter().flatten().filter_map(|(folder, at)| {
            let target = self.target(folder)?;
            Some((target, target.uses.get(*at)?))
        })
    }

    pub fn users_of_target(
        &self,
        folder: &Path,
    ) -> impl Iterator<Item = (&Target, &ReferenceEntry)> {
        let file = self.target(folder).map(|target| &*target.file);
        self.users(folder).chain(file.into_iter().flat_map(|file| self.users(file)))
    }

    /// The targets to build: Kustomizations and Compositions that no other target uses.
    pub fn roots(&self) -> impl Iterator<Item = &Target> {
        self.targets().filter(|target| self.is_root(target))
    }

    pub fn is_root(&self, target: &Target) -> bool {
        let is_used = self.users_of_target(&target.folder).next().is_some();
        target.kind != TargetKind::Component && !is_used
    }

    pub fn unused_components(&self) -> impl Iterator<Item = &Target> {
        let components = self.targets().filter(|it| it.kind == TargetKind::Component);
        components.filter(|it| self.users(&it.folder).next().is_none())
    }

    pub fn missing(&self) -> impl Iterator<Item = &ReferenceEntry> {
        self.targets().flat_map(|it| &it.uses).filter(|it| it.is_missing())
    }

    /// The targets with entries that refer to a missing path that would exist if `path` were
    /// created.
    pub(super) fn targets_missing(&self, path: &Path) -> impl Iterator<Item = &Target> {
        let users = path.ancestors().flat_map(|to| self.referring(to));
        users.filter(|(_, it)| it.is_missing()).map(|(target, _)| target)
    }

    /// YAML files beside or below a kustomization to which no entry refers. Files in a local chart
    /// are used by the chart.
    pub fn unlisted_files(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter().filter(|file| {
            let beside = |folder: &Path| self.targets.contains_key(folder);
            is_yaml(file)
                && !is_target_file(file)
                && file.parent().is_some_and(beside)
                && self.owners(file).is_empty()
        })
    }

    /// The targets that use a file directly, each with the entry that refers to it. The target with
    /// this kustomization file has no such entry.
    pub(super) fn owners(&self, file: &Path) -> Vec<(&Target, Option<&ReferenceEntry>)> {
        let mut owners: Vec<(&Target, Option<&ReferenceEntry>)> = Vec::new();
        let own = file.parent().and_then(|folder| self.target(folder));
        owners.extend(own.filter(|target| target.file == file).map(|target| (target, None)));
        // Paths in the configuration of a plugin are relative to its target, which therefore owns
        // the file.
        owners.extend(self.users(file).map(|(target, it)| (target, Some(it))));
        for above in file.ancestors().skip(1).take_while(|above| above.starts_with(&self.root)) {
            let whole = self
                .users(above)
                .filter(|(_, it)| it.kind == UseKind::Chart || it.kind == UseKind::Plugin);
            owners.extend(whole.map(|(target, it)| (target, Some(it))));
        }
        owners
    }

    /// The folder of a kustomization file; any other path itself.
    pub(super) fn folder_of_file<'p>(&self, path: &'p Path) -> &'p Path {
        let folder = path
            .parent()
            .filter(|folder| self.target(folder).is_some_and(|target| target.file == path));
        folder.unwrap_or(path)
    }

    /// The files below a folder; for another path, the path itself.
    pub fn files_at(&self, path: &Path) -> Vec<PathBuf> {
        let first = self.files.partition_point(|file| **file < *path);
        let below = self.files[first..].iter().take_while(|file| file.starts_with(path));
        let below: Vec<PathBuf> = below.cloned().collect();
        if below.is_empty() { vec![path.to_owned()] } else { below }
    }

    /// A path for display: relative to the root of the repository, with `..` if it lies outside.
    pub fn shown(&self, path: &Path) -> String {
        match relative_path(&self.root, path) {
            text if text.is_empty() => ".".to_owned(),
            text => text,
        }
    }
}

pub fn is_yaml(file: &Path) -> bool {
    file.extension().is_some_and(|it| it == "yaml" || it == "yml")
}

pub(super) fn is_target_file(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    target_file_names().any(|target| name == target)
}

/// The precedence of a kustomization file among several in a folder: the first name counts.
fn rank(file: &Path) -> usize {
    let name = file.file_name().unwrap_or_default();
    target_file_names().position(|target| name == target).unwrap_or(usize::MAX)
}

fn unread_target(file: &Path) -> Option<Target> {
    let is_composition = COMPOSITION_FILE_NAMES.iter().any(|name| file.ends_with(name));
    Some(Target {
        folder: file.parent()?.to_owned(),
        file: file.to_owned(),
        kind: if is_composition { TargetKind::Composition } else { TargetKind::Kustomization },
        uses: Vec::new(),
        broken: None,
        copies_values: false,
    })
}

/// The target in a folder with its references; `None` without a kustomization file.
pub(super) fn target_in(folder: &Path, files: &dyn Files) -> Option<Target> {
    let mut names = target_file_names().map(|name| folder.join(name));
    let file = names.find(|file| files.resolve(file).is_ok())?;
    read_target(&unread_target(&file)?, files)
}

/// The target with the references in its file; `None` if the file is an object of another program.
fn read_target(unread: &Target, files: &dyn Files) -> Option<Target> {
    let mut target = unread.clone();
    let (folder, file) = (&unread.folder, &unread.file);
    let mut reader = ReferenceReader { files, folder, file, uses: Vec::new() };
    match files.read(file) {
        Err(error) => target.broken = Some((error.to_string(), 0)),
        Ok(bytes) if target.kind == TargetKind::Composition => {
            let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if !makes_target(name, &bytes) {
                return None;
            }
            reader.add_configured_paths("composition", &bytes, None, 0);
        }
        Ok(bytes) => match decode_kustomization(&bytes, SourceId::NONE, Profile::MASTER) {
            Ok(read) => {
                if read.kind == KustomizationKind::Component {
                    target.kind = TargetKind::Component;
                }
                target.copies_values = !read.replacements.is_empty() || !read.vars.is_empty();
                reader.read_kustomization(&read);
            }
            Err(error) => target.broken = Some((error.to_string(), error.mark.line)),
        },
    }
    target.uses = reader.uses;
    Some(target)
}
