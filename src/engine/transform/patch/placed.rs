//! A strategic merge over the nodes that Kustomize has, for who asks where they stand.

use std::sync::Arc;

use crate::manifest::PatchOptions;
use crate::profile::Profile;
use crate::resource::{ResMap, Resource, Schema, Slot, read_below};
use crate::transform::json_values::sort_keys;
use crate::transform::shown::with_bookkeeping;
use crate::transform::{JsonPatch, Merged, Trail, merge_resource};
use crate::yaml::{
    Entry, Limits, Mapping, Node, SourceId, Tag, Value, go_string_style, made_string_style,
    parse_documents, print_v3,
};

use super::identity::{API_VERSION, KIND, NAME, NAMESPACE};
use super::{Document, metadata};

impl Document {
    /// The tree with the places that its nodes have in the text of the patch.
    fn as_read(&self) -> Node {
        self.by_go.clone().unwrap_or_else(|| read_below(&self.node, self.lines_before))
    }
}

/// Where the nodes of a resource stand after a patch; nothing where nobody knows. `is_copied`: Kustomize merges a copy of the
/// patch.
pub(super) fn merged(
    resource: &Resource,
    (document, options): (&Document, PatchOptions),
    is_copied: bool,
    (schema, profile): (&Schema, Profile),
) -> Option<Node> {
    let target = resource.placed()?;
    let mut patch = document.as_read();
    if is_copied {
        copy(&mut patch, resource);
    }
    let kind = document.node.get("kind").and_then(Node::text).unwrap_or_default();
    let mut trail = Trail { claims: true, places: true, ..Trail::default() };
    let warnings = &mut Vec::new();
    let merged = merge_resource(&target, &patch, kind, (schema, profile), warnings, &mut trail);
    let mut node = match merged.ok()? {
        Merged::Gone => return None,
        Merged::Same => target,
        Merged::Changed(node) => node,
    };
    if !trail.repeated.is_empty() || !resource.repeated_elements().is_empty() {
        return None;
    }
    if !options.allow_kind_change {
        set(&mut node, KIND, &resource.id.gvk.kind);
    }
    if !options.allow_name_change {
        set(&mut node, NAME, &resource.id.name);
    }
    set_namespace(&mut node, &resource.id.namespace);
    Some(node)
}

/// What stands where in a resource after a JSON6902 patch, which Kustomize prints and reads again; nothing where nobody knows.
/// `now`: what came of it. `remembers`: its id counts as an earlier one from now on.
pub(super) fn read_again(
    resource: &Resource,
    patch: &JsonPatch,
    remembers: bool,
    now: &Node,
) -> Option<Node> {
    if patch.reads_annotations() || resource.places_are_lost() {
        return None;
    }
    let mut node = with_bookkeeping(resource, remembers);
    patch.apply(&mut node).ok()?;
    if has_odd_keys(&node) {
        return None;
    }
    sort_keys(&mut node);
    settle_keys(&mut node);
    let text = print_v3(&node);
    let file = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default()).ok()?;
    let document = file.documents.into_iter().next()?;
    let mut node = read_below(&document.by_go.unwrap_or(document.node), 0);
    let annotations = now.at(&["metadata", "annotations"]).map(Node::entries).unwrap_or_default();
    let annotations = (!annotations.is_empty()).then(|| made_map(annotations));
    if let Some(metadata) = node.get_mut("metadata").and_then(Node::as_mapping_mut) {
        metadata.remove("annotations");
        if let Some(annotations) = annotations {
            metadata.entries.push(Entry { key: Node::plain("annotations"), value: annotations });
        }
    }
    Some(node)
}

/// Whether a key begins with one of Unicode's separators of lines and paragraphs: how Kustomize prints it is not followed.
fn has_odd_keys(node: &Node) -> bool {
    let is_odd = |entry: &Entry| {
        let key = entry.key.text().unwrap_or_default();
        key.starts_with(['\u{2028}', '\u{2029}']) || has_odd_keys(&entry.value)
    };
    node.items().unwrap_or_default().iter().any(has_odd_keys) || node.entries().iter().any(is_odd)
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

/// Texts by name, as Kustomize makes them.
pub fn made_map(entries: &[Entry]) -> Node {
    let made = |entry: &Entry| {
        let text = entry.value.text().unwrap_or_default();
        let value = Node::scalar(text, Tag::Str, made_string_style(text));
        Entry { key: Node::plain(entry.key.text().unwrap_or_default()), value }
    };
    let mut entries: Vec<Entry> = entries.iter().map(made).collect();
    entries.sort_by(|one, other| one.key.text().cmp(&other.key.text()));
    Value::Mapping(Arc::new(Mapping { entries, ..Mapping::default() })).into()
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
