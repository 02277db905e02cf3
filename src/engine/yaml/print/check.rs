//! Checks whether a document can be printed, without printing it if the tree alone is sufficient.

use super::super::{Mapping, MappingEntry, Node, Scalar, Style, Tag, Value, YamlError};
use super::block::check_text;
use super::plain_text::{is_word, plain_unchanged};
use super::value::{Decoded, ScalarPosition, decode};

/// Returns the error that printing would return.
///
/// # Errors
/// Those of [`super::print_output`].
pub fn check_document(node: &Node) -> Result<(), YamlError> {
    if is_printable(node) { Ok(()) } else { super::print_output(node).map(drop) }
}

/// True if printing cannot fail: all keys are distinct words, each value can be printed, and no
/// collection in flow style could be read differently.
fn is_printable(node: &Node) -> bool {
    match &node.value {
        Value::Scalar(scalar) => {
            plain_unchanged(scalar).is_some() && is_ascii(scalar) || value(node, scalar).is_ok()
        }
        Value::Sequence(items, Style::Flow) => items.is_empty(),
        Value::Mapping(mapping) if mapping.style == Style::Flow => mapping.entries.is_empty(),
        Value::Sequence(items, _) => items.iter().all(is_printable),
        Value::Mapping(mapping) => {
            let is_fine = |MappingEntry { key, value }: &MappingEntry| {
                key.as_scalar().is_some_and(is_word) && is_printable(value)
            };
            mapping.entries.iter().all(is_fine) && has_distinct_keys(mapping)
        }
    }
}

fn has_distinct_keys(mapping: &Mapping) -> bool {
    if mapping.entries.len() <= 16 {
        let mut entries = mapping.entries.as_slice();
        while let [first, rest @ ..] = entries {
            if rest.iter().any(|other| is_same_key(first, other)) {
                return false;
            }
            entries = rest;
        }
        return true;
    }
    let mut keys: Vec<Option<&str>> = mapping.entries.iter().map(|it| it.key.text()).collect();
    keys.sort_unstable();
    keys.windows(2).all(|pair| pair[0] != pair[1])
}

fn is_same_key(one: &MappingEntry, other: &MappingEntry) -> bool {
    one.key.text().map_or_else(|| other.key.text().is_none(), |text| other.key.is_text(text))
}

/// True for a text of ASCII characters without DEL.
fn is_ascii(scalar: &Scalar) -> bool {
    scalar.text.bytes().fold(0, u8::max) < 0x7F
}

fn value(node: &Node, scalar: &Scalar) -> Result<(), YamlError> {
    let is_untagged = !scalar.tagged && matches!(scalar.tag, Tag::None | Tag::Str);
    let begins = scalar.text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
    // A text that begins with a letter is neither a non-finite number nor a block that begins with
    // a tab.
    if is_untagged && begins && is_ascii(scalar) {
        return Ok(());
    }
    match decode(node, scalar, ScalarPosition::Block)? {
        Decoded::Str(text) => check_text(node, &text),
        Decoded::Null | Decoded::Bool(_) | Decoded::Int(_) | Decoded::Float(_) => Ok(()),
    }
}
