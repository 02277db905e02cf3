//! Rewrites the labels and annotations of a patch as Kustomize does in the copy for selected
//! resources.

use indexmap::IndexMap;

use crate::yaml::{Mapping, MappingEntry, Node, Style, Tag, Value, made_string_style};

/// The maps of metadata that Kustomize rewrites in a patch for selected resources.
pub(super) const LABELS_AND_ANNOTATIONS: &[&str] = &["labels", "annotations"];
/// The metadata field that Kustomize rewrites in a patch with options, because it stores the
/// options as annotations.
pub(super) const ANNOTATIONS: &[&str] = &["annotations"];

/// Converts labels or annotations of a patch to maps of strings.
///
/// Kustomize's `CopyMergeMetaDataFieldsFrom` reads and writes them as such maps before the merge:
/// `x: null` sets the text `null` instead of removing the label, and a null or empty map has no
/// effect.
pub(super) fn convert_maps_to_strings(patch: &mut Node, keys: &[&str]) {
    for key in keys {
        let Some(old) = patch.at(&["metadata", key]) else { continue };
        let new = strings(old);
        let Some(metadata) = patch.get_mut("metadata").and_then(Node::as_mapping_mut) else {
            continue;
        };
        let is_twice = metadata.entries.iter().filter(|it| it.key.text() == Some(key)).count() > 1;
        match new {
            // Of two fields with the same name, Kustomize removes the first and writes the result
            // into the second.
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

/// The labels or annotations `old` as texts that are created again: in block style, without the
/// brackets, quotes and comments of the patch. `None` if they are empty or no mapping.
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
    set_entries(&mut mapping, entries);
    Some(Node::from(Value::Mapping(mapping.into())).marked(old.mark))
}

/// Adds entries to a mapping; of duplicate keys the last one is used.
fn set_entries(mapping: &mut Mapping, entries: impl Iterator<Item = MappingEntry>) {
    let key = |entry: &MappingEntry| entry.key.text().unwrap_or_default().to_owned();
    let old = std::mem::take(&mut mapping.entries);
    let by_key: IndexMap<String, MappingEntry> =
        old.into_iter().chain(entries).map(|entry| (key(&entry), entry)).collect();
    mapping.entries = by_key.into_values().collect();
}
