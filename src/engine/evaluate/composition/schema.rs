//! The schema of a function's configuration, from the catalogs that lie in files: it says by which keys an override
//! merges lists (section A.6). Nothing is fetched for it, and nothing is run.

use std::path::Path;

use crate::engine::load::{FileKind, Files};
use crate::engine::manifest::EntryId;
use crate::engine::yaml::{Limits, Node, SourceId, parse_documents};

use super::CatalogReference;

/// The `openAPIV3Schema` of a function: that of the first catalog, in their order, which has its group, kind and
/// version.
pub(super) fn override_schema(
    files: &dyn Files,
    catalogs: &[CatalogReference],
    id: &EntryId,
) -> Option<Node> {
    let mut local = catalogs.iter().filter(|catalog| Path::new(&catalog.resolved).is_absolute());
    local.find_map(|catalog| in_catalog(files, &catalog.resolved, id))
}

fn in_catalog(files: &dyn Files, path: &str, id: &EntryId) -> Option<Node> {
    let path = path.split("@sha256:").next().unwrap_or(path);
    let (path, kind) = files.resolve(Path::new(path)).ok()?;
    let path = if kind == FileKind::Directory { path.join("catalog.yaml") } else { path };
    let bytes = files.read(&path).ok()?;
    let file = parse_documents(&bytes, SourceId::NONE, Limits::default()).ok()?;
    let specs = file.documents.iter().filter_map(|document| document.node.get("spec"));
    // A `KRMFunctionDefinition` is a catalog of one (D-B2).
    let mut functions = specs.flat_map(|spec| match spec.get("krmFunctions") {
        Some(list) => list.items().unwrap_or_default(),
        None => std::slice::from_ref(spec),
    });
    functions.find_map(|function| in_function(function, id))
}

fn in_function(function: &Node, id: &EntryId) -> Option<Node> {
    let text = |path: &[&str]| function.at(path).and_then(Node::text).unwrap_or_default();
    let kind = text(&["names", "kind"]);
    let kind = if kind.is_empty() { text(&["kind"]) } else { kind };
    if text(&["group"]) != &*id.gvk.group || kind != &*id.gvk.kind {
        return None;
    }
    let versions = function.get("versions").and_then(Node::items).unwrap_or_default().iter();
    let named =
        |version: &&Node| version.get("name").and_then(Node::text) == Some(&*id.gvk.version);
    versions.filter(named).find_map(|version| version.at(&["schema", "openAPIV3Schema"]).cloned())
}
