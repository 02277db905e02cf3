//! The stages of a strategic merge patch for one resource: target, merge, write.

use std::borrow::Cow;

use crate::diagnostic::DiagnosticSubject;
use crate::manifest::PatchOptions;
use crate::resource::{QuickSet, ResMap, Resource, Slot, has_unfit_annotations};
use crate::transform::bookkeeping_annotations::{
    may_change_bookkeeping, replace_tree, with_bookkeeping, writes_bookkeeping,
};
use crate::transform::{MergeContext, MergeResult, RemovedValue, merge_resource};
use crate::yaml::{Mark, Node};

use super::identity::{API_VERSION_PATH, check_namespace, restore, without_comments};
use super::{Context, TransformError};

/// A patch in the form in which it is merged into resources.
pub(super) struct PreparedPatch<'p> {
    pub(super) written: &'p Node,
    /// The patch with the step as its writer, without the fields that it must not change.
    pub(super) prepared: Node,
    pub(super) options: PatchOptions,
    /// True if Kustomize copies the patch for each resource and sets the resource's apiVersion in
    /// the copy.
    pub(super) is_copied: bool,
}

impl PreparedPatch<'_> {
    fn renames(&self) -> bool {
        self.options.allow_name_change || self.options.allow_kind_change
    }
}

/// Patches a resource, or applies the cached outcome. Returns whether the resource is the same as
/// before; `None` if the patch deletes it.
pub(super) fn patch_resource(
    patch: &PreparedPatch<'_>,
    slot: Slot,
    resources: &mut ResMap,
    cx: &mut Context<'_>,
) -> Result<Option<bool>, TransformError> {
    cx.apply_or_reuse(resources, slot, |resources, cx| {
        let Some(resource) = resources.get(slot) else { return Ok(Some(true)) };
        let target = merge_target(patch, resource);
        let Some((merged, repeated)) = merge(patch, &target, resource, slot, cx)? else {
            return Ok(None);
        };
        let is_same = merged.same_reading(&target);
        let shows_bookkeeping = matches!(target, Cow::Owned(_));
        resources.update(slot, |resource| {
            write(patch, merged, &repeated, shows_bookkeeping, resource);
        });
        Ok(Some(is_same))
    })
}

/// The tree that a patch is merged into: with Kustomize's bookkeeping in the annotations if the
/// patch may change it.
fn merge_target<'r>(patch: &PreparedPatch<'_>, resource: &'r Resource) -> Cow<'r, Node> {
    let is_reached =
        may_change_bookkeeping(&patch.prepared) || has_unfit_annotations(&resource.node);
    let is_kept = || resource.has_bookkeeping() || writes_bookkeeping(&patch.prepared);
    if is_reached && (patch.renames() || is_kept()) {
        Cow::Owned(with_bookkeeping(resource, patch.renames()))
    } else {
        Cow::Borrowed(&resource.node)
    }
}

/// Merges a patch into the tree of a resource. Also returns the marks of elements that are in a
/// list more than once. `None` if the resource is deleted.
fn merge(
    patch: &PreparedPatch<'_>,
    target: &Node,
    resource: &Resource,
    slot: Slot,
    cx: &mut Context<'_>,
) -> Result<Option<(Node, QuickSet<Mark>)>, TransformError> {
    let PreparedPatch { written, prepared, options, is_copied } = patch;
    check_namespace(&resource.node, written, *is_copied)?;
    let repeated = resource.repeated_elements();
    let mut trail = MergeContext { repeated, ..MergeContext::default() };
    let schema = (cx.schema.ask(), cx.profile);
    let earlier = cx.warnings.len();
    let merged = merge_resource(target, prepared, written, schema, &mut cx.warnings, &mut trail)?;
    let (kind, name) = (&resource.id.gvk.kind, &resource.id.name);
    for warning in cx.warnings.iter_mut().skip(earlier) {
        warning.subject =
            Some(DiagnosticSubject { slot: Some(slot), kind: kind.clone(), name: name.clone() });
    }
    let MergeContext { repeated, removed, .. } = trail;
    let removed = removed.into_iter();
    cx.removed.extend(removed.map(|(path, names, mark)| RemovedValue { slot, path, names, mark }));
    let mut tree = match merged {
        MergeResult::Gone => return Ok(None),
        MergeResult::Same => target.clone(),
        MergeResult::Changed(tree) => tree,
    };
    if let Some(bare) = tree.without_hidden_entries() {
        tree = bare;
    }
    restore(&mut tree, &resource.node, written, *options);
    if *is_copied {
        without_comments(&mut tree, API_VERSION_PATH);
    }
    let is_deleted = tree.is_null() || tree.is_empty_collection();
    Ok((!is_deleted).then_some((tree, repeated)))
}

fn write(
    patch: &PreparedPatch<'_>,
    merged: Node,
    repeated: &QuickSet<Mark>,
    shows_bookkeeping: bool,
    resource: &mut Resource,
) {
    if resource.has_hidden_bookkeeping() {
        resource.clear_bookkeeping();
    }
    if patch.renames() {
        resource.store_previous_id();
    }
    let before = resource.node.clone();
    if shows_bookkeeping {
        replace_tree(resource, merged);
    } else {
        resource.node = merged;
    }
    resource.unshare_replaced(&before);
    resource.share_elements(repeated);
    // Kustomize: the options are annotations, which are merged like others.
    if patch.renames() {
        resource.drop_unfit_annotations();
    }
    resource.allow_kind_change |= patch.options.allow_kind_change;
    resource.allow_name_change |= patch.options.allow_name_change;
}
