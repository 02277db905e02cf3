//! Rewrites the labels and annotations of a patch as Kustomize does in the copy for selected
//! resources.

use crate::yaml::{Mapping, Node, Tag, Value, made_string_style};

/// Converts labels or annotations of a patch to maps of strings: both in the copy of a patch for
/// selected resources, and the annotations of a patch with options, which are stored there.
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
        match new {
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
    let old_entries = old.as_mapping().map(|mapping| &mapping.entries);
    let old_entries = old_entries.filter(|entries| !entries.is_empty())?;
    let mut mapping = Mapping::default();
    for entry in old_entries {
        let text = entry.value.as_scalar().map(|scalar| scalar.text.clone()).unwrap_or_default();
        let style = made_string_style(&text);
        let value = Node::scalar(text, Tag::Str, style).marked(entry.value.mark);
        mapping.set(entry.key.text().unwrap_or_default(), value);
    }
    Some(Node::from(Value::Mapping(mapping.into())).marked(old.mark))
}
