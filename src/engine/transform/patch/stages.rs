//! The stages of a strategic merge patch for one resource: target, merge, write.

use crate::diagnostic::DiagnosticSubject;
use crate::manifest::PatchOptions;
use crate::resource::{ResMap, Resource, Slot};
use crate::transform::{MergeResult, RemovedValue, merge_resource};
use crate::yaml::Node;

use super::identity::restore;
use super::{Context, TransformError};

/// A patch in the form in which it is merged into resources.
pub(super) struct PreparedPatch<'p> {
    pub(super) written: &'p Node,
    /// The patch with the step as its writer, without the fields that it must not change.
    pub(super) prepared: Node,
    pub(super) options: PatchOptions,
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
        let Some(merged) = merge(patch, resource, slot, cx)? else { return Ok(None) };
        let is_same = merged.same_reading(&resource.node);
        resources.update(slot, |resource| write(patch, merged, resource));
        Ok(Some(is_same))
    })
}

/// Merges a patch into the tree of a resource. `None` if the resource is deleted.
fn merge(
    patch: &PreparedPatch<'_>,
    resource: &Resource,
    slot: Slot,
    cx: &mut Context<'_>,
) -> Result<Option<Node>, TransformError> {
    let PreparedPatch { written, prepared, options } = patch;
    let target = &resource.node;
    let (schema, mut removed) = ((cx.schema.ask(), cx.profile), Vec::new());
    let earlier = cx.warnings.len();
    let merged = merge_resource(target, prepared, written, schema, &mut cx.warnings, &mut removed)?;
    let (kind, name) = (&resource.id.gvk.kind, &resource.id.name);
    for warning in cx.warnings.iter_mut().skip(earlier) {
        warning.subject =
            Some(DiagnosticSubject { slot: Some(slot), kind: kind.clone(), name: name.clone() });
    }
    let removed = removed.into_iter();
    cx.removed.extend(removed.map(|(path, names, mark)| RemovedValue { slot, path, names, mark }));
    let mut tree = match merged {
        MergeResult::Gone => return Ok(None),
        MergeResult::Same => target.clone(),
        MergeResult::Changed(tree) => tree,
    };
    restore(&mut tree, target, *options);
    let is_deleted = tree.is_null() || tree.is_empty_collection();
    Ok((!is_deleted).then_some(tree))
}

fn write(patch: &PreparedPatch<'_>, merged: Node, resource: &mut Resource) {
    if patch.renames() {
        resource.store_previous_id();
    }
    let before = std::mem::replace(&mut resource.node, merged);
    resource.unshare_replaced(&before);
    // Kustomize keeps its bookkeeping, the options included, in annotations, which are merged like
    // others.
    if replaces_annotations(&patch.prepared) {
        resource.clear_bookkeeping();
    }
    if patch.renames() {
        resource.drop_unfit_annotations();
    }
    resource.allow_kind_change |= patch.options.allow_kind_change;
    resource.allow_name_change |= patch.options.allow_name_change;
}

/// True for a patch that removes or replaces the annotations, or the metadata with them.
fn replaces_annotations(patch: &Node) -> bool {
    let is_replaced = |path: &[&str]| {
        patch.at(path).is_some_and(|node| {
            node.as_mapping().is_none()
                || matches!(node.text_of("$patch"), Some("delete" | "replace"))
        })
    };
    // A directive at the root has no effect on them.
    patch.get("$patch").is_none()
        && (is_replaced(&["metadata"]) || is_replaced(&["metadata", "annotations"]))
}
