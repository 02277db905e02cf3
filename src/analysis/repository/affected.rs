//! The targets that a change of files affects: folders through the entries of kustomizations,
//! deployment objects also through the targets that deploy them and through their variables.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use super::model::is_target_file;
use super::selection::is_object_name;
use super::{LocatedDeploymentObject, ReferenceEntry, Repository, Target, TargetKind, UseKind};
use crate::engine::load::Files;

impl Repository {
    /// Of these targets, the ones that a change of some files may affect, without omissions.
    pub fn affected_targets(&self, names: &BTreeSet<PathBuf>, changed: &[PathBuf]) -> Vec<PathBuf> {
        let folders: BTreeSet<PathBuf> =
            self.possibly_affected_targets(changed).into_iter().collect();
        let mut affected: BTreeSet<PathBuf> = folders.intersection(names).cloned().collect();
        let rewritten = self.rewritten(changed);
        for object in &*self.objects {
            let is_affected = rewritten.contains(&object.object_name())
                || object.components.iter().any(|folder| folders.contains(folder))
                || object.folders().any(|folder| {
                    // Without a kustomization the controller lists the files below the folder.
                    folders.iter().any(|it| it.starts_with(folder))
                        || changed.iter().any(|file| file.starts_with(folder))
                });
            if is_affected {
                let name = object.target();
                affected.extend(
                    names.range(name.clone()..).take_while(|it| is_object_name(&name, it)).cloned(),
                );
            }
        }
        affected.into_iter().collect()
    }

    /// The kustomization files that cannot be read and may use one of these files: such a file has
    /// the name of one of them or of a folder that builds with it, or the path of a parent folder.
    /// Each is shown with its line and the reason.
    pub fn unreadable_users(&self, used: &[PathBuf], files: &dyn Files) -> Vec<String> {
        if self.targets().all(|target| target.broken.is_none()) {
            return Vec::new();
        }
        let folders = self.possibly_affected_targets(used);
        let names: BTreeSet<&str> =
            used.iter().chain(&folders).filter_map(|path| path.file_name()?.to_str()).collect();
        let is_part = |c: char| c.is_ascii_whitespace() || "'\"[]{},".contains(c);
        let has_user = |target: &&Target| {
            let Ok(text) = files.read(&target.file) else { return true };
            let text = String::from_utf8_lossy(&text);
            let is_parent =
                |word: &str| word.contains("..") && word.chars().all(|c| "./".contains(c));
            names.iter().any(|name| text.contains(name)) || text.split(is_part).any(is_parent)
        };
        let unreadable = self.targets().filter(|target| target.broken.is_some()).filter(has_user);
        let shown = unreadable.filter_map(|target| {
            let (message, line) = target.broken.as_ref()?;
            Some(format!("{}:{line}: {message}", self.shown(&target.file)))
        });
        shown.collect()
    }

    /// The bases that may be affected by changed files, without the targets in `names`: users may
    /// deploy a base as well. Components build only as a part of others.
    pub fn affected_bases(&self, names: &BTreeSet<PathBuf>, changed: &[PathBuf]) -> Vec<PathBuf> {
        let is_base = |folder: &PathBuf| {
            let target = self.target(folder);
            target.is_some_and(|target| target.kind != TargetKind::Component)
        };
        let folders = self.possibly_affected_targets(changed).into_iter();
        folders.filter(|folder| !names.contains(folder) && is_base(folder)).collect()
    }

    /// The folders and objects that may write other fields into their resources than before the
    /// change, and the objects that they deploy.
    pub fn rewritten(&self, changed: &[PathBuf]) -> BTreeSet<PathBuf> {
        let mut rewritten = self.may_be_rewritten_by(changed);
        let mut others: Vec<&LocatedDeploymentObject> = self.objects.iter().collect();
        // Each pass follows one more level of objects that deploy others.
        loop {
            let count = others.len();
            others.retain(|object| {
                let is_it = self.is_rewritten(object, changed, &rewritten);
                if is_it {
                    rewritten.insert(object.object_name());
                }
                !is_it
            });
            if others.len() == count {
                return rewritten;
            }
        }
    }

    fn is_rewritten(
        &self,
        object: &LocatedDeploymentObject,
        changed: &[PathBuf],
        rewritten: &BTreeSet<PathBuf>,
    ) -> bool {
        let origin = &object.origin;
        let is_in = |names: &BTreeSet<PathBuf>| names.iter().any(|name| rewritten.contains(name));
        let is_changed = |file: &PathBuf| *file == object.at.file || origin.files.contains(file);
        changed.iter().any(is_changed)
            || is_in(&origin.parents)
            || is_in(&origin.carriers)
            || object.components.iter().any(|folder| rewritten.contains(folder))
            || self.deployed_folders(&[object]).into_iter().any(|it: &Path| rewritten.contains(it))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    pub target: PathBuf,
    /// The entries on the shortest route, beginning at the path; empty for the target's
    /// kustomization file.
    pub hops: Vec<ReferenceEntry>,
    pub is_root: bool,
}

impl Repository {
    /// The targets that a file or folder affects, each by the shortest route, nearest first.
    pub fn routes_from(&self, path: &Path) -> Vec<Route> {
        let mut routes: IndexMap<PathBuf, Vec<ReferenceEntry>> = IndexMap::new();
        if self.target(path).is_some() {
            routes.insert(path.to_owned(), Vec::new());
        } else {
            let files = self.files_at(path);
            for (target, it) in files.iter().flat_map(|file| self.owners(file)) {
                let route = routes.entry(target.folder.clone());
                route.or_insert_with(|| it.into_iter().cloned().collect());
            }
        }
        let mut number = 0;
        while let Some((folder, way)) = routes.get_index(number) {
            let (folder, way) = (folder.clone(), way.clone());
            number += 1;
            for (user, it) in self.users_of_target(&folder) {
                let route = routes.entry(user.folder.clone());
                route.or_insert_with(|| way.iter().chain([it]).cloned().collect());
            }
        }
        let routes = routes.into_iter().filter_map(|(folder, hops)| {
            let target = self.target(&folder)?;
            Some(Route { is_root: self.is_root(target), target: folder, hops })
        });
        routes.collect()
    }

    /// All targets that a change of these files may affect. A plugin may read files that its
    /// entries do not name, so every file below its kustomization may affect it.
    pub fn possibly_affected_targets(&self, changed: &[PathBuf]) -> Vec<PathBuf> {
        let direct = changed.iter().flat_map(|path| self.owners(path)).map(|(target, _)| target);
        let direct = direct.map(|target| target.folder.clone()).collect();
        self.with_users(direct, changed).into_iter().collect()
    }

    /// Of these targets, the ones that may write other fields into their resources than before: a
    /// changed file is more to them than a manifest in `resources:`.
    pub(super) fn may_be_rewritten_by(&self, changed: &[PathBuf]) -> BTreeSet<PathBuf> {
        let owners = changed.iter().flat_map(|path| self.owners(path));
        let direct = owners.filter(|(_, it)| it.is_none_or(|it| it.kind != UseKind::Resource));
        let mut direct: VecDeque<PathBuf> =
            direct.map(|(target, _)| target.folder.clone()).collect();
        // Values of a manifest are copied into other resources.
        let reached = self.possibly_affected_targets(changed);
        direct.extend(reached.into_iter().filter(|folder| self.copies_values(folder)));
        self.with_users(direct, changed)
    }

    /// True if a target, or anything that it uses, copies values between resources.
    fn copies_values(&self, folder: &Path) -> bool {
        let mut used = BTreeSet::new();
        self.add_used_folders(vec![folder.to_owned()], &mut used);
        used.iter().filter_map(|folder| self.target(folder)).any(|target| target.copies_values)
    }

    /// These targets, the targets that read the changed files in other ways, and all their users.
    fn with_users(&self, direct: VecDeque<PathBuf>, changed: &[PathBuf]) -> BTreeSet<PathBuf> {
        let mut queue = direct;
        for path in changed {
            for above in path.ancestors().skip(1) {
                queue.extend(
                    self.target(above)
                        .filter(|it| it.reads_unlisted_files())
                        .map(|it| it.folder.clone()),
                );
            }
            // A second kustomization file of a folder, or a settings file of kzui, affects the
            // target in the folder.
            let is_read = is_target_file(path) || is_hidden(path);
            let beside = path.parent().filter(|_| is_read).and_then(|folder| self.target(folder));
            queue.extend(beside.map(|it| it.folder.clone()));
            // A new file may resolve a missing entry.
            queue.extend(self.targets_missing(path).map(|it| it.folder.clone()));
        }
        let mut reached: BTreeSet<PathBuf> = BTreeSet::new();
        while let Some(folder) = queue.pop_front() {
            if !reached.insert(folder.clone()) {
                continue;
            }
            queue.extend(self.users_of_target(&folder).map(|(user, _)| user.folder.clone()));
        }
        reached
    }
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}
