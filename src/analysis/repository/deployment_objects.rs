//! Deployment objects that build a folder of the repository: Argo CD's Application and Flux's
//! Kustomization.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::builds::FILES_PER_PART;
use super::{FileLocation, Listing, Repository, is_yaml, map_with_cache};
use crate::engine::evaluate::{Ports, deployed_forms, deployment_objects};
use crate::engine::load::{Files, clean, relative_path};
use crate::engine::manifest::{DeploymentObject, DeploymentObjectKind, may_contain_object};
use crate::engine::yaml::Node;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum GitOpsController {
    #[default]
    ArgoCd,
    Flux,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about the object")]
pub struct LocatedDeploymentObject {
    pub kind: GitOpsController,
    pub object: String,
    pub name: String,
    pub at: FileLocation,
    /// The folder, absolute. `None` for a path that is known only in the cluster, or that does not
    /// exist here.
    pub builds: Option<PathBuf>,
    /// The folders of its further sources, absolute.
    pub further: Vec<PathBuf>,
    pub path: String,
    /// True for an `ApplicationSet` with Applications that are known.
    pub has_elements: bool,
    /// True if another tool, which kzui does not run, builds the source.
    pub has_other_tool: bool,
    /// True for an Application that the cluster generator of an `ApplicationSet` generates for the
    /// local cluster.
    pub is_local: bool,
    /// True for an Application of a cluster that may not exist.
    pub is_assumed: bool,
    /// True for a Kustomization of Flux without a source, which the target that deploys it may add.
    pub is_incomplete: bool,
    /// The paths of the components that it adds, relative to its folder.
    pub adds: Vec<String>,
    /// The folders of these components, absolute.
    pub components: Vec<PathBuf>,
    /// The target that deploys the object, relative to the root of the repository; only if several
    /// targets deploy it.
    pub parent: Option<String>,
    pub origin: Arc<ObjectOrigin>,
}

/// The files and targets, besides the folders of an object, whose changes change the object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectOrigin {
    /// Its own file, elements of generators, settings of the controller, variables.
    pub files: BTreeSet<PathBuf>,
    /// The targets that deploy it, by name.
    pub parents: BTreeSet<PathBuf>,
    /// The targets that build its variables, by name.
    pub carriers: BTreeSet<PathBuf>,
}

impl LocatedDeploymentObject {
    /// The name by which the object is listed and built: `FILE#NAME`, or `FILE#NAME@PARENT` if
    /// several targets deploy it.
    pub fn target(&self) -> PathBuf {
        let mut target = self.object_name().into_os_string();
        if let Some(parent) = &self.parent {
            target.push(format!("@{parent}"));
        }
        target.into()
    }

    /// `FILE#NAME`, without the target that deploys the object.
    pub fn object_name(&self) -> PathBuf {
        let mut name = self.at.file.clone().into_os_string();
        name.push(format!("#{}", self.name));
        name.into()
    }

    /// True if a build can reproduce the deployment: the object names a folder of the repository
    /// that is not a chart.
    pub fn is_buildable(&self, repository: &Repository) -> bool {
        let is_chart = |folder: &PathBuf| {
            self.kind == GitOpsController::ArgoCd
                && repository.target(folder).is_none()
                && repository.files.contains(&folder.join("Chart.yaml"))
        };
        !self.has_other_tool && self.builds.as_ref().is_some_and(|folder| !is_chart(folder))
    }

    /// False for an `ApplicationSet` whose Applications are listed in its place, and for an
    /// Application of a cluster that may not exist, without a folder in the repository.
    pub fn is_listed(&self) -> bool {
        let may_not_exist = self.is_assumed && self.builds.is_none();
        !self.has_elements && !may_not_exist
    }

    pub fn folders(&self) -> impl Iterator<Item = &PathBuf> {
        self.builds.iter().chain(&self.further)
    }

    /// The object as written in its file, with unresolved folders.
    fn new(file: &Path, object: &DeploymentObject) -> Self {
        let (path, mark) = if object.is_flux() {
            // An absent path is the root of the source. A patch of a parent may add the source.
            let path = object.node(&["spec", "path"]);
            let mark = path.or_else(|| object.node(&["spec", "sourceRef"])).map(|it| it.mark);
            let path = path.and_then(Node::text).filter(|text| !text.is_empty()).unwrap_or(".");
            (path.to_owned(), mark.unwrap_or(object.mark))
        } else {
            // The chart of a chart repository has no path.
            object.source_path().unwrap_or((String::new(), object.mark))
        };
        // An Application that is generated from an element of another file has the location of its
        // `ApplicationSet`.
        let place = object.place();
        let mark = match place.source == object.mark.source {
            _ if object.is_set() => object.mark,
            _ if place == object.mark => mark,
            true => place,
            false => object.mark,
        };
        let (kind, word) = match object.kind {
            DeploymentObjectKind::Application => (GitOpsController::ArgoCd, "Application"),
            DeploymentObjectKind::ApplicationSet => (GitOpsController::ArgoCd, "ApplicationSet"),
            DeploymentObjectKind::FluxKustomization => (GitOpsController::Flux, "Kustomization"),
        };
        Self {
            kind,
            object: word.to_owned(),
            name: object.name.clone(),
            at: FileLocation { file: file.to_owned(), line: mark.line },
            path,
            has_other_tool: object.has_other_tool(),
            is_local: object.is_for_local_cluster(),
            is_assumed: object.is_for_assumed_cluster(),
            is_incomplete: object.is_flux() && !object.is_target(),
            adds: if object.is_set() { Vec::new() } else { object.components() },
            ..Self::default()
        }
    }

    /// The objects that a target deploys for this one: the Applications of an `ApplicationSet` whose
    /// elements that target writes, otherwise the object with the folder that the target gives it,
    /// and with its new name if the target adds it several times.
    /// If its file has no source, the target has to add one.
    fn deployed_by(&self, parent: &str, root: &Path, ports: &Ports) -> Vec<Self> {
        let is_set = self.object == "ApplicationSet";
        let forms = if is_set && self.has_elements {
            Vec::new()
        } else {
            let target = format!("{}@{parent}", self.object_name().display());
            deployed_forms(&target, root, ports)
        };
        if forms.is_empty() {
            return vec![self.clone()];
        }
        let forms = forms.iter().filter(|form| !self.is_incomplete || form.has_source());
        let count = forms.clone().count();
        let located = forms.map(|form| {
            let mut located = if is_set {
                Self::new(&self.at.file, form)
            } else {
                let is_moved = |path: &String| !is_same_path(path, &self.path);
                let path = form.source_path().map(|(path, _)| path).filter(is_moved);
                let name = Some(&form.name).filter(|_| count > 1).cloned();
                if path.is_none() && name.is_none() {
                    return self.clone();
                }
                Self {
                    path: path.unwrap_or_else(|| self.path.clone()),
                    name: name.unwrap_or_else(|| self.name.clone()),
                    ..self.clone()
                }
            };
            located.find_folder(root, &*ports.files);
            Self { parent: self.parent.clone(), origin: self.origin.clone(), ..located }
        });
        located.collect()
    }

    /// Sets the folder that the object builds, if it has one, and the folders of its components.
    fn find_folder(&mut self, root: &Path, files: &dyn Files) {
        // The chart of a chart repository has no path.
        if self.path.is_empty() {
            return;
        }
        let folder = clean(&root.join(self.path.trim_start_matches('/')));
        let builds = files.resolve(&folder).ok().map(|(folder, _)| folder);
        self.builds = builds.filter(|folder| folder.starts_with(root) && !self.path.contains("{{"));
        let added = self.adds.iter().filter_map(|path| {
            let folder = clean(&self.builds.as_ref()?.join(path));
            files.resolve(&folder).ok().map(|(folder, _)| folder)
        });
        self.components = added.collect();
    }
}

impl Repository {
    /// Finds the deployment objects of all files, in the order of their locations, with the folders
    /// of this repository that they build. An object that several targets deploy is listed once for
    /// each of them. Reads every YAML file.
    pub fn read_objects(&mut self, files: &Arc<dyn Files>) {
        let has_object = |file: &PathBuf| {
            is_yaml(file) && files.read(file).is_ok_and(|bytes| may_contain_object(&bytes))
        };
        let read = map_with_cache(&self.files, (FILES_PER_PART, || ()), |file, ()| {
            has_object(file).then(|| file.clone())
        });
        let own: BTreeSet<PathBuf> = read.into_iter().flatten().collect();
        // The search for objects lists the complete work tree.
        let mut objects =
            if own.is_empty() { Vec::new() } else { self.located_objects(&own, files) };
        objects.sort_by(|one, other| one.at.cmp(&other.at));
        self.objects = Arc::new(objects);
    }

    fn located_objects(
        &self,
        own: &BTreeSet<PathBuf>,
        files: &Arc<dyn Files>,
    ) -> Vec<LocatedDeploymentObject> {
        let is_root = |above: &&Path| files.resolve(&above.join(".git")).is_ok();
        let root = self.root.ancestors().find(is_root).unwrap_or(&self.root);
        let target_at = |name: &String| if name == "." { root.to_owned() } else { root.join(name) };
        let ports = Ports::of_shared_files(files.clone());
        let mut all = Vec::new();
        let found = deployment_objects(root, &**files).into_iter();
        for found in found.filter(|it| it.is_target && own.contains(&it.file)) {
            let mut object = LocatedDeploymentObject::new(&found.file, &found.object);
            object.find_folder(root, &**files);
            object.has_elements = found.has_elements;
            object.origin = Arc::new(ObjectOrigin {
                files: found.inputs,
                parents: found.parents.iter().map(target_at).collect(),
                carriers: found.carriers.iter().map(target_at).collect(),
            });
            if !found.object.is_set() {
                let mut folders = found.folders.into_iter();
                object.builds = folders.next();
                object.further = folders.collect();
            }
            if found.parents.is_empty() {
                all.push(object);
                continue;
            }
            // An Application for the local cluster is left out if a target deploys its set, because
            // that target may select other clusters.
            let parents = found.parents.iter().filter(|_| !object.is_local);
            for parent in parents {
                let mut object = object.clone();
                if found.parents.len() > 1 {
                    object.parent = Some(parent.clone());
                    let parents = BTreeSet::from([target_at(parent)]);
                    let origin = ObjectOrigin { parents, ..(*object.origin).clone() };
                    object.origin = Arc::new(origin);
                }
                all.extend(object.deployed_by(parent, root, &ports));
            }
        }
        all
    }
}

fn is_same_path(one: &str, other: &str) -> bool {
    clean(&Path::new("/").join(one)) == clean(&Path::new("/").join(other))
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

/// True for a text that Kubernetes accepts as a name.
pub fn may_be_object_name(word: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
    let is_end = |end: Option<char>| end.is_some_and(|c| c.is_ascii_alphanumeric());
    is_end(word.chars().next())
        && is_end(word.chars().next_back())
        && word.chars().all(allowed)
        && !word.contains("..")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::load::MemoryFiles;

    /// The deployment objects of a tree below `/r`.
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
    fn generated_applications_have_the_lines_of_their_elements() {
        let set = "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s}\nspec:\n  \
                   generators:\n  - list:\n      elements:\n      - name: a\n      - name: b\n  - plugin: {}\n  \
                   template: {metadata: {name: '{{name}}'}, spec: {source: {repoURL: https://example.com/r, path: 'apps/{{name}}'}}}\n";
        let found = objects(&[("/r/set.yaml", set), ("/r/apps/a/cm.yaml", "kind: ConfigMap")]);
        let shown: Vec<_> = found
            .iter()
            .map(|it| (it.object.as_str(), it.name.as_str(), it.at.line, it.builds.is_some()))
            .collect();
        assert_eq!(
            shown,
            [
                ("ApplicationSet", "s", 1, false),
                ("Application", "a", 8, true),
                ("Application", "b", 9, false)
            ]
        );
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

    #[test]
    fn sources_of_other_tools_are_not_built() {
        let app = |name: &str, source: &str| {
            format!(
                "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: {name}}}\nspec: \
                 {{source: {{repoURL: https://example.com/r, {source}}}}}\n---\n"
            )
        };
        let text = [
            app("chart", "chart: redis"),
            app("helm", "path: a, helm: {releaseName: x}"),
            app("plain", "path: a, helm: {}"),
        ];
        let found = objects(&[("/r/app.yaml", &text.concat()), ("/r/a/cm.yaml", "kind: A")]);
        let shown: Vec<_> = found.iter().map(|it| (it.name.as_str(), it.has_other_tool)).collect();
        assert_eq!(shown, [("chart", true), ("helm", true), ("plain", false)]);
        // A chart of a chart repository is in no folder, and so no change of a file affects it.
        assert_eq!(found[0].builds, None);
    }
}
