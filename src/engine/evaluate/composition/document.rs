//! The consolidated list as a separate Composition (section A.16), and texts of edits to a
//! Composition: an order, an override, a removed entry.

use std::path::Path;
use std::sync::Arc;

use crate::load::{Root, clean, is_absolute, relative_path};
use crate::manifest::{COMPOSITION_API_VERSION, EntryId, map_paths};
use crate::yaml::{Comments, Node, Style, Tag, print_preserving_style};

use super::{CompositionLocation, ConsolidatedComposition, ConsolidatedEntry};

impl ConsolidatedComposition {
    /// One Composition without imports, overrides and order that builds the same output. Names are
    /// filled in, and paths are relative to the target. With `notes`, comments name the origin of
    /// each entry, followed by the notes on the entry.
    pub fn document(&self, notes: Option<EntryNotes<'_>>) -> Node {
        let mut root = Node::mapping();
        let entries = self.entries.iter().map(|entry| self.entry(entry, notes)).collect();
        root.set("apiVersion", Node::string(COMPOSITION_API_VERSION));
        root.set("kind", Node::string("Composition"));
        if !self.catalogs.is_empty() {
            let catalogs = self.catalogs.iter().map(|catalog| {
                let is_url = catalog.resolved.contains("://");
                let shown = if is_url || is_absolute(Path::new(&catalog.written)) {
                    catalog.resolved.clone()
                } else {
                    relative_path(&self.directory, Path::new(&catalog.resolved))
                };
                Node::string(shown)
            });
            root.set("catalogs", Node::sequence(catalogs.collect()));
        }
        root.set("transformers", Node::sequence(entries));
        root
    }

    /// True if the list has a path above the target that a build of the list does not load: each
    /// import loads it from its own folder. The program of an exec function can be anywhere (ruling
    /// 19).
    pub fn names_files_above(&self) -> bool {
        let mut found = false;
        for entry in &self.entries {
            let mut node = self.entry(entry, None);
            if node.at(&["runtime", "exec"]).is_some() {
                continue;
            }
            map_paths(&mut node, &mut |path| {
                found |= path.starts_with("../");
                None
            });
        }
        found
    }

    fn entry(&self, entry: &ConsolidatedEntry, notes: Option<EntryNotes<'_>>) -> Node {
        let mut node = block(&entry.config);
        let root = &entry.root;
        if root.path() != self.directory {
            map_paths(&mut node, &mut |path| {
                let target = clean(&root.path().join(path));
                Some(seen_from(&self.directory, root, &target))
            });
        }
        if let Some(notes) = notes {
            let mut lines = vec![format!("# from {}", self.describe(&entry.listed, root))];
            let overrides = entry.overridden_by.iter();
            lines.extend(
                overrides.map(|it| format!("# overridden by {}", self.describe(&it.place, root))),
            );
            lines.extend(notes(entry).iter().map(|note| format!("#   {note}")));
            let comments = Comments { head: lines.join("\n"), ..Comments::default() };
            node.comments = Some(Arc::new(comments));
        }
        node
    }

    /// The path of a file that an entry comes from, relative to the target.
    pub fn entry_file(&self, entry: &ConsolidatedEntry, file: &str) -> String {
        seen_from(&self.directory, &entry.root, Path::new(file))
    }

    fn describe(&self, place: &CompositionLocation, root: &Root) -> String {
        let file = seen_from(&self.directory, root, Path::new(&place.file));
        if place.field.is_empty() {
            return format!("{file}:{}", place.mark.line);
        }
        format!("{file} {}[{}]", place.field, place.index)
    }
}

type EntryNotes<'a> = &'a dyn Fn(&ConsolidatedEntry) -> Vec<String>;

/// The path relative to a directory; in a clone, its repository and the path in it.
pub(super) fn seen_from(directory: &Path, root: &Root, target: &Path) -> String {
    if let Some(clone) = root.checkout()
        && !directory.starts_with(&clone.tree)
        && let Some(named) = clone.names(target)
    {
        return named;
    }
    let shown = relative_path(directory, target);
    if shown.is_empty() { ".".to_owned() } else { shown }
}

/// The node with its top level in block style and without its comments, which would be misleading
/// in the consolidated list.
fn block(node: &Node) -> Node {
    let mut node = without_comments(node);
    if let Some(mapping) = node.as_mapping_mut() {
        mapping.style = Style::Plain;
    }
    node
}

fn without_comments(node: &Node) -> Node {
    let bare = node.changed(&|node| {
        let mut node = Node { comments: None, ..node.clone() };
        for entry in node.as_mapping_mut().into_iter().flat_map(|it| &mut it.entries) {
            entry.key.comments = None;
        }
        Some(node)
    });
    bare.unwrap_or_default()
}

impl ConsolidatedComposition {
    /// The items of a `transformerOrder` that runs the entries in this sequence of indices, as a
    /// block list: by name alone if that is unique, else with kind and apiVersion (section A.7).
    /// Invalid indices are left out.
    pub fn order_text(&self, sequence: &[usize]) -> String {
        let ids =
            sequence.iter().filter_map(|index| self.entries.get(*index)).map(|entry| &entry.id);
        let items = ids.map(|id| self.order_item(id));
        print_preserving_style(&Node::sequence(items.collect()))
    }

    fn order_item(&self, id: &EntryId) -> Node {
        let others = || self.entries.iter().map(|entry| &entry.id).filter(|other| *other != id);
        let same_name = || others().filter(|other| other.name == id.name);
        let mut fields = Vec::new();
        if same_name().next().is_some() {
            fields.push(("kind", id.gvk.kind.to_string()));
        }
        if same_name().any(|other| other.gvk.kind == id.gvk.kind) {
            fields.push(("apiVersion", id.gvk.api_version()));
        }
        fields.push(("name", id.name.clone()));
        mapping(fields)
    }

    /// An override without changes for an imported entry, as a list of one item; with
    /// `$patch: delete` it removes the entry (D-A16). `None` for an own entry, which is edited in
    /// its own file.
    pub fn override_text(&self, index: usize, removes: bool) -> Option<String> {
        let entry = self.entries.get(index).filter(|entry| !entry.imported_from.is_empty())?;
        let (id, kind) = (&entry.id, entry.id.gvk.kind.to_string());
        let mut node = mapping(vec![("apiVersion", id.gvk.api_version()), ("kind", kind)]);
        node.set("metadata", mapping(vec![("name", id.name.clone())]));
        if removes {
            node.set("$patch", Node::string("delete"));
        }
        Some(print_preserving_style(&Node::sequence(vec![node])))
    }
}

fn mapping(fields: Vec<(&str, String)>) -> Node {
    let mut node = Node::mapping();
    for (key, text) in fields {
        node.set(key, Node::scalar(text, Tag::Str, Style::Plain));
    }
    node
}
