//! Reduces a published document to some types (D-E8), because a complete document has several
//! megabytes.

use indexmap::IndexSet;

use crate::engine::yaml::{MappingEntry, Node};

const GVK_EXTENSION_KEY: &str = "x-kubernetes-group-version-kind";

/// The selected types of a document; without a selection, all types.
pub(super) struct SelectedTypes<'a> {
    /// `group/Kind`, or a kind of any group.
    pub(super) only: &'a [String],
    /// True to select all types that are not part of Kubernetes itself.
    pub(super) crds: bool,
}

/// Keeps the selected definitions with all definitions that they refer to, and the paths that
/// define their scope.
pub(super) fn keep_selected_definitions(
    document: Node,
    wanted: &SelectedTypes<'_>,
) -> Result<Node, String> {
    if wanted.only.is_empty() && !wanted.crds {
        return Ok(document);
    }
    let definitions = document.get("definitions").map(Node::entries).unwrap_or_default();
    for only in wanted.only {
        let is_there = definitions
            .iter()
            .any(|entry| types(&entry.value).any(|it| matches_type_name(only, it)));
        if !is_there {
            return Err(format!("error: the cluster publishes no type {only}"));
        }
    }
    let chosen: Vec<&MappingEntry> = definitions
        .iter()
        .filter(|entry| wanted.selects(entry.key.text().unwrap_or_default(), &entry.value))
        .collect();
    let mut names: IndexSet<&str> = chosen.iter().filter_map(|entry| entry.key.text()).collect();
    let mut next = 0;
    while let Some(name) = names.get_index(next).copied() {
        let definition = document.at(&["definitions", name]);
        if let Some(definition) = definition {
            references(definition, &mut names);
        }
        next += 1;
    }
    let is_kept = |it: &&MappingEntry| it.key.text().is_some_and(|name| names.contains(name));
    let mut kept = Node::mapping();
    if let Some(kept) = kept.as_mapping_mut() {
        kept.entries.extend(definitions.iter().filter(is_kept).cloned());
    }
    let kinds: Vec<[&str; 3]> = chosen.iter().flat_map(|entry| types(&entry.value)).collect();
    let mut out = Node::mapping();
    for key in ["swagger", "info"] {
        if let Some(value) = document.get(key) {
            out.set(key, value.clone());
        }
    }
    out.set("paths", scope_paths(&document, &kinds));
    out.set("definitions", kept);
    Ok(out)
}

impl SelectedTypes<'_> {
    fn selects(&self, name: &str, definition: &Node) -> bool {
        let mut types = types(definition);
        if self.crds {
            return types.next().is_some() && !is_built_in(name);
        }
        types.any(|it| self.only.iter().any(|only| matches_type_name(only, it)))
    }
}

/// True for definitions of Kubernetes itself, which are named after its Go packages; the names of
/// CRD definitions begin with their reversed group.
fn is_built_in(name: &str) -> bool {
    let packages = ["api", "apimachinery", "apiextensions-apiserver", "kube-aggregator"];
    let package = name.strip_prefix("io.k8s.").and_then(|rest| rest.split('.').next());
    package.is_some_and(|package| packages.contains(&package))
}

fn types(definition: &Node) -> impl Iterator<Item = [&str; 3]> {
    let types = definition.get(GVK_EXTENSION_KEY).and_then(Node::items).unwrap_or_default();
    types.iter().map(type_of)
}

fn type_of(gvk: &Node) -> [&str; 3] {
    ["group", "version", "kind"].map(|key| gvk.get(key).and_then(Node::text).unwrap_or_default())
}

/// True if `only` selects a type: `apps/Deployment`, `core/Pod`, `/Pod`, or `Deployment` of any
/// group.
fn matches_type_name(only: &str, [group, _, kind]: [&str; 3]) -> bool {
    match only.rsplit_once('/') {
        None => kind == only,
        Some(("core", wanted)) if group.is_empty() => kind == wanted,
        Some((wanted_group, wanted)) => kind == wanted && group == wanted_group,
    }
}

fn references<'n>(node: &'n Node, names: &mut IndexSet<&'n str>) {
    for entry in node.entries() {
        match (entry.key.text(), entry.value.text()) {
            (Some("$ref"), Some(reference)) => {
                names.insert(reference.trim_start_matches("#/definitions/"));
            }
            _ => references(&entry.value, names),
        }
    }
    for item in node.items().unwrap_or_default() {
        references(item, names);
    }
}

/// Keeps only the paths that show which types are namespaced.
fn scope_paths(document: &Node, kinds: &[[&str; 3]]) -> Node {
    let mut out = Node::mapping();
    for entry in document.get("paths").map(Node::entries).unwrap_or_default() {
        let Some(gvk) = entry.value.at(&["get", GVK_EXTENSION_KEY]) else { continue };
        if !kinds.contains(&type_of(gvk)) {
            continue;
        }
        let mut get = Node::mapping();
        get.set(GVK_EXTENSION_KEY, gvk.clone());
        let mut methods = Node::mapping();
        methods.set("get", get);
        out.set(entry.key.text().unwrap_or_default(), methods);
    }
    out
}
