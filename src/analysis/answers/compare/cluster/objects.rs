//! The objects of a cluster, in the form in which they are compared with a build.

use std::sync::Arc;

use crate::answers::compare::field_path::identifying_key;
use crate::answers::compare::{ChangeKind, differences};
use crate::answers::recording::field::value_or_key_mark;
use crate::engine::resource::{PathStep, Resource, Scopes, at_mut, read_resources};
use crate::engine::yaml::{Limits, Mark, Node, SourceId, Style, Tag, parse_documents, parse_nodes};

use super::ownership::Ownership;

const SERVER_METADATA: [&str; 6] =
    ["managedFields", "resourceVersion", "generation", "uid", "creationTimestamp", "selfLink"];
/// The annotation in which `kubectl apply` keeps the objects that it applied.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The objects in an answer of kubectl: one object or a list.
///
/// # Errors
/// The answer is not JSON, or has an object without a kind or a name.
pub(super) fn read_objects(answer: &[u8]) -> Result<Vec<Resource>, String> {
    let unreadable = |why: String| format!("the answer of kubectl is not readable: {why}");
    let parsed = parse_documents(answer, SourceId::NONE, Limits::default())
        .map_err(|error| unreadable(error.to_string()))?;
    read_resources(&parsed, &Scopes::default())
        .map_err(|error| unreadable(format!("{}: line {}", error.oddity, error.mark.line)))
}

/// True if an object of the cluster is the object of the build: the cluster adds the namespace of
/// the context to an object without one.
pub(super) fn is_object(found: &Resource, built: &Resource) -> bool {
    found.id.gvk == built.id.gvk
        && found.id.name == built.id.name
        && (found.id.namespace == built.id.namespace || built.id.namespace.is_empty())
}

/// An object of the cluster for the comparison: without the fields that the server writes, and with
/// the locations of the build's values.
pub(super) fn comparable(found: &Resource, built: &Resource) -> Arc<Resource> {
    let mut node = found.node.clone();
    remove_server_fields(&mut node);
    let secret = (&*built.id.gvk.kind == "Secret").then(|| built.node.get("stringData")).flatten();
    copy_marks(&mut node, Some(&built.node));
    if let (Some(data), Some(texts)) = (node.get_mut("data"), secret) {
        // The server moves `stringData` to `data`.
        copy_entry_marks(data, Some(texts), |mark| mark != Mark::default());
    }
    Arc::new(Resource { node, ..found.clone() })
}

fn remove_server_fields(node: &mut Node) {
    let Some(object) = node.as_mapping_mut() else { return };
    object.remove("status");
    let Some(metadata) = object.get_mut("metadata").and_then(Node::as_mapping_mut) else { return };
    for key in SERVER_METADATA {
        metadata.remove(key);
    }
    let annotations = metadata.get_mut("annotations").and_then(Node::as_mapping_mut);
    let is_empty = annotations.is_some_and(|annotations| {
        annotations.remove(LAST_APPLIED);
        annotations.entries.is_empty()
    });
    if is_empty {
        metadata.remove("annotations");
    }
}

/// Gives each node the mark of the same field in the build. A field that the build does not write
/// has no mark.
fn copy_marks(node: &mut Node, built: Option<&Node>) {
    node.mark = built.map_or(Mark::default(), |built| built.mark);
    if let Some(scalar) = node.as_scalar_mut().filter(|it| it.style == Style::DoubleQuoted) {
        // The quotes of JSON are not shown.
        scalar.set_tag(Tag::Str);
        scalar.style = Style::Plain;
    }
    if node.items().is_some() {
        let old = built.and_then(Node::items).unwrap_or_default();
        let partners = element_partners(node.items().unwrap_or_default(), old);
        for (item, partner) in node.items_mut().into_iter().flatten().zip(partners) {
            copy_marks(item, partner.and_then(|at| old.get(at)));
        }
    } else {
        copy_entry_marks(node, built, |_| true);
    }
}

/// Gives the entries of a mapping the marks of the same entries in the build, if `is_wanted`.
fn copy_entry_marks(node: &mut Node, built: Option<&Node>, is_wanted: fn(Mark) -> bool) {
    for entry in node.as_mapping_mut().map(|it| &mut *it.entries).into_iter().flatten() {
        let own = entry.key.text().and_then(|key| built?.last_entry(key));
        let mark = own.map_or(Mark::default(), |own| own.key.mark);
        if !is_wanted(mark) {
            continue;
        }
        entry.key.mark = mark;
        copy_marks(&mut entry.value, own.map(|own| &own.value));
        entry.value.mark = value_or_key_mark(entry.value.mark, mark);
    }
}

/// For each element the index of its partner in the build: by key, else by position.
fn element_partners(items: &[Node], built: &[Node]) -> Vec<Option<usize>> {
    match identifying_key(built, items) {
        Some((_, old, new)) => {
            new.iter().map(|name| old.iter().position(|other| other == name)).collect()
        }
        None if items.len() == built.len() => (0..items.len()).map(Some).collect(),
        None => {
            items.iter().map(|it| built.iter().position(|other| other.same_value(it))).collect()
        }
    }
}

/// Removes from the answer of a dry run the fields that `kubectl apply` wrote before and that the
/// build no longer has. The dry run keeps them, because they belong to the manager of the apply on
/// the client; each apply removes them.
pub(super) fn remove_dropped_fields(
    tried: &mut Resource,
    found: &Resource,
    built: &Resource,
    ownership: &Ownership<'_>,
) {
    let annotation = found.node.at(&["metadata", "annotations", LAST_APPLIED]);
    let Some(text) = annotation.and_then(Node::text) else { return };
    let Some(applied) = parse_nodes(text.as_bytes()).ok().and_then(|it| it.into_iter().next())
    else {
        return;
    };
    for change in differences(&applied, &built.node) {
        let is_empty = change.before.as_ref().is_none_or(Node::is_empty_collection);
        if change.kind != ChangeKind::Removed || is_empty || change.path.is_below(&["status"]) {
            continue;
        }
        let (in_cluster, in_answer) =
            (change.path.find(&found.node), change.path.find(&tried.node));
        if let (Some(in_cluster), Some(in_answer)) = (in_cluster, in_answer)
            && ownership.is_only_client_side(&in_cluster)
        {
            remove_field(&mut tried.node, &in_answer);
        }
    }
}

fn remove_field(node: &mut Node, path: &[PathStep]) {
    let Some((last, parent)) = path.split_last() else { return };
    let Some(parent) = at_mut(node, parent) else { return };
    match last {
        PathStep::Key(key) => {
            parent.as_mapping_mut().and_then(|mapping| mapping.remove(key));
        }
        PathStep::Index(index) => {
            if let Some(items) = parent.items_mut().filter(|items| *index < items.len()) {
                items.remove(*index);
            }
        }
    }
}
