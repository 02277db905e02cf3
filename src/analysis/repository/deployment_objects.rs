//! Deployment objects that build a folder of the repository: Argo CD's Application and Flux's
//! Kustomization.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{FileLocation, Listing, Repository};
use crate::engine::evaluate::{FoundObject, Ports, deployed_forms, deployment_objects};
use crate::engine::load::{Files, SourceNumbers, clean, relative_path};
use crate::engine::manifest::{
    DeploymentObject, DeploymentObjectKind, GeneratorView, may_contain_object,
};
use crate::engine::yaml::{Limits, Node, parse_documents};

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

const FLUX_GROUP: &str = "kustomize.toolkit.fluxcd.io/";

/// The deployment objects in a file, with unresolved folders; only YAML files that contain the name
/// of an API group of Argo CD or Flux are parsed.
pub fn deployment_objects_in_file(
    root: &Path,
    file: &Path,
    files: &dyn Files,
) -> Vec<LocatedDeploymentObject> {
    if !file.extension().is_some_and(|it| it == "yaml" || it == "yml") || !file.starts_with(root) {
        return Vec::new();
    }
    let Ok(bytes) = files.read(file) else { return Vec::new() };
    if !may_contain_object(&bytes) {
        return Vec::new();
    }
    let mut sources = SourceNumbers::default();
    let source = sources.intern(&file.to_string_lossy());
    let Ok(parsed) = parse_documents(&bytes, source, Limits::default()) else {
        return Vec::new();
    };
    let nodes = parsed.documents.into_iter().map(|document| document.node);
    let (flux, argo): (Vec<Node>, Vec<Node>) = nodes.partition(is_flux);
    let argo = argo.into_iter().filter_map(DeploymentObject::from_object).collect();
    let argo = argo_objects(root, file, (argo, &mut sources), files);
    argo.into_iter().chain(flux.iter().filter_map(|node| flux_object(file, node))).collect()
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
                application_object(&self.at.file, form)
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
    pub fn find_folder(&mut self, root: &Path, files: &dyn Files) {
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

/// The objects with the folders of this repository that they build. An object that several targets
/// deploy is returned once for each of them.
pub fn resolve_deployment_objects(
    found: Vec<LocatedDeploymentObject>,
    root: &Path,
    files: &Arc<dyn Files>,
) -> Vec<LocatedDeploymentObject> {
    if found.is_empty() {
        return found;
    }
    let is_root = |above: &&Path| files.resolve(&above.join(".git")).is_ok();
    let root = root.ancestors().find(is_root).unwrap_or(root);
    let objects = deployment_objects(root, &**files);
    let ports = Ports::of_shared_files(files.clone());
    let mut all = Vec::new();
    for mut manager in found {
        manager.find_folder(root, &**files);
        let is_it = |it: &&FoundObject| it.file == manager.at.file && it.name == manager.name;
        let Some(object) = objects.iter().find(is_it) else {
            all.push(manager);
            continue;
        };
        if object.is_fragment {
            continue;
        }
        manager.origin = Arc::new(ObjectOrigin {
            files: object.inputs.clone(),
            parents: object.parents.iter().map(|name| target_at(root, name)).collect(),
            carriers: object.carriers.iter().map(|name| target_at(root, name)).collect(),
        });
        if manager.object != "ApplicationSet" {
            let mut folders = object.folders.iter().cloned();
            manager.builds = folders.next();
            manager.further = folders.collect();
        }
        match object.parents.as_slice() {
            // An Application for the local cluster is left out if a target deploys its set, because
            // that target may select other clusters.
            [_, ..] if manager.is_local => {}
            [] => all.push(manager),
            parents => {
                for parent in parents {
                    let mut object = manager.clone();
                    if parents.len() > 1 {
                        object.parent = Some(parent.clone());
                        let parents = BTreeSet::from([target_at(root, parent)]);
                        let origin = ObjectOrigin { parents, ..(*manager.origin).clone() };
                        object.origin = Arc::new(origin);
                    }
                    all.extend(object.deployed_by(parent, root, &ports));
                }
            }
        }
    }
    all
}

fn is_same_path(one: &str, other: &str) -> bool {
    clean(&Path::new("/").join(one)) == clean(&Path::new("/").join(other))
}

fn target_at(root: &Path, name: &str) -> PathBuf {
    if name == "." { root.to_owned() } else { root.join(name) }
}

/// The Applications of a file, including those that an `ApplicationSet` generates. An
/// `ApplicationSet` with Applications that are not known is listed itself.
fn argo_objects(
    root: &Path,
    file: &Path,
    (consumers, sources): (Vec<DeploymentObject>, &mut SourceNumbers),
    files: &dyn Files,
) -> Vec<LocatedDeploymentObject> {
    let mut found = Vec::new();
    for consumer in consumers {
        match consumer.kind {
            DeploymentObjectKind::FluxKustomization => {}
            DeploymentObjectKind::Application => found.push(application_object(file, &consumer)),
            DeploymentObjectKind::ApplicationSet => {
                let is_here = |_: &str, _: &str| Ok(());
                let mut view =
                    GeneratorView { files, root, sources: &mut *sources, is_here: &is_here };
                let generated = consumer.applications(&mut view);
                if !generated.not_known.is_empty() || generated.known.is_empty() {
                    let path = consumer.source_path().map_or(String::new(), |(path, _)| path);
                    found.push(LocatedDeploymentObject {
                        object: "ApplicationSet".to_owned(),
                        name: consumer.name.clone(),
                        at: FileLocation { file: file.to_owned(), line: consumer.mark.line },
                        path,
                        has_elements: !generated.known.is_empty(),
                        ..LocatedDeploymentObject::default()
                    });
                }
                found.extend(generated.known.iter().map(|it| application_object(file, it)));
            }
        }
    }
    found
}

fn application_object(file: &Path, consumer: &DeploymentObject) -> LocatedDeploymentObject {
    // The chart of a chart repository has no path.
    let (path, mark) = consumer.source_path().unwrap_or((String::new(), consumer.mark));
    // An Application that is generated from an element of another file has the location of its
    // `ApplicationSet`.
    let place = consumer.place();
    let mark = match place.source == consumer.mark.source {
        _ if place == consumer.mark => mark,
        true => place,
        false => consumer.mark,
    };
    LocatedDeploymentObject {
        object: "Application".to_owned(),
        name: consumer.name.clone(),
        at: FileLocation { file: file.to_owned(), line: mark.line },
        path,
        has_other_tool: consumer.has_other_tool(),
        is_local: consumer.is_for_local_cluster(),
        is_assumed: consumer.is_for_assumed_cluster(),
        adds: consumer.components(),
        ..LocatedDeploymentObject::default()
    }
}

fn is_flux(node: &Node) -> bool {
    let text = |key: &str| node.text_of(key).unwrap_or_default();
    text("apiVersion").starts_with(FLUX_GROUP) && text("kind") == "Kustomization"
}

/// The deployment object of a Kustomization of Flux; `None` without a source and a path.
fn flux_object(file: &Path, node: &Node) -> Option<LocatedDeploymentObject> {
    let name = node.text_at(&["metadata", "name"]).unwrap_or_default();
    // An absent path is the root of the source. A patch of a parent may add the source.
    let (mark, path) = match node.at(&["spec", "path"]) {
        Some(path) => (path.mark, path.text().filter(|text| !text.is_empty()).unwrap_or(".")),
        None => (node.at(&["spec", "sourceRef"])?.mark, "."),
    };
    let components = node.at(&["spec", "components"]).and_then(Node::items).unwrap_or_default();
    let adds = components.iter().filter_map(|path| path.text().map(str::to_owned)).collect();
    Some(LocatedDeploymentObject {
        kind: GitOpsController::Flux,
        object: "Kustomization".to_owned(),
        name: name.to_owned(),
        at: FileLocation { file: file.to_owned(), line: mark.line },
        path: path.to_owned(),
        is_incomplete: node.at(&["spec", "sourceRef"]).is_none(),
        adds,
        ..LocatedDeploymentObject::default()
    })
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
    let Ok(repository) = Repository::read(root, listing, &**files) else { return Ok(None) };
    let objects = repository.managers(files);
    let objects = objects.iter().filter(|object| object.name == name);
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

    #[test]
    fn generated_applications_have_the_lines_of_their_elements() {
        let set = "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s}\nspec:\n  \
                   generators:\n  - list:\n      elements:\n      - name: a\n      - name: b\n  - plugin: {}\n  \
                   template: {metadata: {name: '{{name}}'}, spec: {source: {path: 'apps/{{name}}'}}}\n";
        let files = MemoryFiles::default()
            .file("/r/set.yaml", set)
            .file("/r/apps/a/cm.yaml", "kind: ConfigMap");
        let mut found =
            deployment_objects_in_file(Path::new("/r"), Path::new("/r/set.yaml"), &files);
        for it in &mut found {
            it.find_folder(Path::new("/r"), &files);
        }
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
        let tree = [
            ("/r/.git/config", "[remote \"origin\"]\n\turl = https://example.com/r\n".to_owned()),
            ("/r/base/set.yaml", set.to_owned()),
            ("/r/base/kustomization.yaml", "resources: [set.yaml]\n".to_owned()),
            ("/r/dev/kustomization.yaml", overlay("dev", "{name: a}")),
            ("/r/prod/kustomization.yaml", overlay("prod", "{name: a}, {name: b}")),
            ("/r/apps/a/cm.yaml", "kind: ConfigMap".to_owned()),
        ];
        let files = tree
            .iter()
            .fold(MemoryFiles::default(), |all, (path, text)| all.file(path, text.as_str()));
        let files: Arc<dyn Files> = Arc::new(files);
        let root = Path::new("/r");
        let found = deployment_objects_in_file(root, Path::new("/r/base/set.yaml"), &*files);
        let found = resolve_deployment_objects(found, root, &files);
        let shown: Vec<(String, Option<String>)> = found
            .iter()
            .map(|it| {
                let shown = |path: &Path| path.strip_prefix("/r").unwrap().display().to_string();
                (shown(&it.target()), it.builds.as_deref().map(shown))
            })
            .collect();
        let target = |name: &str, folder: Option<&str>| {
            (format!("base/set.yaml#{name}"), folder.map(str::to_owned))
        };
        assert_eq!(
            shown,
            [
                target("a@dev", Some("apps/a")),
                target("a@prod", Some("apps/a")),
                target("b@prod", None),
                target("root@dev", Some("dev")),
                target("root@prod", Some("prod")),
            ]
        );
        let parents = |at: usize| found[at].origin.parents.iter().cloned().collect::<Vec<_>>();
        assert_eq!(parents(0), [PathBuf::from("/r/dev")]);
    }

    #[test]
    fn sources_of_other_tools_are_not_built() {
        let app = |name: &str, source: &str| {
            format!(
                "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: {name}}}\nspec: \
                 {{source: {{{source}}}}}\n---\n"
            )
        };
        let text = [
            app("chart", "chart: redis, repoURL: x"),
            app("helm", "path: a, helm: {releaseName: x}"),
            app("plain", "path: a, helm: {}"),
        ];
        let files = MemoryFiles::default().file("/r/app.yaml", text.concat());
        let found = deployment_objects_in_file(Path::new("/r"), Path::new("/r/app.yaml"), &files);
        let shown: Vec<_> = found.iter().map(|it| (it.name.as_str(), it.has_other_tool)).collect();
        assert_eq!(shown, [("chart", true), ("helm", true), ("plain", false)]);
        // A chart of a chart repository is in no folder, and so no change of a file affects it.
        let mut chart = found.into_iter().next().unwrap();
        chart.find_folder(Path::new("/r"), &files);
        assert_eq!(chart.builds, None);
    }
}
