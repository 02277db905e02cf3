//! The targets of a repository: its deployment objects, and the folders that no target uses or
//! deploys.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{GitOpsController, LocatedDeploymentObject, Repository, Target, TargetKind};

#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "most targets are objects")]
pub enum BuildTarget {
    /// A folder with a kustomization that no deployment object and no other kustomization uses.
    Folder(PathBuf),
    Object(LocatedDeploymentObject),
}

impl BuildTarget {
    /// The name that every command accepts: a folder, `FILE#NAME` for a deployment object, or
    /// `FILE#NAME@PARENT` if several targets deploy the object. The file is absolute, the parent is
    /// relative to the root of the repository.
    pub fn name(&self) -> PathBuf {
        match self {
            Self::Folder(folder) => folder.clone(),
            Self::Object(object) => object.target(),
        }
    }

    /// The folders that the target builds; none for an object that builds no folder of the
    /// repository.
    pub fn folders(&self) -> Vec<&Path> {
        match self {
            Self::Folder(folder) => vec![folder],
            Self::Object(object) => object.folders().map(PathBuf::as_path).collect(),
        }
    }

    pub fn object(&self) -> Option<&LocatedDeploymentObject> {
        if let Self::Object(object) = self { Some(object) } else { None }
    }

    /// The file or folder by which the target is selected: a command on a folder covers all targets
    /// below it.
    pub fn location(&self) -> &Path {
        match self {
            Self::Folder(folder) => folder,
            Self::Object(object) => &object.at.file,
        }
    }
}

impl Repository {
    /// The targets: deployment objects first, then folders, each in the order of their paths. A
    /// folder that an object deploys, a base, a component and a fragment are not targets.
    pub fn build_targets(&self) -> Vec<BuildTarget> {
        let mut objects: Vec<&LocatedDeploymentObject> = self.objects.iter().collect();
        objects.dedup_by_key(|object| object.target());
        let deployed = self.deployed_folders(&objects);
        let folders = self.roots().filter(|target| !deployed.contains(&*target.folder));
        let folders = folders.map(|target| BuildTarget::Folder(target.folder.clone()));
        objects.iter().map(|object| BuildTarget::Object((*object).clone())).chain(folders).collect()
    }

    /// The targets that these objects deploy, including those that Flux lists in a generated
    /// kustomization.
    pub(super) fn deployed_folders(&self, objects: &[&LocatedDeploymentObject]) -> BTreeSet<&Path> {
        let mut deployed = BTreeSet::new();
        for (object, folder) in objects.iter().flat_map(|it| it.folders().map(move |to| (it, to))) {
            if let Some(target) = self.target(folder) {
                deployed.insert(&*target.folder);
            } else if object.kind == GitOpsController::Flux {
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
