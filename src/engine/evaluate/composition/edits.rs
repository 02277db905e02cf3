//! Texts of edits to a Composition: an order, an override, a removed entry.

use crate::manifest::EntryId;
use crate::yaml::{Node, Style, Tag, print_preserving_style};

use super::ConsolidatedComposition;

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
