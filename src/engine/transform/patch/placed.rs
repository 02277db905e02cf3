//! A strategic merge over the nodes that Kustomize has, for who asks where they stand.

use std::borrow::Cow;

use crate::manifest::PatchOptions;
use crate::profile::Profile;
use crate::resource::{
    NEEDS_HASH, Note, ResMap, Resource, Schema, Slot, Standing, made_annotation, made_map,
    read_below,
};
use crate::transform::json_values::sort_keys;
use crate::transform::noted::{noted_tree, without_notes};
use crate::transform::shown::{is_kept, is_reached_by, replaces_annotations, with_bookkeeping};
use crate::transform::{JsonPatch, Merged, Trail, merge_resource};
use crate::yaml::{Entry, Limits, Node, SourceId, Tag, go_string_style, parse_documents, print_v3};

use super::identity::{API_VERSION, KIND, NAME, NAMESPACE};
use super::{Document, metadata};

impl Document {
    /// The tree with the places that its nodes have in the text of the patch.
    fn as_read(&self) -> Node {
        self.by_go.clone().unwrap_or_else(|| read_below(&self.node, self.lines_before))
    }
}

/// Whether what a patch does to the places of nodes is known: `written` is the patch as it stands in its file, and `prepared` what is
/// merged.
fn is_followed(
    resource: &Resource,
    (written, prepared): (&Node, &Node),
    options: PatchOptions,
) -> bool {
    if !is_reached_by(written) && !is_reached_by(prepared) {
        return true;
    }
    // With the annotation a patch may ask for a hash; how earlier ones left the nodes is not known then.
    let was_followed = resource.hashes_places() || !resource.is_patched();
    let annotations = prepared.at(&["metadata", "annotations"]).map(Node::entries);
    let names_others = annotations
        .unwrap_or_default()
        .iter()
        .any(|entry| entry.key.text().is_some_and(|key| is_kept(key) && key != NEEDS_HASH));
    let renames = options.allow_name_change || options.allow_kind_change;
    was_followed && !renames && !names_others && !replaces_annotations(prepared)
}

/// Where the nodes of a resource stand after a patch; nothing where nobody knows. `is_copied`: Kustomize merges a copy of the
/// patch. `prepared`: what is merged of it; `reaches`: it may write to what Kustomize notes.
pub(super) fn merged(
    resource: &Resource,
    (document, prepared, options): (&Document, &Node, PatchOptions),
    (is_copied, reaches): (bool, bool),
    (schema, profile): (&Schema, Profile),
) -> Option<Standing> {
    if !is_followed(resource, (&document.node, prepared), options) {
        return None;
    }
    let renames = options.allow_name_change || options.allow_kind_change;
    let is_noted = reaches || renames;
    let mut resource = Cow::Borrowed(resource);
    if renames {
        resource.to_mut().store_previous_id();
    }
    let target = if is_noted { noted_tree(&resource)? } else { resource.placed()? };
    let mut patch = document.as_read();
    if renames {
        allow(resource.to_mut(), options);
        set_options(&mut patch, options);
    }
    let resource = &*resource;
    if is_copied {
        copy(&mut patch, resource);
    }
    let kind = document.node.get("kind").and_then(Node::text).unwrap_or_default();
    // A patch over elements that are one node writes to each of their places, in an order that is not followed.
    if !resource.repeated_elements().is_empty() {
        return None;
    }
    let mut trail = Trail { claims: true, places: true, ..Trail::default() };
    let warnings = &mut Vec::new();
    let merged = merge_resource(&target, &patch, kind, (schema, profile), warnings, &mut trail);
    let mut node = match merged.ok()? {
        Merged::Gone => return None,
        Merged::Same => target.clone(),
        Merged::Changed(node) => node,
    };
    if !options.allow_kind_change {
        set(&mut node, KIND, &resource.id.gvk.kind);
    }
    if !options.allow_name_change {
        set(&mut node, NAME, &resource.id.name);
    }
    set_namespace(&mut node, &resource.id.namespace);
    match (renames, is_noted) {
        (_, false) => Some(node.into()),
        // The options are noted by now.
        (true, _) => without_notes(resource, &noted_tree(resource)?, node),
        (false, _) => without_notes(resource, &target, node),
    }
}

/// The options of a patch are annotations of it, which are merged into those of the resource.
pub(super) fn allow(resource: &mut Resource, options: PatchOptions) {
    if options.allow_kind_change {
        resource.allow_kind_change = true;
        resource.note(Note::KindChange);
    }
    if options.allow_name_change {
        resource.allow_name_change = true;
        resource.note(Note::NameChange);
    }
}

/// Kustomize writes the options among the annotations of a patch, which it makes anew.
fn set_options(patch: &mut Node, options: PatchOptions) {
    let notes = [
        options.allow_name_change.then_some(Note::NameChange),
        options.allow_kind_change.then_some(Note::KindChange),
    ];
    let keys = notes.into_iter().flatten().flat_map(Note::annotations);
    let options = keys.map(|key| made_annotation(&key, "enabled", None));
    let own = patch.at(&["metadata", "annotations"]).map(Node::entries).unwrap_or_default();
    let all: Vec<Entry> = own.iter().cloned().chain(options).collect();
    if patch.get("metadata").is_none_or(Node::is_null)
        && let Some(mapping) = patch.as_mapping_mut()
    {
        mapping.set("metadata", Node::mapping());
    }
    if let Some(metadata) = patch.get_mut("metadata").and_then(Node::as_mapping_mut) {
        metadata.remove("annotations");
        metadata.set("annotations", made_map(&all));
    }
}

/// What stands where in a resource after a JSON6902 patch, which Kustomize prints and reads again; nothing where nobody knows.
/// `now`: what came of it. `remembers`: its id counts as an earlier one from now on.
pub(super) fn read_again(
    resource: &Resource,
    patch: &JsonPatch,
    remembers: bool,
    now: &Node,
) -> Option<Node> {
    if resource.places_are_lost() {
        return None;
    }
    let mut node = with_bookkeeping(resource, remembers);
    patch.apply(&mut node).ok()?;
    sort_keys(&mut node);
    settle_keys(&mut node);
    let text = print_v3(&node);
    let file = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default()).ok()?;
    let document = file.documents.into_iter().next()?;
    let mut node = read_below(&document.by_go.unwrap_or(document.node), 0);
    let annotations = now.at(&["metadata", "annotations"]).map(Node::entries).unwrap_or_default();
    let is_noted = !annotations.is_empty() || resource.has_bookkeeping();
    let annotations = is_noted.then(|| made_map(annotations));
    if let Some(metadata) = node.get_mut("metadata").and_then(Node::as_mapping_mut) {
        metadata.remove("annotations");
        if let Some(annotations) = annotations {
            metadata.entries.push(Entry { key: Node::plain("annotations"), value: annotations });
        }
    }
    Some(node)
}

/// Gives keys the quotes that go-yaml puts around them, whatever they had in a patch.
fn settle_keys(node: &mut Node) {
    node.items_mut().into_iter().flatten().for_each(settle_keys);
    for entry in node.as_mapping_mut().into_iter().flat_map(|mapping| &mut mapping.entries) {
        if let Some(key) = entry.key.as_scalar_mut() {
            key.style = go_string_style(&key.text);
        }
        settle_keys(&mut entry.value);
    }
}

/// Puts what a resource stands as in it.
pub(super) fn put(places: Option<Node>, slot: Slot, resources: &mut ResMap) {
    resources.update(slot, |resource| match places {
        Some(places) => resource.stands_as(places),
        None => resource.lose_places(),
    });
}

/// The copy of a patch: its labels and annotations are made anew, name and namespace written again, and the apiVersion is
/// that of the resource.
fn copy(patch: &mut Node, resource: &Resource) {
    for key in metadata::BOTH {
        let old = patch.at(&["metadata", key]).map(Node::entries).unwrap_or_default().to_vec();
        let Some(metadata) = patch.get_mut("metadata").and_then(Node::as_mapping_mut) else {
            continue;
        };
        metadata.remove(key);
        if !old.is_empty() {
            metadata.set(key, made_map(&old));
        }
    }
    let text = |path: &[&str], patch: &Node| {
        patch.at(path).and_then(Node::text).unwrap_or_default().to_owned()
    };
    let (name, namespace, kind) = (text(NAME, patch), text(NAMESPACE, patch), text(KIND, patch));
    set(patch, NAME, &name);
    set_namespace(patch, &namespace);
    set(patch, API_VERSION, &resource.id.gvk.api_version());
    set(patch, KIND, &kind);
}

/// Writes a text without a tag, in the style of what is there.
fn set(node: &mut Node, path: &[&str], text: &str) {
    let Some((key, parents)) = path.split_last() else { return };
    let mut parent = node;
    for part in parents {
        let Some(mapping) = parent.as_mapping_mut() else { return };
        if mapping.get(part).is_none() {
            mapping.set(part, Node::mapping());
        }
        let Some(next) = mapping.get_mut(part) else { return };
        parent = next;
    }
    let Some(mapping) = parent.as_mapping_mut() else { return };
    let style = mapping.get(key).and_then(Node::as_scalar).map(|old| old.style);
    mapping.set(key, Node::scalar(text, Tag::None, style.unwrap_or_default()));
}

fn set_namespace(node: &mut Node, text: &str) {
    if text.is_empty() {
        if let Some(metadata) = node.get_mut("metadata").and_then(Node::as_mapping_mut) {
            metadata.remove("namespace");
        }
    } else {
        set(node, NAMESPACE, text);
    }
}
