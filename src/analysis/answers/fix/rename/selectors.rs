//! The entries of kustomization files that select a resource by its name: targets, patches,
//! replacements, vars, replicas and generators.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::engine::evaluate::{Layer, LayerId, Trace};
use crate::engine::load::{Files, clean};
use crate::engine::resource::{TextOffset, shift_marks};
use crate::engine::yaml::{Node, parse_nodes};
use crate::repository::Repository;

use super::places::{Place, RenamedResource};

const SCALED_KINDS: [&str; 4] =
    ["Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"];

/// The places in the kustomization files of a build that select a resource by its name.
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
    for file in own {
        let file = Path::new(file);
        let Ok(text) = files.read(file) else { continue };
        let Ok(read) = parse_nodes(&text) else { continue };
        let folder = file.parent().unwrap_or(file).to_owned();
        let mut search = Search { resource, files, folder, found: Vec::new() };
        let here = FileText { file, text: &text };
        for root in &read {
            search.visit_kustomization(root, here);
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

#[derive(Clone, Copy)]
struct FileText<'t> {
    file: &'t Path,
    text: &'t [u8],
}

/// Collects the places of one kustomization file, and of the files that its entries name.
struct Search<'s> {
    resource: &'s RenamedResource,
    files: &'s dyn Files,
    folder: PathBuf,
    found: Vec<Place>,
}

impl Search<'_> {
    fn visit_kustomization(&mut self, root: &Node, here: FileText<'_>) {
        let items = |field: &str| root.items_of(field);
        for entry in items("patches").iter().chain(items("patchesJson6902")) {
            self.visit_patch(entry, here);
        }
        for entry in items("patchesStrategicMerge") {
            self.visit_path_or_text(entry, here, Self::visit_patch_document);
        }
        for entry in items("replacements") {
            self.visit_replacement(entry, here);
        }
        for objref in items("vars").iter().filter_map(|entry| entry.get("objref")) {
            self.add_selector(objref, here.file);
        }
        if SCALED_KINDS.contains(&self.resource.kind()) {
            for entry in items("replicas") {
                self.add_name(entry.get("name"), here.file);
            }
        }
        for (field, kind) in [("configMapGenerator", "ConfigMap"), ("secretGenerator", "Secret")] {
            if self.resource.kind() == kind {
                for entry in items(field) {
                    self.add_name(entry.get("name"), here.file);
                }
            }
        }
        for entry in items("transformers").iter().chain(items("generators")) {
            self.visit_transformer_entry(entry, here);
        }
    }

    /// An entry of `patches`: its target and its patch, inline or in a file.
    fn visit_patch(&mut self, entry: &Node, here: FileText<'_>) {
        if let Some(target) = entry.get("target") {
            self.add_selector(target, here.file);
        }
        if let Some(path) = entry.text_of("path") {
            self.visit_file(path, Self::visit_patch_document);
        }
        if let Some(patch) = entry.get("patch") {
            self.visit_inline(patch, here, Self::visit_patch_document);
        }
    }

    fn visit_path_or_text(
        &mut self,
        entry: &Node,
        here: FileText<'_>,
        visit: impl Fn(&mut Self, &Node, FileText<'_>),
    ) {
        let text = entry.text().unwrap_or_default();
        if text.contains('\n') {
            self.visit_inline(entry, here, visit);
        } else {
            self.visit_file(text, visit);
        }
    }

    /// A document of a patch; a JSON patch has no name.
    fn visit_patch_document(&mut self, node: &Node, here: FileText<'_>) {
        let text = |path: &[&str]| node.text_at(path);
        let version = text(&["apiVersion"]).unwrap_or_default();
        let group = version.split_once('/').map_or("", |(group, _)| group);
        if text(&["kind"]) == Some(self.resource.kind()) && group == self.resource.group() {
            self.add_name(node.at(&["metadata", "name"]), here.file);
        }
    }

    fn visit_replacement(&mut self, entry: &Node, here: FileText<'_>) {
        if let Some(path) = entry.text_of("path") {
            self.visit_file(path, |search, node, own| match node.items() {
                Some(items) => items.iter().for_each(|it| search.visit_replacement(it, own)),
                None => search.visit_replacement(node, own),
            });
        }
        if let Some(source) = entry.get("source") {
            self.add_selector(source, here.file);
        }
        for target in entry.items_of("targets") {
            let reject = target.items_of("reject");
            for selector in target.get("select").into_iter().chain(reject) {
                self.add_selector(selector, here.file);
            }
        }
    }

    /// A transformer or generator of Kustomize, inline or in a file.
    fn visit_transformer_entry(&mut self, entry: &Node, here: FileText<'_>) {
        let visit = |search: &mut Self, node: &Node, own: FileText<'_>| {
            search.visit_patch(node, own);
            let items = |field: &str| node.items_of(field);
            for entry in items("replacements") {
                search.visit_replacement(entry, own);
            }
            for entry in items("paths") {
                search.visit_path_or_text(entry, own, Self::visit_patch_document);
            }
            let kind = node.text_of("kind").unwrap_or_default();
            if kind.strip_suffix("Generator") == Some(search.resource.kind()) {
                search.add_name(node.at(&["metadata", "name"]), own.file);
            }
        };
        self.visit_path_or_text(entry, here, visit);
    }

    /// Visits the documents of a file that an entry names; a folder or a remote has none.
    fn visit_file(&mut self, path: &str, visit: impl Fn(&mut Self, &Node, FileText<'_>)) {
        let Ok((file, _)) = self.files.resolve(&clean(&self.folder.join(path))) else { return };
        let Ok(text) = self.files.read(&file) else { return };
        let Ok(read) = parse_nodes(&text) else { return };
        for root in &read {
            visit(self, root, FileText { file: &file, text: &text });
        }
    }

    fn visit_inline(
        &mut self,
        entry: &Node,
        here: FileText<'_>,
        visit: impl Fn(&mut Self, &Node, FileText<'_>),
    ) {
        let Some(text) = entry.text() else { return };
        let Ok(mut read) = parse_nodes(text.as_bytes()) else {
            return;
        };
        // The mark of a block scalar is the line of its header, one line above its text.
        let first = entry.mark.line + u32::from(text.contains('\n'));
        let offset = TextOffset::in_file(text.as_bytes(), here.text, first);
        for root in &mut read {
            shift_marks(root, offset);
            visit(self, root, here);
        }
    }

    /// Adds the name of a selector, if its other fields can match the resource.
    fn add_selector(&mut self, selector: &Node, file: &Path) {
        let resource = self.resource;
        let fits = |key: &str, own: &str| {
            selector.text_of(key).is_none_or(|it| it.is_empty() || it == own)
        };
        let namespace = selector.text_of("namespace").unwrap_or_default();
        let is_in = namespace.is_empty() || resource.namespaces.contains(namespace);
        if fits("kind", resource.kind()) && fits("group", resource.group()) && is_in {
            self.add_name(selector.get("name"), file);
        }
    }

    fn add_name(&mut self, name: Option<&Node>, file: &Path) {
        let is_own = |node: &&Node| {
            node.as_scalar().is_some_and(|scalar| self.resource.names.contains(&scalar.text))
        };
        self.found.extend(name.filter(is_own).and_then(|node| Place::in_file(file, node)));
    }
}
