//! The nodes that Kustomize has for an object when it makes a hash of them (section 4.11).

use std::sync::Arc;

use crate::resource::{Note, Resource, is_bookkeeping};
use crate::transform::build_metadata::{ORIGIN, TRANSFORMATIONS};
use crate::transform::shown::with_bookkeeping;
use crate::yaml::{Entry, Mark, Node, Style, Tag, Value, made_node_tree_json, new_string_style};

/// Kustomize's node tree as JSON; nothing when there are nodes in it whose places nobody knows.
pub(super) fn node_tree(resource: &Resource) -> Option<String> {
    if resource.places_are_lost() {
        return None;
    }
    let read = resource.node.mark.writer;
    let place_of = |node: &Node| {
        let mark: Mark = resource.kept_mark(node);
        (mark.writer == read && mark.line > 0).then_some(mark)
    };
    Some(made_node_tree_json(&with_notes(resource), resource.lines_before, &place_of))
}

/// The object with what Kustomize notes among its annotations, each where it came to stand.
fn with_notes(resource: &Resource) -> Node {
    let mut node = resource.node.clone();
    let noted = with_bookkeeping(resource, false);
    let noted = noted.at(&["metadata", "annotations"]).map(Node::entries).unwrap_or_default();
    let is_remade = !resource.transformations.is_empty();
    let Some(metadata) = node.get_mut("metadata").and_then(Node::as_mapping_mut) else {
        return node;
    };
    let own = metadata.get("annotations").map(Node::entries).unwrap_or_default().to_vec();
    if is_remade {
        metadata.remove("annotations");
        metadata.set("annotations", mapping(remade(own, noted)));
    } else if !resource.notes().is_empty() {
        let annotations = in_order(&own, noted, resource.notes());
        match metadata.get_mut("annotations").and_then(Node::as_mapping_mut) {
            Some(mapping) => mapping.entries = annotations,
            None => metadata.set("annotations", mapping(annotations)),
        }
    }
    node
}

/// Each note behind the annotations that were there when it was first written.
fn in_order(own: &[Entry], noted: &[Entry], notes: &[(Note, usize)]) -> Vec<Entry> {
    let mut out = Vec::with_capacity(own.len() + noted.len());
    for at in 0..=own.len() {
        let here =
            notes.iter().filter(|(_, before)| *before == at || at == own.len() && *before > at);
        for key in here.flat_map(|(note, _)| keys(*note)) {
            let text = noted.iter().find(|entry| entry.key.text() == Some(&*key));
            out.extend(text.and_then(|entry| Some(noted_entry(&key, entry.value.text()?))));
        }
        out.extend(own.get(at).cloned());
    }
    out
}

/// All annotations anew, by name.
fn remade(own: Vec<Entry>, noted: &[Entry]) -> Vec<Entry> {
    let is_new = |entry: &&Entry| {
        let key = entry.key.text().unwrap_or_default();
        let is_own = own.iter().any(|own| own.key.text() == Some(key));
        !is_own && (is_bookkeeping(key) || key == ORIGIN || key == TRANSFORMATIONS)
    };
    let noted: Vec<Entry> = noted.iter().filter(is_new).cloned().collect();
    let all = own.into_iter().chain(noted).map(|entry| {
        let text = entry.value.text().unwrap_or_default();
        let style = if text.contains('\n') { Style::Literal } else { new_string_style(text) };
        made(entry.key.text().unwrap_or_default(), text, style)
    });
    let mut all: Vec<Entry> = all.collect();
    all.sort_by(|one, other| one.key.text().cmp(&other.key.text()));
    all
}

fn keys(note: Note) -> impl Iterator<Item = String> {
    let origin = (note == Note::Origin).then(|| ORIGIN.to_owned());
    origin.into_iter().chain(note.annotations())
}

fn noted_entry(key: &str, text: &str) -> Entry {
    made(key, text, if key == ORIGIN { Style::Plain } else { Style::SingleQuoted })
}

fn made(key: &str, text: &str, style: Style) -> Entry {
    Entry { key: Node::plain(key), value: Node::scalar(text, Tag::Str, style) }
}

fn mapping(entries: Vec<Entry>) -> Node {
    let mut node = Node::mapping();
    if let Value::Mapping(mapping) = &mut node.value {
        Arc::make_mut(mapping).entries = entries;
    }
    node
}
