//! The fields that a patch may not change: kind, name and namespace are restored; their values in
//! the patch are not even merged.

use crate::manifest::PatchOptions;
use crate::yaml::Node;

use super::Context;

pub(super) const KIND_PATH: &[&str] = &["kind"];
pub(super) const NAME_PATH: &[&str] = &["metadata", "name"];
const NAMESPACE_PATH: &[&str] = &["metadata", "namespace"];

/// The patch with this step as its writer, without the fields that it may not change.
pub(super) fn prepare(patch: &Node, options: PatchOptions, cx: &Context<'_>) -> Node {
    let mut patch = patch.clone();
    patch.stamp(cx.mark.writer);
    if let Some(mapping) = patch.as_mapping_mut() {
        if !options.allow_kind_change {
            mapping.remove("kind");
        }
        if let Some(metadata) = mapping.get_mut("metadata").and_then(Node::as_mapping_mut) {
            metadata.remove("namespace");
            if !options.allow_name_change {
                metadata.remove("name");
            }
        }
    }
    patch
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
