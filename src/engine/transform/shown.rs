//! Kustomize's bookkeeping as the annotations that it is there, for patches and replacements that reach it.

use crate::resource::{
    Resource, believe_bookkeeping, expose_bookkeeping, hide_bookkeeping, is_bookkeeping,
    set_annotation, take_annotation,
};
use crate::transform::build_metadata::{
    ORIGIN, TRANSFORMATIONS, origin_text, transformations_text,
};
use crate::yaml::Node;

/// The tree, or the one that has Kustomize's bookkeeping in it.
pub(super) fn tree_of(resource: &Resource, is_exposed: bool) -> Node {
    if is_exposed { with_bookkeeping(resource, false) } else { resource.node.clone() }
}

/// The tree with the bookkeeping in its annotations: what takes them elsewhere takes those too, and there they stay.
/// `remembers`: the patch makes Kustomize remember the id first.
pub(super) fn with_bookkeeping(resource: &Resource, remembers: bool) -> Node {
    if resource.keeps_below_null() {
        return resource.node.clone();
    }
    let mut shown = resource.clone();
    if remembers {
        shown.store_previous_id();
    }
    let mut node = expose_bookkeeping(&shown);
    for (name, text) in traces(&shown) {
        set_annotation(&mut node, name, &text);
    }
    node
}

/// Takes the bookkeeping out of a tree.
pub(super) fn without_bookkeeping(node: &mut Node) {
    hide_bookkeeping(node);
    for name in [ORIGIN, TRANSFORMATIONS] {
        take_annotation(node, name);
    }
}

/// Gives a resource a tree with the bookkeeping in its annotations: what is not there any more is forgotten.
pub(super) fn take_back(resource: &mut Resource, node: Node) {
    let traces = traces(resource);
    let (origin, transformations) =
        (resource.origin.take(), std::mem::take(&mut resource.transformations));
    resource.forget_bookkeeping();
    (resource.allow_name_change, resource.allow_kind_change) = (false, false);
    resource.node = node;
    believe_bookkeeping(resource);
    hide_bookkeeping(&mut resource.node);
    for (name, text) in traces {
        if resource.annotation(name) != Some(&*text) {
            continue;
        }
        take_annotation(&mut resource.node, name);
        if name == ORIGIN {
            resource.origin.clone_from(&origin);
        } else {
            resource.transformations.clone_from(&transformations);
        }
    }
}

/// True for the name of an annotation that Kustomize keeps of its own.
pub(super) fn is_kept(key: &str) -> bool {
    is_bookkeeping(key) || matches!(key, ORIGIN | TRANSFORMATIONS)
}

/// What is noted of where a resource comes from.
fn traces(resource: &Resource) -> Vec<(&'static str, String)> {
    let origin = resource.origin.as_ref().map(|origin| (ORIGIN, origin_text(origin)));
    let transformations = (!resource.transformations.is_empty())
        .then(|| transformations_text(resource).ok())
        .flatten()
        .map(|text| (TRANSFORMATIONS, text));
    origin.into_iter().chain(transformations).collect()
}

/// True for a strategic merge patch that may change the bookkeeping: it takes annotations, or what holds them, away or
/// puts others in their place, or names those that Kustomize keeps.
pub(super) fn is_reached_by(patch: &Node) -> bool {
    let has_directive = |node: &Node| node.get("$patch").is_some();
    let Some(metadata) = patch.get("metadata") else { return has_directive(patch) };
    if has_directive(patch) || metadata.as_mapping().is_none() || has_directive(metadata) {
        return true;
    }
    metadata.get("annotations").is_some_and(|annotations| {
        annotations.as_mapping().is_none()
            || has_directive(annotations)
            || annotations.entries().iter().any(|entry| entry.key.text().is_some_and(is_kept))
    })
}
