//! JSON6902 patches on resources.

use std::sync::Arc;

use crate::diagnostic::{AlreadySet, Code, Diagnostic, Hint, Object, PatchRemark, SilentRemark};
use crate::resource::{
    QuickMap, ResMap, Resource, Slot, has_unfit_annotations, list_in_metadata, rewrite_annotations,
    take_annotation,
};
use crate::transform::json_patch::node_at_pointer;
use crate::transform::json_values::sort_keys;
use crate::transform::unwritten::pointer_parts;
use crate::transform::{JsonPatch, RemovedValue, ReplacedCollection};
use crate::yaml::{Mapping, Mark, Node, NodeKind, Value};

use super::unchanged_field::{already_set, no_change_note};
use super::{Context, PatchField, PatchTransformer, TransformError, TransformResult};

/// The first of the annotations with which Kustomize records earlier ids.
const PREVIOUS_KINDS: &str = "internal.config.kubernetes.io/previousKinds";

impl PatchTransformer {
    pub(super) fn apply_json_patch(
        &self,
        patch: &JsonPatch,
        slots: &[Slot],
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> TransformResult {
        let patch = patch.with_writer(cx.mark, cx.profile);
        let remembers = self.field == PatchField::Patches;
        let mut all_same = true;
        let first = slots.first().and_then(|slot| resources.get(*slot)).cloned();
        for (path, read, mark) in patch.paths_without_slash() {
            let complete = format!("/{path}");
            let node = first.as_ref().map(|resource| &resource.node);
            // The ignored part may be a mistake too: then the path that is read has a place.
            let has_place = |pointer: &str| {
                let above = pointer.rsplit_once('/').map(|(above, _)| above);
                above.zip(node).is_some_and(|(above, node)| node_at_pointer(node, above).is_some())
            };
            let right = if has_place(&read) && !has_place(&complete) { &read } else { &complete };
            let hint = Hint::Change(format!("write {right}"));
            let remark = PatchRemark::PathWithoutSlash { path: path.to_owned(), read };
            cx.warnings.push(Diagnostic::new(remark, mark).hint(hint));
        }
        for slot in slots {
            let Some(resource) = resources.get(*slot) else { continue };
            if !cx.warnings.iter().any(|warning| warning.code() == Code::KZ214) {
                cx.warnings.extend(moved_index_warning(&patch, resource, self.mark));
            }
            if !cx.warnings.iter().any(|warning| warning.code() == Code::KZ209) {
                cx.warnings.extend(replaced_collection_warnings(&patch, *slot, resource));
            }
            let is_same = cx.apply_or_reuse(resources, *slot, |resources, cx| {
                apply_to_resource(&patch, remembers, *slot, resources, cx).map(Some)
            })?;
            all_same &= is_same != Some(false);
        }
        if let Some(resource) = first.filter(|_| all_same) {
            let found = match patch.leaves(&resource.node) {
                None => (AlreadySet::OnlyTests, Mark::default()),
                Some((path, Some(node))) => already_set(path.to_owned(), node),
                Some((path, None)) => (AlreadySet::Gone(path.to_owned()), Mark::default()),
            };
            cx.warnings.push(no_change_note(Some(found), &resource, self.mark, cx.sources));
        }
        Ok(())
    }
}

/// A diagnostic for each mapping or list of a resource from which `add` removes keys or elements.
fn replaced_collection_warnings<'p>(
    patch: &'p JsonPatch,
    slot: Slot,
    resource: &'p Resource,
) -> impl Iterator<Item = Diagnostic> {
    patch.collections_replaced_by_add(&resource.node).map(move |replaced| {
        let ReplacedCollection { path, lost, is_list, mark } = replaced;
        let id = &resource.id;
        let field = path.trim_start_matches('/').replace('/', ".");
        let (object, path_of_it) = (Object::from(id), field.clone());
        let (hint, remark) = if is_list {
            let hint = format!("add each element with its own operation and the path {path}/-, if every selected resource has the list, or use a strategic merge patch");
            (hint, PatchRemark::ReplacedNames { path: path_of_it, object, lost })
        } else {
            let hint = format!(
                "add each key with its own path, such as {path}/KEY (a slash in a key is ~1), if every selected resource has the mapping, or use a strategic merge patch"
            );
            (hint, PatchRemark::ReplacedMapping { path: path_of_it, object, lost })
        };
        Diagnostic::new(remark, mark)
            .hint(Hint::Change(hint))
            .with_subject(Some(slot), &id.gvk.kind, &id.name)
            .field(field)
    })
}

/// Applies the operations to one resource; returns whether it is unchanged. If `remembers` is true,
/// its id is added to the earlier ids.
fn apply_to_resource(
    patch: &JsonPatch,
    remembers: bool,
    slot: Slot,
    resources: &mut ResMap,
    cx: &mut Context<'_>,
) -> Result<bool, TransformError> {
    if remembers && resources.get(slot).is_some_and(|it| has_unfit_annotations(&it.node)) {
        resources.update(slot, Resource::drop_unfit_annotations);
    }
    let Some(resource) = resources.get(slot) else { return Ok(true) };
    let mut node = resource.node.clone();
    let made = (remembers || resource.has_bookkeeping()) && create_internal_annotations(&mut node);
    let before = JsonPatch::plain(&node);
    patch.apply(&mut node)?;
    if let Some(list) = list_in_metadata(&node) {
        return Err(TransformError::wrong_kind(NodeKind::Mapping, list));
    }
    cx.removed.extend(patch.removals().map(|(pointer, mark)| {
        let path = pointer_parts(pointer).into_iter().map(Into::into).collect();
        RemovedValue { slot, path, names: Vec::new(), mark }
    }));
    let is_same = before.same_content(&node);
    // Sort the keys as in the intermediate JSON text. An unchanged resource keeps its order.
    if !is_same {
        sort_keys(&mut node);
    }
    if made {
        take_annotation(&mut node, PREVIOUS_KINDS);
    }
    // Kustomize writes its bookkeeping back to the annotations, which rewrites all of them.
    rewrite_annotations(&mut node, |_| false, Vec::new());
    resources.update(slot, |resource| {
        if remembers {
            resource.store_previous_id();
        }
        resource.node = node;
        resource.shared.clear();
        // Kustomize: origin and transformations are annotations that are not restored.
        if patch.rewrites_annotations() {
            resource.origin = None;
            resource.transformations.clear();
        }
        resource.drop_unfit_annotations();
    });
    Ok(is_same)
}

/// Creates the annotations that Kustomize's bookkeeping would have created, with one internal
/// annotation in them, so that paths below them exist.
fn create_internal_annotations(node: &mut Node) -> bool {
    let is_unfit = has_unfit_annotations(node);
    let Some(metadata) = node.get_mut("metadata").and_then(Node::as_mapping_mut) else {
        return false;
    };
    if is_unfit {
        metadata.remove("annotations");
    }
    if metadata.contains("annotations") {
        return false;
    }
    let mut annotations = Mapping::default();
    annotations.set(PREVIOUS_KINDS, Node::string(""));
    metadata.set("annotations", Value::Mapping(Arc::new(annotations)).into());
    true
}

/// The diagnostic for the first index in a patch that points to an element inserted by a later
/// step, because the original element has moved.
fn moved_index_warning(patch: &JsonPatch, resource: &Resource, mark: Mark) -> Option<Diagnostic> {
    // The original elements of each list, keyed by its address: a patch may need the same list many
    // times.
    let mut lists: QuickMap<usize, Vec<usize>> = QuickMap::default();
    patch.expected_pointers().find_map(|path| {
        let mut node = &resource.node;
        let mut seen = String::new();
        let mut keys = pointer_parts(path).into_iter().peekable();
        while let Some(key) = keys.next() {
            seen = format!("{seen}/{key}");
            node = match (node.items(), key.parse::<usize>()) {
                (Some(items), Ok(index)) => {
                    let now = items.get(index)?;
                    let list = std::ptr::from_ref(node).addr();
                    let in_file = lists.entry(list).or_insert_with(|| original_indices(items));
                    let was = items.get(*in_file.get(index)?)?;
                    if name(was) != name(now) && now.mark.writer != was.mark.writer {
                        let (now, was) = (name(now)?.to_owned(), name(was)?.to_owned());
                        let (id, pointer) = (&resource.id, seen.clone());
                        let moved =
                            Diagnostic::new(SilentRemark::MovedIndex { pointer, now, was }, mark);
                        return Some(moved.with_subject(None, &id.gvk.kind, &id.name).field(seen));
                    }
                    now
                }
                // It makes no difference whether the last key exists.
                _ if keys.peek().is_none() => return None,
                _ => node.get(&key)?,
            };
        }
        None
    })
}

/// The current indices of those elements that were in the list from the beginning.
fn original_indices(items: &[Node]) -> Vec<usize> {
    let first = items.iter().map(|item| item.mark.writer).min_by_key(|writer| writer.0);
    let stood = items.iter().enumerate().filter(|(_, item)| Some(item.mark.writer) == first);
    stood.map(|(index, _)| index).collect()
}

fn name(node: &Node) -> Option<&str> {
    node.text_of("name")
}
