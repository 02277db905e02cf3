//! Deployment objects that build a folder of the repository: Argo CD's Application and Flux's
//! Kustomization.

use std::path::{Path, PathBuf};

use crate::engine::evaluate::{FoundObject, deployment_objects};
use crate::engine::load::{Files, clean};
use crate::engine::yaml::{Limits, Node, SourceId, parse_documents};

use super::{Place, Repository};

/// The controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ManagerKind {
    /// An Application or `ApplicationSet` of Argo CD.
    ArgoCd,
    Flux,
}

/// A deployment object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manager {
    pub kind: ManagerKind,
    pub object: String,
    pub name: String,
    pub at: Place,
    /// The folder, absolute. `None` for a path that a generator fills in, or that does not exist
    /// here.
    pub builds: Option<PathBuf>,
    pub path: String,
    /// The target that deploys it, relative to the root of the repository, if several do.
    pub parent: Option<String>,
}

const GROUPS: [&str; 2] = ["argoproj.io/", "kustomize.toolkit.fluxcd.io/"];

/// The deployment objects in a file, with unresolved folders; only YAML files with the name of one
/// of the groups are parsed.
pub fn managers_in(root: &Path, file: &Path, files: &dyn Files) -> Vec<Manager> {
    if !file.extension().is_some_and(|it| it == "yaml" || it == "yml") || !file.starts_with(root) {
        return Vec::new();
    }
    let Ok(bytes) = files.read(file) else { return Vec::new() };
    let text = String::from_utf8_lossy(&bytes);
    if !GROUPS.iter().any(|group| text.contains(group)) {
        return Vec::new();
    }
    let Ok(parsed) = parse_documents(&bytes, SourceId::NONE, Limits::default()) else {
        return Vec::new();
    };
    let documents = parsed.documents.iter();
    documents.flat_map(|document| managers_of(file, &document.node)).collect()
}

impl Manager {
    /// The target under which it is listed and built: `FILE#NAME`, or `FILE#NAME@PARENT` if several
    /// targets deploy it.
    pub fn target(&self) -> PathBuf {
        let mut target = self.at.file.clone().into_os_string();
        target.push(format!("#{}", self.name));
        if let Some(parent) = &self.parent {
            target.push(format!("@{parent}"));
        }
        target.into()
    }

    /// True if a build can reproduce its deployment, because it names a folder of the repository. The
    /// folders of an `ApplicationSet` are known only where its generators run.
    pub fn is_buildable(&self, repository: &Repository) -> bool {
        let is_there = |folder: &PathBuf| {
            self.kind == ManagerKind::Flux || repository.target(folder).is_some()
        };
        self.object != "ApplicationSet" && self.builds.as_ref().is_some_and(is_there)
    }

    /// Resolves the folder that it builds.
    pub fn find_folder(&mut self, root: &Path, files: &dyn Files) {
        let folder = clean(&root.join(self.path.trim_start_matches('/')));
        let builds = files.resolve(&folder).ok().map(|(folder, _)| folder);
        self.builds = builds.filter(|folder| folder.starts_with(root) && !self.path.contains("{{"));
    }
}

/// The objects with the folders of this repository that they build, once for each of several
/// targets that deploy them.
pub fn resolve_managers(found: Vec<Manager>, root: &Path, files: &dyn Files) -> Vec<Manager> {
    if found.is_empty() {
        return found;
    }
    let is_root = |above: &&Path| files.resolve(&above.join(".git")).is_ok();
    let root = root.ancestors().find(is_root).unwrap_or(root);
    let objects = deployment_objects(root, files);
    let mut all = Vec::new();
    for mut manager in found {
        manager.find_folder(root, files);
        let is_it = |it: &&FoundObject| it.file == manager.at.file && it.name == manager.name;
        let Some(object) = objects.iter().find(is_it) else {
            all.push(manager);
            continue;
        };
        if object.is_fragment {
            continue;
        }
        if manager.object != "ApplicationSet" {
            manager.builds = manager.builds.filter(|_| object.folder.is_some());
        }
        match object.parents.as_slice() {
            [] | [_] => all.push(manager),
            several => all.extend(
                several
                    .iter()
                    .map(|parent| Manager { parent: Some(parent.clone()), ..manager.clone() }),
            ),
        }
    }
    all
}

fn managers_of(file: &Path, node: &Node) -> Vec<Manager> {
    let text = |key: &str| node.get(key).and_then(Node::text).unwrap_or_default();
    let (version, object) = (text("apiVersion"), text("kind"));
    let mut paths: Vec<&Node> = Vec::new();
    let mut root = None;
    let sources = |spec: &[&str]| {
        let Some(spec) = node.at(spec) else { return Vec::new() };
        let one = spec.get("source").into_iter();
        let many = spec.get("sources").and_then(Node::items).unwrap_or_default();
        one.chain(many).filter_map(|source| source.get("path")).collect::<Vec<_>>()
    };
    let kind = if version.starts_with(GROUPS[0]) {
        match object {
            "Application" => paths.extend(sources(&["spec"])),
            "ApplicationSet" => paths.extend(sources(&["spec", "template", "spec"])),
            _ => return Vec::new(),
        }
        ManagerKind::ArgoCd
    } else if version.starts_with(GROUPS[1]) && object == "Kustomization" {
        // An object without a source is a fragment that a patch or a parent completes.
        let Some(source) = node.at(&["spec", "sourceRef"]) else { return Vec::new() };
        paths.extend(node.at(&["spec", "path"]));
        root = paths.is_empty().then_some(source);
        ManagerKind::Flux
    } else {
        return Vec::new();
    };
    let name = node.at(&["metadata", "name"]).and_then(Node::text).unwrap_or_default();
    let manager = |at: &Node, path: &str| Manager {
        kind,
        object: object.to_owned(),
        name: name.to_owned(),
        at: Place { file: file.to_owned(), line: at.mark.line },
        builds: None,
        path: path.to_owned(),
        parent: None,
    };
    // An absent path is the root of the source.
    let whole = root.map(|source| manager(source, "."));
    let paths = paths.into_iter().map(|path| manager(path, path.text().unwrap_or_default()));
    paths.chain(whole).collect()
}
