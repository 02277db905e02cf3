//! The entries of kustomization files that select a resource by its name: targets, patches,
//! replacements, vars, replicas and generators.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::evaluate::{Layer, LayerId, Trace};
use crate::engine::load::{Files, clean};
use crate::engine::resource::{TextOffset, shift_marks};
use crate::engine::yaml::{Node, parse_nodes};
use crate::repository::Repository;

use super::places::{Place, RenamedResource};

const SCALED_KINDS: [&str; 4] =
    ["Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"];

pub(super) fn selecting_places(
    resource: &RenamedResource,
    trace: &Trace,
    repository: &Repository,
    files: &dyn Files,
) -> Vec<Place> {
    let layers = layers_of(resource, trace).into_iter();
    let own: BTreeSet<&str> = layers
        .filter(|layer| layer.checkout.is_none())
        .map(|layer| &*layer.file)
        .filter(|file| Path::new(file).starts_with(&repository.root))
        .collect();
    let mut found = Vec::new();
    for file in own.into_iter().map(Path::new) {
        let folder = file.parent().unwrap_or(file).to_owned();
        let mut search = Search { resource, files, folder, found: Vec::new() };
        for root in documents(file, files) {
            search.visit_kustomization(&root);
        }
        found.append(&mut search.found);
    }
    found
}

/// The layers that work on a resource: its own, those that include it, and their components.
fn layers_of<'t>(resource: &RenamedResource, trace: &'t Trace) -> Vec<&'t Layer> {
    let mut owners: BTreeSet<LayerId> = BTreeSet::new();
    let mut next = trace.steps.get(resource.first_step).map(|step| step.layer);
    while let Some(id) = next {
        owners.insert(id);
        next = trace.layer(id).and_then(|layer| layer.parent);
    }
    let works_on_it = |id: LayerId| {
        let mut id = id;
        while let Some(Layer { shares: true, parent: Some(parent), .. }) = trace.layer(id) {
            if owners.contains(&id) {
                return true;
            }
            id = *parent;
        }
        owners.contains(&id)
    };
    let all = trace.layers.iter().enumerate();
    all.filter(|(index, _)| works_on_it(LayerId(*index))).map(|(_, layer)| layer).collect()
}

/// A document of a file. One that is written inside of another document has the file and the text of
/// that one.
struct Document {
    node: Node,
    file: PathBuf,
    text: Arc<[u8]>,
}

fn documents(file: &Path, files: &dyn Files) -> Vec<Document> {
    let Ok(text) = files.read(file) else { return Vec::new() };
    let nodes = parse_nodes(&text).unwrap_or_default().into_iter();
    nodes.map(|node| Document { node, file: file.to_owned(), text: text.clone() }).collect()
}

/// Collects the places of one kustomization file, and of the files that its entries name.
struct Search<'s> {
    resource: &'s RenamedResource,
    files: &'s dyn Files,
    folder: PathBuf,
    found: Vec<Place>,
}

impl Search<'_> {
    fn visit_kustomization(&mut self, root: &Document) {
        let items = |field: &str| root.node.items_of(field);
        for entry in items("patches").iter().chain(items("patchesJson6902")) {
            self.visit_patch(entry, root);
        }
        for entry in items("patchesStrategicMerge") {
            self.visit_patch_documents(self.path_or_text(entry, root));
        }
        for entry in items("replacements") {
            self.visit_replacement(entry, root);
        }
        for objref in items("vars").iter().filter_map(|entry| entry.get("objref")) {
            self.add_selector(objref, root);
        }
        if SCALED_KINDS.contains(&self.resource.kind()) {
            for entry in items("replicas") {
                self.add_name(entry.get("name"), root);
            }
        }
        for (field, kind) in [("configMapGenerator", "ConfigMap"), ("secretGenerator", "Secret")] {
            if self.resource.kind() == kind {
                for entry in items(field) {
                    self.add_name(entry.get("name"), root);
                }
            }
        }
        for entry in items("transformers").iter().chain(items("generators")) {
            for document in self.path_or_text(entry, root) {
                self.visit_transformer(&document);
            }
        }
    }

    fn visit_patch(&mut self, entry: &Node, here: &Document) {
        if let Some(target) = entry.get("target") {
            self.add_selector(target, here);
        }
        let in_file = entry.text_of("path").map(|path| self.in_file(path));
        let inline = entry.get("patch").map(|patch| inline(patch, here));
        self.visit_patch_documents(in_file.into_iter().chain(inline).flatten());
    }

    /// The documents of a patch; a JSON patch has no name.
    fn visit_patch_documents(&mut self, documents: impl IntoIterator<Item = Document>) {
        for document in documents {
            let node = &document.node;
            let version = node.text_of("apiVersion").unwrap_or_default();
            let group = version.split_once('/').map_or("", |(group, _)| group);
            let is_kind = node.text_of("kind") == Some(self.resource.kind());
            if is_kind && group == self.resource.group() {
                self.add_name(node.at(&["metadata", "name"]), &document);
            }
        }
    }

    fn visit_replacement(&mut self, entry: &Node, here: &Document) {
        for own in entry.text_of("path").map(|path| self.in_file(path)).into_iter().flatten() {
            for it in own.node.items().unwrap_or(std::slice::from_ref(&own.node)) {
                self.visit_replacement(it, &own);
            }
        }
        if let Some(source) = entry.get("source") {
            self.add_selector(source, here);
        }
        for target in entry.items_of("targets") {
            let reject = target.items_of("reject");
            for selector in target.get("select").into_iter().chain(reject) {
                self.add_selector(selector, here);
            }
        }
    }

    fn visit_transformer(&mut self, own: &Document) {
        self.visit_patch(&own.node, own);
        for entry in own.node.items_of("replacements") {
            self.visit_replacement(entry, own);
        }
        for entry in own.node.items_of("paths") {
            self.visit_patch_documents(self.path_or_text(entry, own));
        }
        let kind = own.node.text_of("kind").unwrap_or_default();
        if kind.strip_suffix("Generator") == Some(self.resource.kind()) {
            self.add_name(own.node.at(&["metadata", "name"]), own);
        }
    }

    fn path_or_text(&self, entry: &Node, here: &Document) -> Vec<Document> {
        let text = entry.text().unwrap_or_default();
        if text.contains('\n') { inline(entry, here) } else { self.in_file(text) }
    }

    /// The documents of a file that an entry names; a folder or a remote has none.
    fn in_file(&self, path: &str) -> Vec<Document> {
        let found = self.files.resolve(&clean(&self.folder.join(path)));
        found.map_or_else(|_| Vec::new(), |(file, _)| documents(&file, self.files))
    }

    fn add_selector(&mut self, selector: &Node, here: &Document) {
        let resource = self.resource;
        let fits = |key: &str, own: &str| {
            selector.text_of(key).is_none_or(|it| it.is_empty() || it == own)
        };
        let namespace = selector.text_of("namespace").unwrap_or_default();
        let is_in = namespace.is_empty() || resource.namespaces.contains(namespace);
        if fits("kind", resource.kind()) && fits("group", resource.group()) && is_in {
            self.add_name(selector.get("name"), here);
        }
    }

    fn add_name(&mut self, name: Option<&Node>, here: &Document) {
        let is_own = |node: &&Node| {
            node.as_scalar().is_some_and(|scalar| self.resource.names.contains(&scalar.text))
        };
        self.found.extend(name.filter(is_own).and_then(|node| Place::in_file(&here.file, node)));
    }
}

fn inline(entry: &Node, here: &Document) -> Vec<Document> {
    let text = entry.text().unwrap_or_default().as_bytes();
    // The mark of a block scalar is the line of its header, one line above its text.
    let first = entry.mark.line + u32::from(text.contains(&b'\n'));
    let offset = TextOffset::in_file(text, &here.text, first);
    let nodes = parse_nodes(text).unwrap_or_default().into_iter().map(|mut node| {
        shift_marks(&mut node, offset);
        Document { node, file: here.file.clone(), text: here.text.clone() }
    });
    nodes.collect()
}
