//! The annotations of an object, as nodes.

use crate::yaml::{
    Mapping, MappingEntry, Node, ScalarType, Style, Tag, Value, new_string_style, resolve_v3,
};

use super::QuickSet;

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

/// Turns the annotations of a resource into new strings, quoted if they read as another type, in
/// order, after all other metadata and without comments, with further ones among them. Kustomize does
/// so whenever it writes its annotations.
pub fn rewrite_annotations(
    node: &mut Node,
    is_dropped: impl Fn(&str) -> bool,
    added: Vec<(&'static str, Node)>,
) {
    if added.is_empty() && !rewriting_changes(node, &is_dropped) {
        return;
    }
    let Some(metadata) = node.get_mut("metadata").and_then(Node::as_mapping_mut) else { return };
    let old = metadata.remove("annotations");
    let mut new = Mapping::default();
    for MappingEntry { key, value } in old.as_ref().map(Node::entries).unwrap_or_default() {
        let (key, text) = (key.text().unwrap_or_default(), value.text().unwrap_or_default());
        if !is_dropped(key) {
            let style = new_string_style(text);
            new.set(key, Node::scalar(text, Tag::Str, style).marked(value.mark));
        }
    }
    let mark = old.as_ref().or(added.first().map(|(_, value)| value)).map(|value| value.mark);
    for (key, value) in added {
        new.set(key, value);
    }
    if !new.entries.is_empty() {
        new.entries.sort_by(|one, other| one.key.text().cmp(&other.key.text()));
        let new = Node::from(Value::Mapping(new.into()));
        metadata.set("annotations", new.marked(mark.unwrap_or_default()));
    }
}

/// True if [`rewrite_annotations`] would change the printed annotations, without further ones.
pub fn rewriting_changes(node: &Node, is_dropped: impl Fn(&str) -> bool) -> bool {
    let Some(metadata) = node.get("metadata") else { return false };
    let Some(annotations) = metadata.get("annotations") else { return false };
    let is_plain_string =
        |key: &Node| key.as_scalar().is_some_and(|key| resolve_v3(&key.text) == ScalarType::Str);
    let is_string = |value: &Node| {
        let is_block = |style: Style| matches!(style, Style::Folded | Style::Literal);
        value.as_scalar().is_some_and(|value| value.tag == Tag::Str && !is_block(value.style))
    };
    let mut seen: QuickSet<&str> = QuickSet::default();
    // Comments of the metadata are printed elsewhere after the annotations move. Kustomize keeps the
    // last value of a repeated key.
    annotations.entries().is_empty()
        || metadata.has_comments()
        || !annotations.entries().iter().all(|entry| {
            let key = entry.key.text().unwrap_or_default();
            is_plain_string(&entry.key)
                && is_string(&entry.value)
                && !is_dropped(key)
                && seen.insert(key)
        })
}
