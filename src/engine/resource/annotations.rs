//! The annotations of an object, as nodes.

use crate::yaml::{
    Mapping, MappingEntry, Node, ScalarType, Style, Tag, Value, new_string_style, resolve_v3,
};

/// Sets an annotation, and adds the mappings that are missing.
pub fn set_annotation(node: &mut Node, key: &str, text: &str) {
    let mut at = node;
    for step in ["metadata", "annotations"] {
        let Some(mapping) = at.as_mapping_mut() else { return };
        if mapping.get(step).is_none_or(Node::is_null) {
            mapping.set(step, Node::mapping());
        }
        let Some(next) = mapping.get_mut(step) else { return };
        at = next;
    }
    if let Some(annotations) = at.as_mapping_mut() {
        annotations.set(key, Node::scalar(text, Tag::Str, Style::Plain));
    }
}

/// Removes an annotation and returns its text; mappings that become empty are removed as well.
pub fn take_annotation(node: &mut Node, key: &str) -> Option<String> {
    node.at(&["metadata", "annotations", key])?;
    let metadata = node.get_mut("metadata")?;
    let annotations = metadata.get_mut("annotations")?;
    let taken = annotations.as_mapping_mut()?.remove(key)?;
    if annotations.is_empty_collection() {
        metadata.as_mapping_mut()?.remove("annotations");
    }
    taken.text().map(str::to_owned)
}

/// The labels or annotations of an object if they are wrongly written as a non-empty list.
pub fn list_in_metadata(node: &Node) -> Option<&Node> {
    let metadata = node.get("metadata")?;
    let mut maps = ["labels", "annotations"].into_iter().filter_map(|field| metadata.get(field));
    maps.find(|map| map.items().is_some_and(|items| !items.is_empty()))
}

/// True for annotations that are a scalar or empty: Kustomize replaces them when it writes its
/// bookkeeping.
pub fn has_unfit_annotations(node: &Node) -> bool {
    let annotations = node.at(&["metadata", "annotations"]);
    annotations.is_some_and(|it| it.as_scalar().is_some() || it.is_empty_collection())
}

/// Merges repeated `annotations`, as Kustomize does at the latest at the end of a build: of two
/// values with the same key, the first one is kept.
pub(super) fn join_annotations(node: &mut Node) {
    let metadata = node.get("metadata").map(Node::entries).unwrap_or_default();
    let is_it = |entry: &&MappingEntry| entry.key.text() == Some("annotations");
    let fields: Vec<&MappingEntry> = metadata.iter().filter(is_it).collect();
    let [first, _, ..] = fields[..] else { return };
    let mut joined = Mapping::default();
    for entry in fields.iter().flat_map(|field| field.value.entries()) {
        let key = entry.key.text().unwrap_or_default();
        if !joined.contains(key) {
            joined.set(key, entry.value.clone());
        }
    }
    let joined = Node::from(Value::Mapping(joined.into())).marked(first.value.mark);
    if let Some(metadata) = node.get_mut("metadata").and_then(Node::as_mapping_mut) {
        metadata.entries.retain(|entry| !is_it(&entry));
        metadata.set("annotations", joined);
    }
}

/// Removes empty `metadata` as Kustomize does before it writes an annotation: if the key is
/// repeated, the value with content is kept.
pub(super) fn drop_empty_metadata(node: &mut Node) {
    let is_empty = |it: &Node| it.as_scalar().is_some() || it.is_empty_collection();
    let is_one =
        |entry: &MappingEntry| entry.key.text() == Some("metadata") && is_empty(&entry.value);
    if node.entries().iter().any(is_one)
        && let Some(mapping) = node.as_mapping_mut()
    {
        mapping.entries.retain(|entry| !is_one(entry));
    }
}

/// Turns the annotations of a resource into new strings, quoted if they read as another type, after
/// all other metadata and without comments. Kustomize does so when it writes its bookkeeping among
/// them.
pub fn annotations_as_strings(node: &mut Node) {
    let has_comments = node.get("metadata").is_some_and(Node::has_comments);
    let Some(metadata) = node.get_mut("metadata").and_then(Node::as_mapping_mut) else { return };
    let Some(old) = metadata.get("annotations") else { return };
    if old.as_mapping().is_none() && !old.is_empty_collection() {
        return;
    }
    let is_block = |style: Style| matches!(style, Style::Folded | Style::Literal);
    let is_string = |node: &Node| {
        node.as_scalar().is_some_and(|scalar| scalar.tag == Tag::Str && !is_block(scalar.style))
    };
    // A new key is written without quotes.
    let is_bare = |key: &Node| key.text().is_some_and(|text| resolve_v3(text) == ScalarType::Str);
    let are_strings = old.as_mapping().is_some()
        && old.entries().iter().all(|it| is_bare(&it.key) && is_string(&it.value));
    if are_strings && !has_comments {
        return;
    }
    let text = |node: &Node| node.text().unwrap_or_default().to_owned();
    let mut new = Mapping::default();
    for MappingEntry { key, value } in old.entries().iter().filter(|it| !text(&it.key).is_empty()) {
        let style = new_string_style(&text(value));
        new.set(&text(key), Node::scalar(text(value), Tag::Str, style).marked(value.mark));
    }
    let mark = old.mark;
    metadata.remove("annotations");
    if !new.entries.is_empty() {
        metadata.set("annotations", Node::from(Value::Mapping(new.into())).marked(mark));
    }
}
