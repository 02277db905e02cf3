//! Labels and annotations of a patch in Kustomize's selected set.

use indexmap::IndexMap;

use crate::yaml::{Mapping, MappingEntry, Node, Style, Tag, Value, made_string_style};

/// The maps of metadata that Kustomize rewrites in a patch for selected resources.
pub(super) const BOTH: &[&str] = &["labels", "annotations"];
/// The maps that it rewrites if a patch has options, which are annotations to it.
pub(super) const ANNOTATIONS: &[&str] = &["annotations"];

/// Turns maps of a patch's metadata into string maps.
///
/// Kustomize: `CopyMergeMetaDataFieldsFrom` reads and writes them as such before it merges, so that
/// `x: null` sets the text `null` instead of removing the label, and a null or empty map has no
/// effect.
pub(super) fn as_strings(patch: &mut Node, keys: &[&str]) {
    for key in keys {
        let Some(old) = patch.at(&["metadata", key]) else { continue };
        let new = strings(old);
        let Some(metadata) = patch.get_mut("metadata").and_then(Node::as_mapping_mut) else {
            continue;
        };
        let is_twice = metadata.entries.iter().filter(|it| it.key.text() == Some(key)).count() > 1;
        match new {
            // Kustomize removes the first field and writes to the one that it finds afterwards.
            Some(new) if is_twice => {
                metadata.remove(key);
                let mut second = metadata.get_mut(key).and_then(Node::as_mapping_mut);
                for entry in new.entries() {
                    if let (Some(second), Some(key)) = (second.as_deref_mut(), entry.key.text()) {
                        second.set(key, entry.value.clone());
                    }
                }
            }
            Some(new) => metadata.set(key, new),
            None => {
                metadata.remove(key);
            }
        }
    }
}

/// Each text is created again, in block style, without brackets, quotes and comments of the patch.
fn strings(old: &Node) -> Option<Node> {
    let mapping = old.as_mapping().filter(|mapping| !mapping.entries.is_empty())?;
    let entries = mapping.entries.iter().map(|entry| {
        let text = entry.value.as_scalar().map(|scalar| scalar.text.clone()).unwrap_or_default();
        let style = made_string_style(&text);
        let value = Node::scalar(text, Tag::Str, style).marked(entry.value.mark);
        let key = Node::plain(entry.key.text().unwrap_or_default()).marked(entry.key.mark);
        MappingEntry { key, value }
    });
    let mut mapping = Mapping { entries: Vec::new().into(), style: Style::Plain };
    set_all(&mut mapping, entries);
    Some(Node::from(Value::Mapping(mapping.into())).marked(old.mark))
}

/// The last of duplicate keys counts.
fn set_all(mapping: &mut Mapping, entries: impl Iterator<Item = MappingEntry>) {
    let key = |entry: &MappingEntry| entry.key.text().unwrap_or_default().to_owned();
    let old = std::mem::take(&mut mapping.entries);
    let by_key: IndexMap<String, MappingEntry> =
        old.into_iter().chain(entries).map(|entry| (key(&entry), entry)).collect();
    mapping.entries = by_key.into_values().collect();
}

/// The labels and annotations of a patch, and their values. Kustomize writes them again into a copy
/// of the patch, where they have no place in a file.
pub(super) fn all(patch: &Node) -> Vec<&Node> {
    let maps = BOTH.iter().filter_map(|key| patch.at(&["metadata", key]));
    let nodes = |map| {
        let values = Node::entries(map).iter().map(|entry| &entry.value);
        values.chain([map]).collect::<Vec<_>>()
    };
    maps.flat_map(nodes).collect()
}

/// True for a patch that overwrites an annotation with its current value.
pub(super) fn writes_equal_annotation(node: &Node, patch: &Node) -> bool {
    let annotations = [node, patch].map(|node| node.at(&["metadata", "annotations"]));
    let [Some(old), Some(new)] = annotations else { return false };
    new.entries().iter().any(|entry| {
        let there = entry.key.text().and_then(|key| old.get(key));
        there.is_some_and(|there| there.text() == entry.value.text())
    })
}

/// A resource's labels and annotations that a patch overwrites with the same texts, whatever their
/// quotes.
pub(super) fn equal<'n>(node: &'n Node, patch: &Node) -> Vec<&'n Node> {
    let mut found = Vec::new();
    for key in BOTH {
        let (Some(old), Some(new)) = (node.at(&["metadata", key]), patch.at(&["metadata", key]))
        else {
            continue;
        };
        for entry in new.entries() {
            let there = entry.key.text().and_then(|key| old.get(key));
            found.extend(there.filter(|there| there.text() == entry.value.text()));
        }
    }
    found
}
