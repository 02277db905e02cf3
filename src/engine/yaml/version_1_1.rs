//! The types of YAML 1.1, for trees that were read with go-yaml v3.

use indexmap::IndexSet;

use super::scalar::{ScalarType, resolve_v1_1, resolve_v3};
use super::tree::{Node, Style};

/// A word that is a boolean in YAML 1.1 and a string for Kustomize.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AmbiguousBoolean {
    pub word: String,
    pub value: bool,
}

/// Converts the plain scalars of a tree to their YAML 1.1 types: a word such as `yes` becomes a
/// boolean, and a date a string. `other` is the same text read with YAML 1.1 rules. Returns the
/// converted words, each once.
pub fn convert_to_v1_1(node: &mut Node, other: &Node) -> IndexSet<AmbiguousBoolean> {
    let mut words = IndexSet::new();
    convert(node, other, &mut words);
    words
}

/// Converts one node, and adds its ambiguous booleans to `words`.
fn convert(node: &mut Node, other: &Node, words: &mut IndexSet<AmbiguousBoolean>) {
    if node.entries().is_empty() && node.items().is_none() {
        let Some(scalar) = other.as_scalar().filter(|scalar| scalar.style == Style::Plain) else {
            return;
        };
        let mark = node.mark;
        match (resolve_v3(&scalar.text), resolve_v1_1(&scalar.text)) {
            (ScalarType::Str, ScalarType::Bool(value)) => {
                words.insert(AmbiguousBoolean { word: scalar.text.to_string(), value });
                *node = Node::plain(value.to_string()).marked(mark);
            }
            (ScalarType::Timestamp(_), ScalarType::Str) => {
                *node = Node::string(scalar.text.clone()).marked(mark);
            }
            _ => {}
        }
        return;
    }
    if let Some(items) = node.items_mut() {
        for (item, other) in items.iter_mut().zip(other.items().unwrap_or_default()) {
            convert(item, other, words);
        }
    } else if let Some(mapping) = node.as_mapping_mut() {
        for entry in &mut mapping.entries {
            if let Some(other) = entry.key.text().and_then(|key| other.get(key)) {
                convert(&mut entry.value, other, words);
            }
        }
    }
}
