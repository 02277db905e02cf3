//! Kustomize's bookkeeping as annotations, for patches and replacements that can change it.

use crate::resource::{
    Resource, is_bookkeeping, read_internal_annotations, set_annotation,
    strip_internal_annotations_except, take_annotation, write_internal_annotations,
};
use crate::transform::build_metadata::{ORIGIN, TRANSFORMATIONS, origin_annotations};
use crate::yaml::{MappingEntry, Node};

/// The tree that Kustomize passes to a program: with its bookkeeping and the annotations about the
/// origin of the resource.
pub fn program_input_tree(resource: &Resource) -> Node {
    with_bookkeeping(resource, false)
}

/// Moves the origin annotations of a returned resource back into its fields, if they equal those of
/// `old`. An annotation that the program changed stays an ordinary annotation; one that it removed
/// is dropped.
pub fn take_origin_annotations(new: &mut Resource, old: &Resource) {
    for (name, text) in origin_annotations(old, |_| true) {
        if text.is_err() || new.annotation(name) != text.ok().as_deref() {
            continue;
        }
        take_annotation(&mut new.node, name);
        if name == ORIGIN {
            new.origin.clone_from(&old.origin);
        } else {
            new.transformations.clone_from(&old.transformations);
        }
    }
}

/// The tree, with Kustomize's bookkeeping if `is_exposed`.
pub(super) fn tree_of(resource: &Resource, is_exposed: bool) -> Node {
    if is_exposed { with_bookkeeping(resource, false) } else { resource.node.clone() }
}

/// The tree with the bookkeeping in its annotations, so that a patch of the annotations affects the
/// bookkeeping too. With `remembers`, the current id is stored as a previous one first.
pub(super) fn with_bookkeeping(resource: &Resource, remembers: bool) -> Node {
    if resource.has_hidden_bookkeeping() {
        return resource.node.clone();
    }
    let mut shown = resource.clone();
    if remembers {
        shown.store_previous_id();
    }
    let mut node = write_internal_annotations(&shown);
    for (name, text) in origin_annotations(&shown, |_| true) {
        if let Ok(text) = text {
            set_annotation(&mut node, name, &text);
        }
    }
    node
}

/// Removes from a tree the bookkeeping that [`with_bookkeeping`] added. Values that the step
/// changed are kept.
pub(super) fn without_bookkeeping(resource: &Resource, remembers: bool, node: &mut Node) {
    let mut resource = resource.clone();
    if remembers {
        resource.store_previous_id();
    }
    let mut kept = remaining_bookkeeping(&resource, node);
    let noted = write_internal_annotations(&resource);
    kept.retain(|entry| {
        let noted = noted.at(&["metadata", "annotations", entry.key.text().unwrap_or_default()]);
        noted.is_none_or(|noted| noted.text() == entry.value.text())
    });
    strip_internal_annotations_except(node, kept);
    for name in [ORIGIN, TRANSFORMATIONS] {
        take_annotation(node, name);
    }
}

/// Replaces the tree of a resource and reads the bookkeeping from the annotations; bookkeeping that
/// is missing there is dropped.
pub(super) fn replace_tree(resource: &mut Resource, node: Node) {
    let old = resource.clone();
    (resource.origin, resource.transformations) = (None, Vec::new());
    resource.clear_bookkeeping();
    (resource.allow_name_change, resource.allow_kind_change) = (false, false);
    resource.node = node;
    read_internal_annotations(resource);
    let kept = remaining_bookkeeping(&old, &resource.node);
    strip_internal_annotations_except(&mut resource.node, kept);
    take_origin_annotations(resource, &old);
}

/// The bookkeeping annotations that remain in the tree: those from the user's file, if unchanged,
/// and those that the step wrote.
fn remaining_bookkeeping(old: &Resource, now: &Node) -> Vec<MappingEntry> {
    let annotations = |node: &Node| {
        let annotations = node.at(&["metadata", "annotations"]).map(Node::entries);
        annotations.unwrap_or_default().to_vec()
    };
    let (own, noted) = (annotations(&old.node), annotations(&write_internal_annotations(old)));
    let same = |entries: &[MappingEntry], now: &MappingEntry| {
        let is_it = |it: &&MappingEntry| {
            it.key.text() == now.key.text() && it.value.text() == now.value.text()
        };
        entries.iter().find(is_it).cloned()
    };
    let kept = annotations(now).into_iter().filter_map(|now| {
        let is_kept = is_bookkeeping(now.key.text().unwrap_or_default());
        let noted = same(&noted, &now).is_some();
        same(&own, &now).or_else(|| (!noted).then_some(now)).filter(|_| is_kept)
    });
    kept.collect()
}

/// True for the name of an annotation that Kustomize keeps for itself.
pub(super) fn is_reserved_annotation(key: &str) -> bool {
    is_bookkeeping(key) || matches!(key, ORIGIN | TRANSFORMATIONS)
}

/// True for a patch with annotations that Kustomize keeps for itself.
pub(super) fn writes_bookkeeping(patch: &Node) -> bool {
    let annotations = patch.at(&["metadata", "annotations"]).map(Node::entries).unwrap_or_default();
    annotations.iter().any(|entry| entry.key.text().is_some_and(is_reserved_annotation))
}

/// True for a strategic merge patch that may change the bookkeeping: it removes or replaces
/// annotations, or a node that contains them, or names those that Kustomize keeps for itself.
pub(super) fn may_change_bookkeeping(patch: &Node) -> bool {
    let has_directive = |node: &Node| node.get("$patch").is_some();
    let replaces = |node: &Node| node.as_mapping().is_none() || has_directive(node);
    has_directive(patch)
        || patch.get("metadata").is_some_and(replaces)
        || patch.at(&["metadata", "annotations"]).is_some_and(replaces)
        || writes_bookkeeping(patch)
}
