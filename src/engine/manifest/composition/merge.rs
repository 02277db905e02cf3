//! Overrides: strategic merge of a part into an imported entry (section A.6).

use std::sync::Arc;

use crate::yaml::{Mapping, MappingEntry, Node, Value};

use super::check::has_runtime_annotation;
use super::{CanonicalConfig, FUNCTION_ANNOTATIONS};

/// The result of merging an override into an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum MergedEntry {
    Changed(Node),
    /// `$patch: delete` at the top: the entry is removed from the list (D-A16).
    Removed,
}

/// Merges an override into the entry of the same identity. `schema` is the entry's
/// `openAPIV3Schema`, if its catalog has one.
///
/// # Errors
/// The value of `$patch` if it is no strategy.
pub fn merge_override(
    base: &CanonicalConfig,
    over: &CanonicalConfig,
    schema: Option<&Node>,
) -> Result<MergedEntry, String> {
    let is_kustomization = base.id.is_kustomization();
    match directive(&over.node)? {
        Some("delete") => return Ok(MergedEntry::Removed),
        Some("replace") => {
            let mut node = strip_directives(&over.node)?;
            keep_identity(&mut node, &base.node);
            return Ok(MergedEntry::Changed(node));
        }
        _ => {}
    }
    let mut node = base.node.clone();
    for entry in over.node.entries() {
        match entry.key.text() {
            Some("apiVersion" | "kind" | "$patch") => {}
            Some("metadata") => merge_metadata(&mut node, &entry.value)?,
            // A new `runtime` replaces the old one completely: a union of two runtimes is not
            // valid, and an old `network: true` must not apply to a new image.
            Some("runtime") => {
                let value = Some(&entry.value).filter(|value| !value.is_null());
                set_or_remove(&mut node, "runtime", value.cloned());
                remove_runtime_annotations(&mut node);
            }
            _ => merge_field(&mut node, entry, MergePosition { is_kustomization, schema })?,
        }
    }
    if over.node.get("runtime").is_none() && has_runtime_annotation(&over.node) {
        node.remove("runtime");
    }
    Ok(MergedEntry::Changed(in_order(node)))
}

/// True if the override merges a list of mappings into a list of the entry: the result then depends
/// on the merge keys in the schema.
pub fn merges_object_lists(base: &Node, over: &Node) -> bool {
    over.entries().iter().any(|entry| {
        let Some(old) = entry.key.text().and_then(|key| base.get(key)) else { return false };
        match (old.items(), entry.value.items()) {
            (Some(_), Some(items)) => items.iter().any(|item| item.as_mapping().is_some()),
            (None, None) => merges_object_lists(old, &entry.value),
            _ => false,
        }
    })
}

/// Merges labels, annotations and namespace of an override; the name is part of the identity and
/// does not change (D-A15).
fn merge_metadata(node: &mut Node, over: &Node) -> Result<(), String> {
    let Some(metadata) = node.get_mut("metadata") else { return Ok(()) };
    let place = MergePosition { is_kustomization: false, schema: None };
    for entry in over.entries() {
        if entry.key.text() != Some("name") {
            merge_field(metadata, entry, place)?;
        }
    }
    Ok(())
}

fn remove_runtime_annotations(node: &mut Node) {
    if !has_runtime_annotation(node) {
        return;
    }
    let Some(metadata) = node.get_mut("metadata") else { return };
    if let Some(annotations) = metadata.get_mut("annotations") {
        for key in FUNCTION_ANNOTATIONS {
            annotations.remove(key);
        }
    }
    metadata.remove("configFn");
}

/// Gives the node the `metadata.name` of the entry, which an override cannot change.
fn keep_identity(node: &mut Node, base: &Node) {
    let name = base.at(&["metadata", "name"]).cloned();
    if let (Some(name), Some(metadata)) =
        (name, node.get_mut("metadata").and_then(Node::as_mapping_mut))
    {
        metadata.set("name", name);
    }
}

pub(super) fn in_order(mut node: Node) -> Node {
    if let Some(mapping) = node.as_mapping_mut() {
        let first = ["apiVersion", "kind", "metadata", "runtime"];
        mapping.entries.sort_by_key(|entry| {
            first.iter().position(|key| entry.key.text() == Some(key)).unwrap_or(first.len())
        });
    }
    node
}

/// The `$patch` directive of a mapping: the strategy for merging it. An unknown one is the error.
fn directive(node: &Node) -> Result<Option<&str>, String> {
    match node.get("$patch").map(|word| word.text().unwrap_or_default()) {
        None | Some("replace" | "merge" | "delete") => Ok(node.text_of("$patch")),
        Some(other) => Err(other.to_owned()),
    }
}

#[derive(Clone, Copy)]
struct MergePosition<'s> {
    /// True at the top of an inline Kustomization.
    is_kustomization: bool,
    schema: Option<&'s Node>,
}

impl<'s> MergePosition<'s> {
    fn property(&self, key: &str) -> Option<&'s Node> {
        let schema = self.schema?;
        schema.at(&["properties", key]).or_else(|| schema.get("additionalProperties"))
    }

    /// The keys that identify the elements of a list; empty for a list that is replaced.
    fn list_keys(&self, key: &str) -> Vec<String> {
        if self.is_kustomization && matches!(key, "configMapGenerator" | "secretGenerator") {
            return vec!["name".to_owned()];
        }
        let Some(list) = self.property(key) else { return Vec::new() };
        let text = |field: &str| list.text_of(field);
        if text("x-kubernetes-list-type") == Some("map") {
            let keys = list.get("x-kubernetes-list-map-keys").and_then(Node::items);
            let keys = keys.unwrap_or_default().iter().filter_map(Node::text);
            return keys.map(str::to_owned).collect();
        }
        let merges = text("x-kubernetes-patch-strategy").is_some_and(|word| word.contains("merge"));
        let key = text("x-kubernetes-patch-merge-key").filter(|_| merges);
        key.map(|key| vec![key.to_owned()]).unwrap_or_default()
    }
}

fn merge_field(
    node: &mut Node,
    entry: &MappingEntry,
    place: MergePosition<'_>,
) -> Result<(), String> {
    let key = entry.key.text().unwrap_or_default();
    let over = &entry.value;
    let word = directive(over)?;
    let replaces = word == Some("replace");
    let below = |schema| MergePosition { schema, is_kustomization: false };
    let merged = match node.get(key) {
        _ if over.is_null() || word == Some("delete") => None,
        Some(old) if old.as_mapping().is_some() && over.as_mapping().is_some() && !replaces => {
            let mut merged = old.clone();
            merge_fields(&mut merged, over, below(place.property(key)))?;
            Some(merged)
        }
        Some(old) if old.items().is_some() && over.items().is_some() => {
            let keys = place.list_keys(key);
            if keys.is_empty() {
                Some(strip_directives(over)?)
            } else {
                let items = place.property(key).and_then(|list| list.get("items"));
                merge_list(old, over, &keys, below(items))?
            }
        }
        _ => Some(strip_directives(over)?),
    };
    set_or_remove(node, key, merged);
    Ok(())
}

fn merge_fields(node: &mut Node, over: &Node, place: MergePosition<'_>) -> Result<(), String> {
    let fields = over.entries().iter().filter(|entry| entry.key.text() != Some("$patch"));
    fields.into_iter().try_for_each(|entry| merge_field(node, entry, place))
}

/// Merges the elements of two lists by their keys: an element of the override changes the matching
/// element or is appended.
fn merge_list(
    old: &Node,
    over: &Node,
    keys: &[String],
    place: MergePosition<'_>,
) -> Result<Option<Node>, String> {
    let value = |node: &Node, key: &String| node.text_of(key).map(str::to_owned);
    let same = |a: &Node, b: &Node| keys.iter().all(|key| value(a, key) == value(b, key));
    let mut merged: Vec<Node> = old.items().unwrap_or_default().to_vec();
    for item in over.items().unwrap_or_default() {
        let word = directive(item)?;
        if keys.iter().all(|key| item.get(key).is_none()) {
            match word {
                Some("delete") => return Ok(None),
                Some("replace") => merged.clear(),
                Some(_) => {}
                None => merged.push(strip_directives(item)?),
            }
            continue;
        }
        let found = merged.iter().position(|candidate| same(candidate, item));
        match (word, found.and_then(|index| merged.get_mut(index))) {
            (Some("delete"), _) => merged.retain(|candidate| !same(candidate, item)),
            (Some("replace"), Some(slot)) => *slot = strip_directives(item)?,
            (_, Some(slot)) => merge_fields(slot, item, place)?,
            (_, None) => merged.push(strip_directives(item)?),
        }
    }
    Ok(Some(with_items(old, merged)))
}

fn with_items(like: &Node, items: Vec<Node>) -> Node {
    let style = match &like.value {
        Value::Sequence(_, style) => *style,
        _ => crate::yaml::Style::Plain,
    };
    Node { value: Value::Sequence(Arc::new(items), style), ..like.clone() }
}

/// Sets or removes a field; an existing key keeps its position.
fn set_or_remove(node: &mut Node, key: &str, value: Option<Node>) {
    match value {
        Some(value) => node.set(key, value),
        None => drop(node.remove(key)),
    }
}

/// The value of the override for a field that the entry lacks: without `$patch` directives and
/// nulls.
fn strip_directives(node: &Node) -> Result<Node, String> {
    if let Some(mapping) = node.as_mapping() {
        directive(node)?;
        let mut entries = Vec::with_capacity(mapping.entries.len());
        for entry in &mapping.entries {
            let gone = entry.key.text() == Some("$patch")
                || entry.value.is_null()
                || directive(&entry.value)? == Some("delete");
            if !gone {
                entries.push(MappingEntry {
                    key: entry.key.clone(),
                    value: strip_directives(&entry.value)?,
                });
            }
        }
        let value =
            Value::Mapping(Arc::new(Mapping { entries: entries.into(), style: mapping.style }));
        return Ok(Node { value, ..node.clone() });
    }
    let Some(items) = node.items() else { return Ok(node.clone()) };
    let mut kept = Vec::with_capacity(items.len());
    for item in items {
        if directive(item)?.is_none() {
            kept.push(strip_directives(item)?);
        }
    }
    Ok(with_items(node, kept))
}
