//! Where the nodes of what a plugin printed stand to Kustomize: it takes annotations of its own out of it and makes the others anew.

use std::sync::Arc;

use crate::yaml::{Entry, Mapping, Node, Style, Tag, Value, made_string_style};

use super::places::Noted;
use super::{Note, Origin, Resource};

impl Resource {
    /// It was printed as `read`. Kustomize made its annotations anew since, by name, and noted these among them.
    /// Nobody knows its places where those of `read` are not known.
    pub fn printed_as(&mut self, read: &Resource, notes: &[Note]) {
        let annotations = self.node.at(&["metadata", "annotations"]).map(Node::entries);
        let annotations = made_map(annotations.unwrap_or_default());
        let Some(mut places) = read.placed() else { return };
        let Some(metadata) = places.get_mut("metadata").and_then(Node::as_mapping_mut) else {
            return;
        };
        metadata.remove("annotations");
        metadata.set("annotations", annotations);
        self.find_places();
        self.stands_as(places);
        self.set_notes_anew(notes.iter().copied());
    }

    /// Kustomize made all annotations anew, what it notes among them.
    pub fn note_anew(&mut self) {
        if !self.needs_hash {
            return;
        }
        let paths = self.places.notes.iter().map(|noted| noted.note);
        let paths: Vec<Note> =
            paths.filter(|note| matches!(note, Note::Path | Note::LegacyPath)).collect();
        let mut notes = self.noted_so_far();
        // What a file holds stands in the tree.
        notes.retain(|note| !note.annotations().any(|name| self.annotation(&name).is_some()));
        self.set_notes_anew(notes.into_iter().chain(paths));
    }

    fn set_notes_anew(&mut self, notes: impl Iterator<Item = Note>) {
        let noted = |note: Note| Noted { note, before: 0, is_made_anew: true };
        self.places.notes = notes.map(noted).collect();
        self.sort_notes();
    }

    /// A generator made it, unless it is known who did. Kustomize makes the annotations anew where it notes that.
    pub fn made_by(&mut self, generator: &Arc<Origin>) {
        if self.origin.is_some() {
            return;
        }
        self.origin = Some(Arc::clone(generator));
        if self.hashes_places() {
            self.note(Note::Origin);
            self.sort_notes();
        }
    }
}

/// An annotation that Kustomize made, which stands in no text.
pub fn made_annotation(key: &str, text: &str, style: Option<Style>) -> Entry {
    let style = style.unwrap_or_else(|| made_string_style(text));
    Entry { key: Node::plain(key), value: Node::scalar(text, Tag::Str, style) }
}

/// Labels or annotations by name, as Kustomize makes them.
pub fn made_map(entries: &[Entry]) -> Node {
    let made = |entry: &Entry| {
        let (key, text) = (entry.key.text(), entry.value.text());
        made_annotation(key.unwrap_or_default(), text.unwrap_or_default(), None)
    };
    let mut entries: Vec<Entry> = entries.iter().map(made).collect();
    entries.sort_by(|one, other| one.key.text().cmp(&other.key.text()));
    Value::Mapping(Arc::new(Mapping { entries, ..Mapping::default() })).into()
}
