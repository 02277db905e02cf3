//! The nodes that Kustomize has for an object when it makes a hash of them (section 4.11).

use std::sync::Arc;

use crate::resource::{Note, Noted, Resource, is_bookkeeping};
use crate::transform::build_metadata::{ORIGIN, TRANSFORMATIONS};
use crate::transform::shown::with_bookkeeping;
use crate::yaml::{Entry, Node, Style, Tag, Value, made_node_tree_json, made_string_style};

/// Kustomize's node tree as JSON; nothing when there are nodes in it whose places nobody knows.
pub(super) fn node_tree(resource: &Resource) -> Option<String> {
    Some(made_node_tree_json(&with_notes(resource, resource.placed()?)))
}

/// The object with what Kustomize notes among its annotations, each where it came to stand.
fn with_notes(resource: &Resource, mut node: Node) -> Node {
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
fn in_order(own: &[Entry], noted: &[Entry], notes: &[Noted]) -> Vec<Entry> {
    let mut out = Vec::with_capacity(own.len() + noted.len());
    for at in 0..=own.len() {
        let is_last = at == own.len();
        let here = notes.iter().filter(|it| it.before == at || is_last && it.before > at);
        for (key, style) in here.flat_map(keys) {
            let entry = noted.iter().find(|entry| entry.key.text() == Some(&*key));
            let Some(text) = entry.and_then(|entry| entry.value.text()) else { continue };
            out.push(made(&key, text, style.unwrap_or_else(|| made_string_style(text))));
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
        let style = made_string_style(text);
        made(entry.key.text().unwrap_or_default(), text, style)
    });
    let mut all: Vec<Entry> = all.collect();
    all.sort_by(|one, other| one.key.text().cmp(&other.key.text()));
    all
}

/// The annotations of a note with their styles: by name, and in no style of its own, where all annotations were made anew.
fn keys(noted: &Noted) -> Vec<(String, Option<Style>)> {
    let Noted { note, is_made_anew, .. } = *noted;
    let style = match note {
        Note::Origin | Note::NameChange | Note::KindChange => Style::Plain,
        Note::Previous | Note::Prefixes | Note::Suffixes => Style::SingleQuoted,
    };
    let origin = (note == Note::Origin).then(|| ORIGIN.to_owned());
    let mut keys: Vec<String> = origin.into_iter().chain(note.annotations()).collect();
    if is_made_anew {
        keys.sort();
    }
    keys.into_iter().map(|key| (key, (!is_made_anew).then_some(style))).collect()
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
