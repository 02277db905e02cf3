//! Strategic merge patches on resources: target, merge, write.

use crate::diagnostic::{
    Diagnostic, DiagnosticSubject, IdDifference, PatchFault, PatchMissed, PlacedObject,
    SilentRemark,
};
use crate::manifest::PatchOptions;
use crate::profile::Switch;
use crate::resource::{ResId, ResMap, Resource, Slot, nearest_name};
use crate::transform::{MergeResult, RemovedValue, merge_resource};
use crate::yaml::{Mark, Node};

use super::prepare::{KIND_PATH, NAME_PATH, prepare, restore};
use super::unchanged_field::{first_unchanged_field, no_change_note};
use super::{
    Body, Context, PatchField, PatchSelector, PatchTransformer, TransformError, TransformResult,
};

impl PatchTransformer {
    /// Applies each document to the one resource that has the document's id now or had it earlier.
    pub(super) fn patch_by_id(
        &self,
        documents: &[Node],
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> TransformResult {
        let mut is_one_gone = false;
        for document in documents {
            if is_one_gone && cx.profile.has(Switch::DeletesFail) {
                // Kustomize panics.
                let hint = "Kustomize crashes here up to v5.6.0: write one entry for each document";
                let error = TransformError::fault(PatchFault::DeletedBefore, self.mark);
                return Err(error.with_hint(hint));
            }
            let patch = Resource::new(document.clone(), resources.scopes());
            let found = resources.find_any(&patch.id);
            let [_] = found[..] else {
                return Err(self.wrong_match_count(&patch, &found, resources));
            };
            cx.matched += 1;
            // Report each of several documents separately, since the others may have an effect.
            let is_own = documents.len() > 1 && document.mark.line > 0;
            let mark = if is_own { document.mark } else { self.mark };
            let is_copied = self.field == PatchField::StrategicMerge;
            let gone = self.patch_resources(document, &found, (is_copied, mark), resources, cx)?;
            is_one_gone = !gone.is_empty() && self.field == PatchField::Patches;
        }
        Ok(())
    }

    /// Merges a document into resources, and removes those that it deletes, which are returned.
    /// Adds a diagnostic with this mark if no resource changes. `is_copied` is true if Kustomize
    /// works with a copy of the patch, and adds all resources to a new map.
    pub(super) fn patch_resources(
        &self,
        document: &Node,
        slots: &[Slot],
        (is_copied, mark): (bool, Mark),
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> Result<Vec<Slot>, TransformError> {
        cx.next_part();
        let options = self.options;
        let prepared = prepare(document, options, is_copied, cx);
        let ready = PreparedPatch { written: document, prepared, options };
        let (mut gone, mut all_same) = (Vec::new(), true);
        let first = slots.first().and_then(|slot| resources.get(*slot)).cloned();
        for slot in slots {
            let is_same = patch_resource(&ready, *slot, resources, cx)?;
            all_same &= is_same == Some(true);
            gone.extend(is_same.is_none().then_some(*slot));
        }
        if let Some(resource) = first.filter(|_| all_same) {
            let (patch, target) = (&ready.prepared, Some(&resource.node));
            let found = first_unchanged_field(patch, target, &mut Vec::new());
            cx.warnings.push(no_change_note(found, &resource, mark, cx.sources));
        }
        if let Body::Strategic(_, Some(target)) = &self.body {
            self.warn_about_names(document, (target, slots), gone.len(), resources, cx);
        }
        resources.remove_all(&gone);
        if is_copied {
            resources.check_unique_ids()?;
        }
        Ok(gone)
    }

    /// Warns about a patch with a target: if the name in the patch has no effect, or if the target
    /// is empty and the patch deletes several resources.
    fn warn_about_names(
        &self,
        patch: &Node,
        (target, slots): (&PatchSelector, &[Slot]),
        gone: usize,
        resources: &ResMap,
        cx: &mut Context<'_>,
    ) {
        let said = patch.text_at(NAME_PATH).unwrap_or_default();
        if target.selector.is_empty() && gone > 1 && !said.is_empty() {
            cx.warnings.push(Diagnostic::new(SilentRemark::DeletesMore(gone), self.mark));
        }
        let selected = || slots.iter().filter_map(|slot| resources.get(*slot));
        let counts = said.is_empty()
            || self.options.allow_name_change
            || selected().any(|resource| resource.all_ids().any(|id| *id.name == *said));
        let Some(first) = selected().next().filter(|_| !counts) else { return };
        // Many patches contain a placeholder as name; only the name of a resource, or a similar
        // one, is likely to be intended.
        let kind = patch.text_at(KIND_PATH).unwrap_or_default();
        let of_kind = |slot: &Slot| resources.get(*slot).is_some_and(|it| *it.id.gvk.kind == *kind);
        let is_there = resources.find_any_name(said).iter().any(of_kind);
        let is_renaming =
            slots.len() == 1 && first.id.name.len() > 2 && said.contains(&*first.id.name);
        if !is_there
            && !is_renaming
            && nearest_name(said, selected().map(|it| &*it.id.name)).is_none()
        {
            return;
        }
        let (says, goes_to) = (said.to_owned(), first.id.name.to_string());
        let more = slots.len().saturating_sub(1);
        let remark = SilentRemark::NameBesideTarget { name: says, goes_to, more };
        let hint = is_renaming.then(|| {
            "to rename it, add `options: {allowNameChange: true}` to the entry; else correct the name or remove it".into()
        });
        cx.warnings.push(Diagnostic { hint, ..Diagnostic::new(remark, self.mark) });
    }

    fn wrong_match_count(
        &self,
        patch: &Resource,
        found: &[Slot],
        resources: &ResMap,
    ) -> TransformError {
        let id = patch.id.to_string();
        let (fault, hint) = if found.is_empty() {
            let of_patches = self.field == PatchField::Patches;
            (PatchFault::NoTarget { id, of_patches }, no_match(patch, resources))
        } else {
            let found = found.iter().filter_map(|slot| resources.get(*slot));
            let found = found.map(|it| PlacedObject::from(&it.id)).collect();
            (PatchFault::SeveralTargets(id), PatchMissed::Several(found))
        };
        TransformError::fault(fault, patch.node.mark).with_hint(hint)
    }
}

/// The reason why no resource has the id of a patch: all parts in which the most similar resource
/// differs.
fn no_match(patch: &Resource, resources: &ResMap) -> PatchMissed {
    let id = &patch.id;
    let of_kind: Vec<&ResId> = resources
        .iter()
        .map(|(_, resource)| &resource.id)
        .filter(|other| other.gvk.kind == id.gvk.kind)
        .collect();
    let namesakes = resources.find_any_name(&id.name);
    let namesakes = namesakes.into_iter().filter_map(|slot| Some(&resources.get(slot)?.id));
    let namesakes = namesakes.filter(|other| other.gvk.kind == id.gvk.kind);
    if let Some(other) = namesakes.min_by_key(|other| id_differences(id, other).len()) {
        let other_parts = id_differences(id, other);
        let (kind, name) = (other.gvk.kind.to_string(), id.name.to_string());
        return PatchMissed::SameKindAndName { kind, name, other: other_parts };
    }
    if of_kind.is_empty() {
        // Kinds of one group often replace each other, as a StatefulSet does a Deployment.
        let mut others = resources.iter().map(|(_, resource)| &resource.id);
        let is_other = |other: &&ResId| {
            !id.gvk.group.is_empty() && other.gvk.group == id.gvk.group && other.name == id.name
        };
        let other = others.find(is_other).map(PlacedObject::from);
        return PatchMissed::NoneOfKind { kind: id.gvk.kind.to_string(), other };
    }
    if let Some(name) = nearest_name(&id.name, of_kind.iter().map(|other| &*other.name)) {
        let called = of_kind.iter().filter(|other| *other.name == *name);
        let parts = called.map(|other| id_differences(id, other)).min_by_key(Vec::len);
        let (name, other) = (name.to_owned(), parts.unwrap_or_default());
        return PatchMissed::SimilarName { name, other };
    }
    let is_in = |other: &&&ResId| other.name.len() > 2 && id.name.contains(&*other.name);
    if let Some(other) = of_kind.iter().find(is_in) {
        return PatchMissed::CurrentName(other.name.to_string());
    }
    let shown = of_kind.iter().take(5).map(|other| other.name.to_string());
    PatchMissed::OfKind(id.gvk.kind.to_string(), shown.collect())
}

fn id_differences(patch: &ResId, other: &ResId) -> Vec<IdDifference> {
    let mut parts = Vec::new();
    if other.gvk != patch.gvk {
        let (is, says) = (other.gvk.api_version(), patch.gvk.api_version());
        parts.push(IdDifference::ApiVersion { resource: is.clone(), patch: says.clone() });
    }
    if other.effective_namespace() != patch.effective_namespace() {
        let (is, says) = (other.namespace.to_string(), patch.namespace.to_string());
        parts.push(IdDifference::Namespace { resource: is, patch: says });
    }
    parts
}

struct PreparedPatch<'p> {
    written: &'p Node,
    /// The patch with the step as its writer, without the fields that it must not change.
    prepared: Node,
    options: PatchOptions,
}

impl PreparedPatch<'_> {
    fn renames(&self) -> bool {
        self.options.allow_name_change || self.options.allow_kind_change
    }
}

/// Patches a resource, or applies the cached outcome. Returns whether the resource is the same as
/// before; `None` if the patch deletes it.
fn patch_resource(
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
