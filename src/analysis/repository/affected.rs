//! The targets that a change of files affects: folders through the entries of kustomizations,
//! deployment objects also through the targets that deploy them and through their variables.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::selection::is_object_name;
use super::{LocatedDeploymentObject, Repository, Target, TargetKind};
use crate::engine::load::Files;

impl Repository {
    /// Of these targets, the ones that a change of some files may affect, without omissions.
    pub fn affected_targets(
        &self,
        names: &BTreeSet<PathBuf>,
        managers: &[LocatedDeploymentObject],
        changed: &[PathBuf],
    ) -> Vec<PathBuf> {
        let folders: BTreeSet<PathBuf> =
            self.possibly_affected_targets(changed).into_iter().collect();
        let mut affected: BTreeSet<PathBuf> = folders.intersection(names).cloned().collect();
        let rewritten = self.rewritten(managers, changed);
        for object in managers {
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
    pub fn rewritten(
        &self,
        managers: &[LocatedDeploymentObject],
        changed: &[PathBuf],
    ) -> BTreeSet<PathBuf> {
        let mut rewritten = self.may_be_rewritten_by(changed);
        let mut others: Vec<&LocatedDeploymentObject> = managers.iter().collect();
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
