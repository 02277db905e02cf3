//! The targets that a change of files affects: folders through the entries of kustomizations,
//! deployment objects also through the targets that deploy them and through their variables.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::selection::is_object_name;
use super::{LocatedDeploymentObject, Repository, TargetKind};

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
