//! The stages of a strategic merge patch for one resource: target, merge, write.

use std::borrow::Cow;

use crate::diagnostic::DiagnosticSubject;
use crate::manifest::PatchOptions;
use crate::resource::{QuickSet, ResMap, Resource, Slot, has_unfit_annotations};
use crate::transform::bookkeeping_annotations::{
    may_change_bookkeeping, replace_tree, with_bookkeeping, writes_bookkeeping,
};
use crate::transform::{DeletedKeys, MergeContext, MergeResult, RemovedValue, merge_resource};
use crate::yaml::{Mark, Node};

use super::identity::{API_VERSION_PATH, check_namespace, restore, without_comments};
use super::{Context, TransformError, metadata};

/// The effect of a patch on a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PatchOutcome {
    Same,
    Changed,
    Gone,
}

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

/// Patches a resource, or applies the cached outcome.
pub(super) fn patch_resource(
    patch: &PreparedPatch<'_>,
    slot: Slot,
    resources: &mut ResMap,
    cx: &mut Context<'_>,
) -> Result<PatchOutcome, TransformError> {
    let is_same = cx.apply_or_reuse(resources, slot, |resources, cx| {
        Ok(match patch_now(patch, slot, resources, cx)? {
            PatchOutcome::Same => Some(true),
            PatchOutcome::Changed => Some(false),
            PatchOutcome::Gone => None,
        })
    })?;
    Ok(is_same.map_or(PatchOutcome::Gone, |is_same| {
        if is_same { PatchOutcome::Same } else { PatchOutcome::Changed }
    }))
}

/// The stages for one resource: target, merge, write.
fn patch_now(
    patch: &PreparedPatch<'_>,
    slot: Slot,
    resources: &mut ResMap,
    cx: &mut Context<'_>,
) -> Result<PatchOutcome, TransformError> {
    let Some(resource) = resources.get(slot) else { return Ok(PatchOutcome::Same) };
    let target = MergeTarget::new(patch, resource);
    let Some(merged) = merge(patch, &target, resource, slot, cx)? else {
        return Ok(PatchOutcome::Gone);
    };
    let is_same = merged.tree.same_reading(&target.tree);
    let shows_bookkeeping = target.shows_bookkeeping;
    resources.update(slot, |resource| write(patch, merged, shows_bookkeeping, resource));
    Ok(if is_same { PatchOutcome::Same } else { PatchOutcome::Changed })
}

/// The tree that a patch is merged into.
struct MergeTarget<'r> {
    tree: Cow<'r, Node>,
    /// The annotations include Kustomize's bookkeeping, because the patch may change it.
    shows_bookkeeping: bool,
}

impl<'r> MergeTarget<'r> {
    fn new(patch: &PreparedPatch<'_>, resource: &'r Resource) -> Self {
        let is_reached =
            may_change_bookkeeping(&patch.prepared) || has_unfit_annotations(&resource.node);
        let is_kept = || resource.has_bookkeeping() || writes_bookkeeping(&patch.prepared);
        let shows_bookkeeping = is_reached && (patch.renames() || is_kept());
        let tree = if shows_bookkeeping {
            Cow::Owned(with_bookkeeping(resource, patch.renames()))
        } else {
            Cow::Borrowed(&resource.node)
        };
        Self { tree, shows_bookkeeping }
    }
}

/// The tree after a merge, with the elements that occur in it repeatedly.
struct MergedTree {
    tree: Node,
    /// The marks of elements that are in a list more than once.
    repeated: QuickSet<Mark>,
}

/// Merges a patch into the tree of a resource; `None` if the resource is deleted.
fn merge(
    patch: &PreparedPatch<'_>,
    target: &MergeTarget<'_>,
    resource: &Resource,
    slot: Slot,
    cx: &mut Context<'_>,
) -> Result<Option<MergedTree>, TransformError> {
    let PreparedPatch { written, prepared, options, is_copied } = patch;
    check_namespace(&resource.node, written, *is_copied)?;
    let repeated = resource.repeated_elements();
    let mut trail =
        MergeContext { repeated, claims: cx.unplaced.is_none(), ..MergeContext::default() };
    let schema = (cx.schema.ask(), cx.profile);
    let tree = &*target.tree;
    let earlier = cx.warnings.len();
    let merged = merge_resource(tree, prepared, written, schema, &mut cx.warnings, &mut trail)?;
    let (kind, name) = (&resource.id.gvk.kind, &resource.id.name);
    for warning in cx.warnings.iter_mut().skip(earlier) {
        warning.subject =
            Some(DiagnosticSubject { slot: Some(slot), kind: kind.clone(), name: name.clone() });
    }
    let MergeContext { repeated, removed, .. } = trail;
    note_removed(removed, slot, cx);
    let tree = match merged {
        MergeResult::Gone => return Ok(None),
        MergeResult::Same => tree.clone(),
        MergeResult::Changed(tree) => tree,
    };
    let mut tree = tree.without_hidden_entries().unwrap_or(tree);
    restore(&mut tree, &resource.node, written, *options);
    if *is_copied {
        without_comments(&mut tree, API_VERSION_PATH);
        record_equal_metadata(resource, prepared, cx);
    }
    let is_deleted = tree.is_null() || tree.is_empty_collection();
    Ok((!is_deleted).then_some(MergedTree { tree, repeated }))
}

/// Stores the merged tree in a resource.
fn write(
    patch: &PreparedPatch<'_>,
    merged: MergedTree,
    shows_bookkeeping: bool,
    resource: &mut Resource,
) {
    if resource.has_hidden_bookkeeping() {
        resource.clear_bookkeeping();
    }
    if metadata::writes_equal_annotation(&resource.node, &patch.prepared) {
        resource.mark_annotations_positioned();
    }
    if patch.renames() {
        resource.store_previous_id();
    }
    let before = resource.node.clone();
    if shows_bookkeeping {
        replace_tree(resource, merged.tree);
    } else {
        resource.node = merged.tree;
    }
    resource.unshare_replaced(&before);
    resource.share_elements(&merged.repeated);
    allow(resource, patch.options);
}

/// Adds the options of a patch to a resource: they are annotations in Kustomize and are merged like
/// others.
fn allow(resource: &mut Resource, options: PatchOptions) {
    if options.allow_kind_change || options.allow_name_change {
        resource.drop_unfit_annotations();
    }
    resource.allow_kind_change |= options.allow_kind_change;
    resource.allow_name_change |= options.allow_name_change;
}

/// Records the values that the patch removes, with the locations of the removals.
fn note_removed(removed: Vec<DeletedKeys>, slot: Slot, cx: &mut Context<'_>) {
    let removed = removed.into_iter();
    cx.removed.extend(removed.map(|(path, names, mark)| RemovedValue { slot, path, names, mark }));
}

/// Records the labels and annotations that the copy of a patch overwrites with equal values, since
/// they have no file position afterwards.
fn record_equal_metadata(resource: &Resource, patch: &Node, cx: &mut Context<'_>) {
    if let Some(unplaced) = &mut cx.unplaced {
        let equal = metadata::equal(&resource.node, patch);
        unplaced.extend(equal.into_iter().map(|node| resource.place_of(node)));
    }
}
