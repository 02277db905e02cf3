//! The targets of a repository: its deployment objects, and the folders that no target uses or
//! deploys.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{LocatedDeploymentObject, Repository, Target, TargetKind};

impl Repository {
    /// The names of the targets: deployment objects first, then folders, each in the order of their
    /// paths. A folder that an object deploys, a base, a component and a fragment are not targets.
    /// Every command accepts a name: a folder, `FILE#NAME` for a deployment object, or
    /// `FILE#NAME@PARENT` if several targets deploy the object. The file is absolute, the parent is
    /// relative to the root of the repository.
    pub fn target_names(&self) -> Vec<PathBuf> {
        let objects = self.target_objects();
        let folders = self.target_folders(&objects).into_iter().map(Path::to_owned);
        objects.iter().map(|object| object.target()).chain(folders).collect()
    }

    pub(super) fn target_objects(&self) -> Vec<&LocatedDeploymentObject> {
        let mut objects: Vec<&LocatedDeploymentObject> = self.objects.iter().collect();
        objects.dedup_by_key(|object| object.target());
        objects
    }

    /// The folders that no other kustomization uses and these objects do not deploy.
    pub(super) fn target_folders(&self, objects: &[&LocatedDeploymentObject]) -> Vec<&Path> {
        let deployed = self.deployed_folders(objects);
        let folders = self.roots().map(|target| &*target.folder);
        folders.filter(|folder| !deployed.contains(folder)).collect()
    }

    /// The targets that these objects deploy, including those that Flux lists in a generated
    /// kustomization.
    pub(super) fn deployed_folders(&self, objects: &[&LocatedDeploymentObject]) -> BTreeSet<&Path> {
        let mut deployed = BTreeSet::new();
        for (object, folder) in objects.iter().flat_map(|it| it.folders().map(move |to| (it, to))) {
            if let Some(target) = self.target(folder) {
                deployed.insert(&*target.folder);
            } else if object.definition.is_flux() {
                // Flux does not look for manifests below a folder with a kustomization file.
                let is_listed = |target: &&Target| {
                    let above = target.folder.ancestors().skip(1);
                    let mut between = above.take_while(|above| above.starts_with(folder));
                    target.folder.starts_with(folder) && between.all(|it| self.target(it).is_none())
                };
                deployed.extend(self.targets().filter(is_listed).map(|target| &*target.folder));
            }
        }
        deployed.retain(|folder| {
            self.target(folder).is_some_and(|target| target.kind != TargetKind::Component)
        });
        deployed
    }
}
