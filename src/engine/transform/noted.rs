//! The nodes that Kustomize has for an object: each where it stands, and among the annotations what Kustomize notes there. A hash is made of
//! them (section 4.11), and patches and replacements write to them.

use std::sync::Arc;

use crate::resource::{
    FUNCTION_PATHS, Note, Noted, Resource, Standing, is_bookkeeping, made_annotation, made_map,
    set_annotation,
};
use crate::transform::build_metadata::{ORIGIN, TRANSFORMATIONS};
use crate::transform::shown::with_bookkeeping;
use crate::yaml::{Entry, Node, Style, Value};

/// A resource in the places that Kustomize's nodes have, what it notes among them. Nothing where nobody knows.
pub(super) fn noted_tree(resource: &Resource) -> Option<Node> {
    // What is noted of others is not kept in order.
    let is_known = resource.hashes_places() || !resource.has_bookkeeping();
    let places = resource.placed().filter(|_| is_known)?;
    Some(with_notes(resource, places))
}

/// What came of such a tree, taken apart: where its nodes stand, and what is noted among the annotations. Nothing where a note was
/// written over, or stands apart from what it was noted with. `before`: the tree as it was.
pub(super) fn without_notes(resource: &Resource, before: &Node, mut now: Node) -> Option<Standing> {
    let annotations = |node: &Node| {
        let node = node.at(&["metadata", "annotations"]).map(Node::entries);
        node.unwrap_or_default().to_vec()
    };
    let (old, new) = (annotations(before), annotations(&now));
    let mut is_note = vec![false; new.len()];
    let mut left = Vec::new();
    for noted in resource.notes() {
        let keys = keys(noted);
        let written = |entry: &&Entry| keys.iter().any(|(key, _)| entry.key.text() == Some(key));
        let written: Vec<&Entry> = old.iter().filter(written).collect();
        let place = |entry: &&Entry| new.iter().position(|it| it.key.text() == entry.key.text());
        let places: Vec<usize> = written.iter().filter_map(place).collect();
        let Some(first) = places.first().copied() else { continue };
        let are_it = written.iter().zip(new.get(first..)?).all(|(old, new)| *old == new);
        if places.len() < written.len() || new.len() < first + written.len() || !are_it {
            return None;
        }
        is_note[first..first + written.len()].fill(true);
        left.push((first, *noted));
    }
    let own = |end: usize| is_note[..end].iter().filter(|is_note| !**is_note).count();
    let noted = |(first, noted): (usize, Noted)| Noted { before: own(first), ..noted };
    let notes = left.into_iter().map(noted).collect();
    let own = new.into_iter().zip(&is_note).filter(|(_, is_note)| !**is_note);
    if let Some(annotations) = now.get_mut("metadata").and_then(|it| it.get_mut("annotations")) {
        annotations.as_mapping_mut()?.entries = own.map(|(entry, _)| entry).collect();
    }
    Some(Standing { places: now, notes: Some(notes) })
}

/// The object with what Kustomize notes among its annotations, each where it came to stand.
fn with_notes(resource: &Resource, mut node: Node) -> Node {
    let noted = all_noted(resource);
    let noted = noted.at(&["metadata", "annotations"]).map(Node::entries).unwrap_or_default();
    let is_remade = !resource.transformations.is_empty();
    let Some(metadata) = node.get_mut("metadata").and_then(Node::as_mapping_mut) else {
        return node;
    };
    let own = metadata.get("annotations").map(Node::entries).unwrap_or_default().to_vec();
    if is_remade {
        metadata.remove("annotations");
        metadata.set("annotations", remade(own, noted));
    } else if !resource.notes().is_empty() {
        let annotations = in_order(&own, noted, resource.notes());
        match metadata.get_mut("annotations").and_then(Node::as_mapping_mut) {
            Some(mapping) => mapping.entries = annotations,
            None => metadata.set("annotations", mapping(annotations)),
        }
    }
    node
}

/// The object with all that Kustomize notes in its annotations, in no order.
fn all_noted(resource: &Resource) -> Node {
    let mut noted = with_bookkeeping(resource, false);
    let is_put = resource.notes().iter().any(|noted| noted.note == Note::Path);
    if let Some(place) = resource.place.as_ref().filter(|_| is_put) {
        for key in FUNCTION_PATHS {
            set_annotation(&mut noted, key, &place.path);
        }
    }
    noted
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
            out.push(made_annotation(&key, text, style));
        }
        out.extend(own.get(at).cloned());
    }
    out
}

/// All annotations anew, by name.
fn remade(own: Vec<Entry>, noted: &[Entry]) -> Node {
    let is_new = |entry: &&Entry| {
        let key = entry.key.text().unwrap_or_default();
        let is_own = own.iter().any(|own| own.key.text() == Some(key));
        let is_noted = [ORIGIN, TRANSFORMATIONS].contains(&key) || FUNCTION_PATHS.contains(&key);
        !is_own && (is_bookkeeping(key) || is_noted)
    };
    let noted: Vec<Entry> = noted.iter().filter(is_new).cloned().collect();
    made_map(&[own, noted].concat())
}

/// The annotations of a note with their styles: by name, and in no style of its own, where all annotations were made anew.
fn keys(noted: &Noted) -> Vec<(String, Option<Style>)> {
    let Noted { note, is_made_anew, .. } = *noted;
    let style = match note {
        Note::Previous | Note::Prefixes | Note::Suffixes => Style::SingleQuoted,
        _ => Style::Plain,
    };
    let origin = (note == Note::Origin).then(|| ORIGIN.to_owned());
    let mut keys: Vec<String> = origin.into_iter().chain(note.annotations()).collect();
    if is_made_anew {
        keys.sort();
    }
    keys.into_iter().map(|key| (key, (!is_made_anew).then_some(style))).collect()
}

fn mapping(entries: Vec<Entry>) -> Node {
    let mut node = Node::mapping();
    if let Value::Mapping(mapping) = &mut node.value {
        Arc::make_mut(mapping).entries = entries;
    }
    node
}
