//! The form in which a patch is merged. The fields that it may not change, kind, name and namespace,
//! are not even merged, and restored afterwards.

use crate::manifest::PatchOptions;
use crate::yaml::{Mapping, Node, Tag, Value, made_string_style};

use super::Context;

pub(super) const KIND_PATH: &[&str] = &["kind"];
pub(super) const NAME_PATH: &[&str] = &["metadata", "name"];
const NAMESPACE_PATH: &[&str] = &["metadata", "namespace"];

/// The patch with this step as its writer, without the fields that it may not change. `is_copied` is
/// true if Kustomize works with a copy of the patch for the selected resources.
pub(super) fn prepare(
    patch: &Node,
    options: PatchOptions,
    is_copied: bool,
    cx: &Context<'_>,
) -> Node {
    let mut patch = patch.clone();
    patch.stamp(cx.mark.writer);
    let Some(mapping) = patch.as_mapping_mut() else { return patch };
    if !options.allow_kind_change {
        mapping.remove("kind");
    }
    if is_copied {
        // Kustomize replaces it by that of the target.
        mapping.entries.retain(|entry| entry.key.text() != Some("apiVersion"));
    }
    if let Some(metadata) = mapping.get_mut("metadata").and_then(Node::as_mapping_mut) {
        metadata.remove("namespace");
        if !options.allow_name_change {
            metadata.remove("name");
        }
        if is_copied {
            convert_to_strings(metadata, "labels");
        }
        // Options are annotations of the patch, which a null cannot contain.
        if is_copied || options.allow_name_change || options.allow_kind_change {
            convert_to_strings(metadata, "annotations");
        }
    }
    patch
}

/// Converts labels or annotations of a patch to a map of strings, both in the copy of a patch for
/// selected resources, and the annotations of a patch with options, which are stored there: in
/// block style, without the brackets, quotes and comments of the patch.
///
/// Kustomize's `CopyMergeMetaDataFieldsFrom` reads and writes them as such maps before the merge:
/// `x: null` sets the text `null` instead of removing the label, and a null or empty map has no
/// effect.
fn convert_to_strings(metadata: &mut Mapping, key: &str) {
    let Some(old) = metadata.get(key) else { return };
    let mut mapping = Mapping::default();
    for entry in old.entries() {
        let text = entry.value.as_scalar().map(|scalar| scalar.text.clone()).unwrap_or_default();
        let style = made_string_style(&text);
        let value = Node::scalar(text, Tag::Str, style).marked(entry.value.mark);
        mapping.set(entry.key.text().unwrap_or_default(), value);
    }
    let mark = old.mark;
    if mapping.entries.is_empty() {
        metadata.remove(key);
    } else {
        metadata.set(key, Node::from(Value::Mapping(mapping.into())).marked(mark));
    }
}

/// Restores the fields that a patch may not change (`$patch: replace` on metadata removes them), with
/// the marks that they had.
pub(super) fn restore(node: &mut Node, before: &Node, options: PatchOptions) {
    if !options.allow_kind_change {
        restore_field(node, before, KIND_PATH);
    }
    if !options.allow_name_change {
        restore_field(node, before, NAME_PATH);
    }
    restore_field(node, before, NAMESPACE_PATH);
    // As in Kustomize, an empty namespace is removed.
    if node.text_at(NAMESPACE_PATH) == Some("")
        && let Some(metadata) = node.get_mut("metadata")
    {
        metadata.remove("namespace");
    }
    // An unchanged apiVersion identifies the resource and is not a change of the patch.
    let version = before.get("apiVersion");
    if let Some(new) = node.get_mut("apiVersion")
        && let Some(old) = version.filter(|old| old.text() == new.text())
    {
        new.mark = old.mark;
    }
}

fn restore_field(node: &mut Node, before: &Node, path: &[&str]) {
    let old = before.at(path).filter(|old| !old.is_null());
    if old == node.at(path) {
        return;
    }
    let Some((key, parents)) = path.split_last() else { return };
    let mut parent = node;
    for part in parents {
        if parent.get(part).is_none_or(|value| value.as_mapping().is_none()) {
            parent.set(part, Node::mapping());
        }
        let Some(next) = parent.get_mut(part) else { return };
        parent = next;
    }
    match old {
        Some(old) => parent.set(key, old.clone()),
        None => drop(parent.remove(key)),
    }
}
