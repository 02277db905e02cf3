//! The targets of a repository, its deployment objects and the folders that no target uses or deploys,
//! and those that a command covers.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use crate::engine::load::{FileKind, Files};
use crate::engine::manifest::{deployment_objects_in, may_contain_object};
use crate::engine::yaml::{SourceId, parse_nodes};

use super::{
    LocatedDeploymentObject, ReferenceDestination, Repository, Target, TargetKind, is_yaml,
};

impl Repository {
    /// The names of the targets that these paths cover, sorted. A folder covers the targets in it
    /// and the targets that deploy a folder in it; a file covers its deployment objects; the name
    /// of an object covers the object. Kustomizations in the folders that these targets do not
    /// build, such as a base that is named alone, are built as well.
    pub fn targets_covered_by(&self, paths: &[PathBuf]) -> Vec<PathBuf> {
        let paths: BTreeSet<&Path> = paths.iter().map(|path| self.folder_of_file(path)).collect();
        let all = self.target_objects();
        let mut folders = self.target_folders(&all);
        folders.retain(|folder| is_below(folder, &paths));
        let mut objects = all;
        objects.retain(|object| object.is_listed() && are_covering(&paths, object));
        let buildable: Vec<&LocatedDeploymentObject> =
            self.objects.iter().filter(|it| self.can_build(it)).collect();
        let deployed = self.deployed_folders(&buildable);
        let mut starts: Vec<PathBuf> =
            self.deployed_folders(&objects).into_iter().map(Path::to_owned).collect();
        starts.extend(objects.iter().flat_map(|it| it.folders().cloned()));
        starts.extend(folders.iter().map(|folder| (*folder).to_owned()));
        let mut built = BTreeSet::new();
        self.add_used_folders(starts, &mut built);
        let mut names: BTreeSet<PathBuf> = objects.iter().map(|object| object.target()).collect();
        names.extend(folders.into_iter().map(Path::to_owned));
        let is_in = |folder: &Path| is_below(folder, &paths);
        let others = self.targets().filter(|target| target.kind != TargetKind::Component);
        let others = others.map(|target| &*target.folder);
        let mut left: Vec<&Path> = others
            .filter(|it| is_in(it) && !built.contains(*it) && !deployed.contains(it))
            .collect();
        while !left.is_empty() {
            let is_used = |folder: &Path| left.iter().any(|other| self.uses(other, folder));
            let mut next: Vec<PathBuf> =
                left.iter().filter(|it| !is_used(it)).map(|it| (*it).to_owned()).collect();
            if next.is_empty() {
                // Only bases that list each other are left: the first one is selected.
                next.extend(left.first().map(|first| (*first).to_owned()));
            }
            names.extend(next.iter().cloned());
            self.add_used_folders(next, &mut built);
            left.retain(|folder| !built.contains(*folder));
        }
        names.into_iter().collect()
    }

    /// The names of all targets: a folder, `FILE#NAME` for a deployment object, or
    /// `FILE#NAME@PARENT` if several targets deploy the object. The file is absolute, the parent is
    /// relative to the root of the repository.
    pub fn all_target_names(&self) -> BTreeSet<PathBuf> {
        self.targets_covered_by(std::slice::from_ref(&self.root)).into_iter().collect()
    }

    fn target_objects(&self) -> Vec<&LocatedDeploymentObject> {
        let mut objects: Vec<&LocatedDeploymentObject> = self.objects.iter().collect();
        objects.dedup_by_key(|object| object.target());
        objects
    }

    /// The folders that no other kustomization uses and these objects do not deploy.
    fn target_folders(&self, objects: &[&LocatedDeploymentObject]) -> Vec<&Path> {
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

    pub(super) fn add_used_folders(&self, folders: Vec<PathBuf>, built: &mut BTreeSet<PathBuf>) {
        let mut queue: VecDeque<PathBuf> = folders.into();
        while let Some(folder) = queue.pop_front() {
            if let Some(target) = self.target(&folder)
                && built.insert(folder)
            {
                queue.extend(self.used_folders(target).map(Path::to_owned));
            }
        }
    }

    fn used_folders<'r>(&'r self, target: &'r Target) -> impl Iterator<Item = &'r Path> {
        target.uses.iter().filter_map(|it| match &it.to {
            ReferenceDestination::Folder(folder) => Some(&**folder),
            ReferenceDestination::File(file) => Some(self.folder_of_file(file)),
            ReferenceDestination::Missing(_) | ReferenceDestination::Remote(_) => None,
        })
    }

    fn uses(&self, folder: &Path, other: &Path) -> bool {
        let target = self.target(folder);
        folder != other
            && target.is_some_and(|target| self.used_folders(target).any(|used| used == other))
    }
}

/// True if one of the paths is the name of an object, with or without its parent, or contains its
/// file or a folder that it builds.
fn are_covering(paths: &BTreeSet<&Path>, object: &LocatedDeploymentObject) -> bool {
    let name = object.target();
    let text = name.to_string_lossy();
    let before_parent = text.match_indices('@').map(|(at, _)| &text[..at]);
    before_parent.chain([&*text]).any(|name| paths.contains(Path::new(name)))
        || is_below(&object.at.file, paths)
        || object.folders().any(|folder| is_below(folder, paths))
}

fn is_below(path: &Path, folders: &BTreeSet<&Path>) -> bool {
    path.ancestors().any(|above| folders.contains(above))
}

/// The deployment object to which a path refers: `app.yaml#web`, or a file that contains only
/// deployment objects and their sources. Links are resolved. `None` for any other path. The name of
/// a file with several objects selects all of them.
pub fn named_object(path: &Path, files: &dyn Files) -> Option<PathBuf> {
    let objects_in = |file: &Path| {
        let bytes = files.read(file).unwrap_or_default();
        let found = if is_yaml(file) && may_contain_object(&bytes) {
            deployment_objects_in(&bytes, SourceId::NONE)
        } else {
            Vec::new()
        };
        (bytes, found)
    };
    if let Ok((file, kind)) = files.resolve(path) {
        let (bytes, found) = if kind == FileKind::File { objects_in(&file) } else { return None };
        let mut complete = found.iter().filter(|it| !it.is_flux() || it.is_target());
        let is_one = complete.next().is_some() && has_only_deployment_documents(&bytes);
        return is_one.then_some(file);
    }
    let text = path.to_str()?;
    let (file, name) = text.rsplit_once('#')?;
    let (file, _) = files.resolve(Path::new(file)).ok()?;
    let mut object = file.clone().into_os_string();
    object.push(format!("#{name}"));
    (!objects_in(&file).1.is_empty()).then(|| object.into())
}

fn has_only_deployment_documents(bytes: &[u8]) -> bool {
    let Ok(parsed) = parse_nodes(bytes) else {
        return false;
    };
    parsed.iter().all(|root| {
        let version = root.text_of("apiVersion").unwrap_or_default();
        version.starts_with("argoproj.io/") || version.contains(".fluxcd.io/")
    })
}

/// True if `name` is the name of the object, with or without the parent that deploys it.
pub fn is_object_name(object: &Path, name: &Path) -> bool {
    let (object, name) =
        (object.as_os_str().as_encoded_bytes(), name.as_os_str().as_encoded_bytes());
    name.strip_prefix(object).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"@"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::engine::load::MemoryFiles;
    use crate::repository::ListedFiles;

    fn flux(name: &str, spec: &str) -> String {
        let head = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n";
        format!("{head}metadata: {{name: {name}}}\nspec: {{{spec}}}\n")
    }

    const HERE: &str = "sourceRef: {kind: GitRepository, name: here}";
    const TREE: [(&str, &str); 12] = [
        ("/r/apps/web/kustomization.yaml", "resources: [../../base]"),
        ("/r/all/x/kustomization.yaml", "namePrefix: a"),
        // Flux does not search a folder below one with a kustomization.
        ("/r/all/x/test/kustomization.yaml", "namePrefix: a"),
        ("/r/other/kustomization.yaml", "patches: [{path: patch.yaml}]"),
        (
            "/r/parts/kustomization.yaml",
            "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnamePrefix: a",
        ),
        ("/r/base/kustomization.yaml", "resources: [part]"),
        ("/r/base/part/kustomization.yaml", "namePrefix: a"),
        ("/r/envs/prod/kustomization.yaml", "resources: [../../base]\ncomponents: [../../c]"),
        ("/r/c/kustomization.yaml", "kind: Component\nresources: [inner]"),
        ("/r/c/inner/kustomization.yaml", "namePrefix: a"),
        ("/r/ring/a/kustomization.yaml", "resources: [../b]"),
        ("/r/ring/b/kustomization.yaml", "resources: [../a]"),
    ];

    fn names(paths: &[&str]) -> String {
        let objects = [
            ("/r/cluster/web.yaml", flux("web", &format!("path: ./apps/web, {HERE}"))),
            ("/r/cluster/all.yaml", flux("all", &format!("path: ./all, {HERE}"))),
            // Objects without a source, and in a patch, are fragments.
            ("/r/cluster/part.yaml", flux("part", "path: ./other")),
            ("/r/other/patch.yaml", flux("web", HERE)),
        ];
        let all = TREE.map(|(path, text)| (path, text.to_owned())).into_iter().chain(objects);
        let all: Vec<(&str, String)> = all.collect();
        let listing = ListedFiles(all.iter().map(|(path, _)| PathBuf::from(path)).collect());
        let files = all
            .iter()
            .fold(MemoryFiles::default(), |all, (path, text)| all.file(path, text.as_str()));
        let files: Arc<dyn Files> = Arc::new(files);
        let mut repository = Repository::read(Path::new("/r"), &listing, &*files).unwrap();
        repository.read_objects(&files);
        let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        let names = repository.targets_covered_by(&paths);
        let names: Vec<String> = names.iter().map(|name| repository.shown(name)).collect();
        names.join(" ")
    }

    #[test]
    fn folder_covers_its_targets_and_objects_that_deploy_its_subfolders() {
        let all = "all/x/test cluster/all.yaml#all cluster/web.yaml#web envs/prod other ring/a";
        assert_eq!(names(&["/r"]), all);
        assert_eq!(names(&["/r/apps"]), "cluster/web.yaml#web");
        assert_eq!(names(&["/r/apps/web/kustomization.yaml"]), "cluster/web.yaml#web");
        let some = "cluster/all.yaml#all cluster/web.yaml#web envs/prod";
        assert_eq!(names(&["/r/cluster", "/r/envs"]), some);
        assert_eq!(names(&["/r/cluster/web.yaml#we"]), "");
    }

    #[test]
    fn base_is_selected_if_only_its_path_is_given() {
        assert_eq!(names(&["/r/base"]), "base");
        assert_eq!(names(&["/r/base/part"]), "base/part");
        assert_eq!(names(&["/r/c"]), "c/inner", "a component is no target");
        assert_eq!(names(&["/r/base", "/r/envs"]), "envs/prod");
    }
}
