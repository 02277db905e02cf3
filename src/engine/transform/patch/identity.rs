//! The fields that a patch may not change: kind, name and namespace are restored; their values in
//! the patch are not even merged.

use crate::manifest::PatchOptions;
use crate::transform::set_field::new_scalar;
use crate::yaml::{Node, Tag};

use super::Context;

pub(super) const KIND_PATH: &[&str] = &["kind"];
pub(super) const API_VERSION_PATH: &[&str] = &["apiVersion"];
pub(super) const NAME_PATH: &[&str] = &["metadata", "name"];
pub(super) const NAMESPACE_PATH: &[&str] = &["metadata", "namespace"];

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

/// Restores the fields that a patch may not change, if they are missing or changed (`$patch:
/// replace` on metadata).
pub(super) fn restore(node: &mut Node, before: &Node, patch: &Node, options: PatchOptions) {
    let mut put_back = |path: &[&str]| {
        // As in Kustomize, a field that the patch contains gets its old style back; any other field
        // is quoted if it would be read as another type.
        let said = patch.at(path).filter(|said| !said.is_null());
        restore_field(node, before, path, said);
        without_comments(node, path);
    };
    if !options.allow_kind_change {
        put_back(KIND_PATH);
    }
    if !options.allow_name_change {
        put_back(NAME_PATH);
    }
    put_back(NAMESPACE_PATH);
    // As in Kustomize, an empty namespace is removed, and one that is not a text counts as empty.
    if let Some(metadata) = node.get_mut("metadata").and_then(Node::as_mapping_mut)
        && metadata
            .get("namespace")
            .is_some_and(|it| it.is_null() || it.text().is_none_or(str::is_empty))
    {
        metadata.remove("namespace");
    }
    keep_version_mark(node, before);
}

/// Restores the mark of an unchanged apiVersion: it identifies the resource and is not a change of
/// the patch.
fn keep_version_mark(node: &mut Node, before: &Node) {
    let Some(old) = before.at(API_VERSION_PATH) else { return };
    if let Some(new) = node.get_mut("apiVersion").filter(|new| new.text() == old.text()) {
        new.mark = old.mark;
    }
}

/// Removes the comments of a field, since Kustomize writes the field again.
pub(super) fn without_comments(node: &mut Node, path: &[&str]) {
    if node.at(path).is_some_and(|found| found.comments.is_some())
        && let Some(found) = at_mut(node, path)
    {
        found.comments = None;
    }
}

/// True for the tag of a text, a number, a boolean or a time.
fn has_type(tag: &Tag) -> bool {
    matches!(tag, Tag::Str | Tag::Int | Tag::Float | Tag::Bool | Tag::Timestamp)
}

/// Removes the tag of the scalar at a path, if it is that of a text, a number, a boolean or a time.
pub(super) fn untag(node: &mut Node, path: &[&str]) {
    if node.at(path).and_then(Node::as_scalar).is_some_and(|scalar| has_type(&scalar.tag))
        && let Some(scalar) = at_mut(node, path).and_then(Node::as_scalar_mut)
    {
        scalar.set_tag(Tag::None);
    }
}

fn at_mut<'n>(node: &'n mut Node, path: &[&str]) -> Option<&'n mut Node> {
    path.iter().try_fold(node, |node, key| node.get_mut(key))
}

/// Restores a field of the identity after a merge with a patch.
fn restore_field(node: &mut Node, before: &Node, path: &[&str], said: Option<&Node>) {
    let (old, new) = (before.at(path), node.at(path));
    if old.and_then(Node::text) == new.and_then(Node::text) {
        // Kustomize: the field is written again without a tag.
        let style = old.and_then(Node::as_scalar).map(|scalar| scalar.style);
        untag(node, path);
        if said.is_some()
            && let Some(style) = style
            && let Some(scalar) = at_mut(node, path).and_then(Node::as_scalar_mut)
        {
            scalar.style = style;
        }
        return;
    }
    let Some((key, parents)) = path.split_last() else { return };
    let mut parent = node;
    for part in parents {
        let Some(mapping) = parent.as_mapping_mut() else { return };
        if mapping.get(part).is_none_or(|value| value.as_mapping().is_none()) {
            mapping.set(part, Node::mapping());
        }
        let Some(next) = mapping.get_mut(part) else { return };
        parent = next;
    }
    let Some(mapping) = parent.as_mapping_mut() else { return };
    match old.filter(|old| !old.is_null()) {
        Some(old) => {
            let text = old.text().unwrap_or_default();
            // Kustomize writes the old namespace into the node of the patch, whose style is kept.
            let said = said.filter(|_| path == NAMESPACE_PATH).and_then(Node::as_scalar);
            let new = match said {
                Some(said) => Node::scalar(text, Tag::None, said.style),
                None => new_scalar(text, Tag::None),
            };
            mapping.set(key, new.marked(old.mark));
        }
        None => {
            mapping.remove(key);
        }
    }
}
