//! The search for the deployment objects of a repository, and the question whether a build can
//! reproduce one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::builds::FILES_PER_PART;
use super::{Listing, LocatedDeploymentObject, Repository, is_yaml, map_with_cache};
use crate::engine::evaluate::{Ports, deployment_objects};
use crate::engine::load::{Files, relative_path};
use crate::engine::manifest::may_contain_object;

impl Repository {
    /// Finds the deployment objects of all files, in the order of their locations, with the folders
    /// of this repository that they build. An object that several targets deploy is listed once for
    /// each of them. Reads every YAML file.
    pub fn read_objects(&mut self, files: &Arc<dyn Files>) {
        let read = map_with_cache(&self.files, (FILES_PER_PART, || ()), |file, ()| {
            is_yaml(file) && files.read(file).is_ok_and(|bytes| may_contain_object(&bytes))
        });
        // The search for objects lists the complete work tree.
        let mut objects =
            if read.contains(&true) { self.located_objects(files) } else { Vec::new() };
        objects.sort_by(|one, other| one.at.cmp(&other.at));
        self.objects = Arc::new(objects);
    }

    fn located_objects(&self, files: &Arc<dyn Files>) -> Vec<LocatedDeploymentObject> {
        let is_root = |above: &&Path| files.resolve(&above.join(".git")).is_ok();
        let root = self.root.ancestors().find(is_root).unwrap_or(&self.root);
        let own: BTreeSet<&Path> = self.files.iter().map(PathBuf::as_path).collect();
        let ports = Ports::of_shared_files(files.clone());
        deployment_objects(root, &ports, &|file| own.contains(file))
    }

    /// True if a build can reproduce the deployment of an object: the object names a folder of the
    /// repository that is not a chart.
    pub fn can_build(&self, object: &LocatedDeploymentObject) -> bool {
        let is_chart = |folder: &PathBuf| {
            !object.definition.is_flux()
                && self.target(folder).is_none()
                && self.files.contains(&folder.join("Chart.yaml"))
        };
        !object.definition.has_other_tool()
            && object.builds.as_ref().is_some_and(|folder| !is_chart(folder))
    }
}

/// True for a text that Kubernetes accepts as a name.
pub fn may_be_object_name(word: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
    let is_end = |end: Option<char>| end.is_some_and(|c| c.is_ascii_alphanumeric());
    is_end(word.chars().next())
        && is_end(word.chars().next_back())
        && word.chars().all(allowed)
        && !word.contains("..")
}

/// The only deployment object below `root` with a name, as `FILE#NAME`; `None` if no object has it.
/// The message of an error lists the objects relative to `current`.
pub fn object_with_name(
    name: &str,
    (root, current): (&Path, &Path),
    listing: &dyn Listing,
    files: &Arc<dyn Files>,
) -> Result<Option<PathBuf>, String> {
    if !may_be_object_name(name) {
        return Ok(None);
    }
    let Ok(mut repository) = Repository::read(root, listing, &**files) else { return Ok(None) };
    repository.read_objects(files);
    let objects = repository.objects.iter().filter(|object| object.name == name);
    let mut found: Vec<PathBuf> = objects.map(LocatedDeploymentObject::object_name).collect();
    found.sort_unstable();
    found.dedup();
    if found.len() > 1 {
        let names: Vec<String> = found.iter().map(|it| relative_path(current, it)).collect();
        let count = found.len();
        let names = names.join(", ");
        return Err(format!("{count} deployment objects are named {name}: name one: {names}"));
    }
    Ok(found.pop())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::load::MemoryFiles;

    fn objects(tree: &[(&str, &str)]) -> Arc<Vec<LocatedDeploymentObject>> {
        let git = "[remote \"origin\"]\n\turl = https://example.com/r\n";
        let files = MemoryFiles::default().file("/r/.git/config", git);
        let files: Arc<dyn Files> =
            Arc::new(tree.iter().fold(files, |all, (path, text)| all.file(path, *text)));
        let mut listed: Vec<PathBuf> = tree.iter().map(|(path, _)| path.into()).collect();
        listed.sort_unstable();
        let mut repository = Repository::from_files(Path::new("/r"), listed, None);
        repository.read_objects(&files);
        repository.objects
    }

    fn shown(path: &Path) -> String {
        path.strip_prefix("/r").unwrap().display().to_string()
    }

    #[test]
    fn objects_are_listed_as_each_overlay_deploys_them() {
        let set = "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s}\nspec:\n  \
                   generators:\n  - list: {elements: [see-overlays]}\n  \
                   template: {metadata: {name: '{{name}}'}, spec: {source: {path: 'apps/{{name}}'}}}\n---\n\
                   apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: root}\n\
                   spec: {source: {repoURL: https://example.com/r, path: see-overlays}}\n";
        let overlay = |name: &str, elements: &str| {
            format!(
                "resources: [../base]\npatches:\n- target: {{kind: ApplicationSet}}\n  patch: |\n    \
                 - {{op: replace, path: /spec/generators/0/list/elements, value: [{elements}]}}\n\
                 - target: {{kind: Application}}\n  patch: |\n    \
                 - {{op: replace, path: /spec/source/path, value: {name}}}\n"
            )
        };
        let found = objects(&[
            ("/r/base/set.yaml", set),
            ("/r/base/kustomization.yaml", "resources: [set.yaml]\n"),
            ("/r/dev/kustomization.yaml", &overlay("dev", "{name: a}")),
            ("/r/prod/kustomization.yaml", &overlay("prod", "{name: a}, {name: b}")),
            ("/r/apps/a/cm.yaml", "kind: ConfigMap"),
        ]);
        let listed: Vec<(String, Option<String>)> =
            found.iter().map(|it| (shown(&it.target()), it.builds.as_deref().map(shown))).collect();
        let target = |name: &str, folder: Option<&str>| {
            (format!("base/set.yaml#{name}"), folder.map(str::to_owned))
        };
        assert_eq!(
            listed,
            [
                target("a@dev", Some("apps/a")),
                target("a@prod", Some("apps/a")),
                target("b@prod", None),
                target("root@dev", Some("dev")),
                target("root@prod", Some("prod")),
            ]
        );
        let parents = found[0].origin.parents.iter().cloned().collect::<Vec<_>>();
        assert_eq!(parents, [PathBuf::from("/r/dev")]);
    }
}
