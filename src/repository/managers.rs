//! Objects of controllers that build a folder of the repository: Argo CD's Application and Flux's Kustomization.

use std::path::{Path, PathBuf};

use crate::engine::load::{Files, clean};
use crate::engine::yaml::{Limits, Node, SourceId, parse_documents};

use super::Place;

/// Which controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ManagerKind {
    /// An Application or `ApplicationSet` of Argo CD.
    ArgoCd,
    /// A Kustomization of Flux.
    Flux,
}

/// An object that has a controller build a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manager {
    /// Which controller.
    pub kind: ManagerKind,
    /// The object's kind.
    pub object: String,
    /// Its name.
    pub name: String,
    /// Where it says which folder.
    pub at: Place,
    /// The folder, absolute. `None` for a path that a generator fills in, or that leads nowhere here.
    pub builds: Option<PathBuf>,
    /// The path as it is written.
    pub path: String,
}

const GROUPS: [&str; 2] = ["argoproj.io/", "kustomize.toolkit.fluxcd.io/"];

/// The objects in these files; only files that name one of the groups are parsed.
pub fn managers_in(root: &Path, listed: &[PathBuf], files: &dyn Files) -> Vec<Manager> {
    let is_yaml = |file: &&PathBuf| file.extension().is_some_and(|it| it == "yaml" || it == "yml");
    let mut managers = Vec::new();
    for file in listed.iter().filter(is_yaml) {
        let Ok(bytes) = files.read(file) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        if !GROUPS.iter().any(|group| text.contains(group)) {
            continue;
        }
        let Ok(parsed) = parse_documents(&bytes, SourceId::NONE, Limits::default()) else {
            continue;
        };
        for document in parsed.documents {
            managers.extend(managers_of(root, file, &document.node, files));
        }
    }
    managers
}

fn managers_of(root: &Path, file: &Path, node: &Node, files: &dyn Files) -> Vec<Manager> {
    let text = |key: &str| node.get(key).and_then(Node::text).unwrap_or_default();
    let (version, object) = (text("apiVersion"), text("kind"));
    let mut paths: Vec<&Node> = Vec::new();
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
        paths.extend(node.at(&["spec", "path"]));
        ManagerKind::Flux
    } else {
        return Vec::new();
    };
    let name = node.at(&["metadata", "name"]).and_then(Node::text).unwrap_or_default();
    let manager = |path: &Node| {
        let written = path.text().unwrap_or_default();
        let folder = clean(&root.join(written.trim_start_matches('/')));
        let builds = files.resolve(&folder).ok().map(|(folder, _)| folder);
        Manager {
            kind,
            object: object.to_owned(),
            name: name.to_owned(),
            at: Place { file: file.to_owned(), line: path.mark.line },
            builds: builds.filter(|folder| folder.starts_with(root) && !written.contains("{{")),
            path: written.to_owned(),
        }
    };
    paths.into_iter().map(manager).collect()
}
