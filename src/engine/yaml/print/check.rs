//! Checks whether a document can be printed, without printing it if the tree alone is sufficient.

use super::super::scalar::{ScalarType, resolve_v3};
use super::super::{Mapping, MappingEntry, Node, Scalar, Style, Tag, Value, YamlError};
use super::block::text_read_by_v2;
use super::comments;
use super::keys::MAX_SIMPLE_KEY_BYTES;
use super::plain_text::{self, plain_unchanged};
use super::value::{Decoded, ScalarPosition, decode};

/// Returns the error that printing would return.
///
/// # Errors
/// Those of [`super::print_output`].
pub fn check_document(node: &Node) -> Result<(), YamlError> {
    let mut has_comments = node.comments.is_some();
    if is_printable_without_comments(node, &mut has_comments) {
        return if has_comments { comments::check(node) } else { Ok(()) };
    }
    if is_simple(node) {
        comments::check(node)?;
        if values(node).is_ok() {
            return Ok(());
        }
    }
    super::print_output(node).map(drop)
}

/// True if printing can only fail because of comments: all keys are distinct words, and each value
/// can be printed. Sets `has_comments` if the tree has comments.
fn is_printable_without_comments(node: &Node, has_comments: &mut bool) -> bool {
    match &node.value {
        Value::Scalar(scalar) => {
            plain_unchanged(scalar).is_some() && is_ascii(scalar) || value(node, scalar).is_ok()
        }
        Value::Sequence(_, Style::Flow) => is_simple(node) && values(node).is_ok(),
        Value::Mapping(mapping) if mapping.style == Style::Flow => {
            is_simple(node) && values(node).is_ok()
        }
        Value::Sequence(items, _) => items.iter().all(|item| {
            *has_comments |= item.comments.is_some();
            is_printable_without_comments(item, has_comments)
        }),
        Value::Mapping(mapping) => {
            let entries = &mapping.entries;
            let is_fine = |MappingEntry { key, value }: &MappingEntry| {
                *has_comments |= key.comments.is_some() | value.comments.is_some();
                let is_cut_off = key.comments.is_some() && value.is_empty_collection();
                !is_cut_off
                    && key.as_scalar().is_some_and(plain_text::is_word)
                    && is_printable_without_comments(value, has_comments)
            };
            entries.iter().all(is_fine) && has_distinct_keys(mapping)
        }
    }
}

/// True if all keys are distinct one-word texts, and flow collections have no comments and only
/// simple content.
fn is_simple(node: &Node) -> bool {
    match &node.value {
        Value::Scalar(_) => true,
        Value::Sequence(items, Style::Flow) => items.iter().all(is_simple_in_brackets),
        Value::Sequence(items, _) => items.iter().all(is_simple),
        Value::Mapping(mapping) if mapping.entries.is_empty() => true,
        Value::Mapping(mapping) if mapping.style == Style::Flow => is_simple_in_braces(mapping),
        Value::Mapping(mapping) => {
            mapping.entries.iter().all(is_simple_entry) && has_distinct_keys(mapping)
        }
    }
}

/// True for a plain value, and for flow collections of only such values, without comments.
fn is_simple_in_brackets(node: &Node) -> bool {
    node.comments.is_none()
        && match &node.value {
            Value::Scalar(scalar) => is_plain_value(scalar),
            Value::Sequence(items, _) => items.iter().all(is_simple_in_brackets),
            Value::Mapping(mapping) => is_simple_in_braces(mapping),
        }
}

/// True for a mapping in braces whose keys are distinct words and whose values are plain.
fn is_simple_in_braces(mapping: &Mapping) -> bool {
    let is_simple = |entry: &MappingEntry| {
        entry.key.comments.is_none()
            && entry.key.as_scalar().is_some_and(is_word)
            && is_simple_in_brackets(&entry.value)
    };
    mapping.entries.iter().all(is_simple) && has_distinct_keys(mapping)
}

/// True for a word, a quoted text, or a number that cannot be part of a larger one.
fn is_plain_value(scalar: &Scalar) -> bool {
    let text = scalar.text.as_bytes();
    let is_quoted = matches!(scalar.style, Style::SingleQuoted | Style::DoubleQuoted);
    let is_number = text.len() < 16 && text.iter().all(u8::is_ascii_digit);
    let is_word = text.first().is_some_and(u8::is_ascii_alphabetic) && !text.contains(&b':');
    !scalar.tagged
        && match scalar.style {
            Style::Plain => matches!(scalar.tag, Tag::None | Tag::Str) && (is_word || is_number),
            _ => is_quoted && scalar.tag == Tag::Str,
        }
        && !text.is_empty()
        && text.iter().all(|byte| (b' '..=b'~').contains(byte))
}

/// True for a one-word key with a value that prints without errors.
fn is_simple_entry(entry: &MappingEntry) -> bool {
    let is_cut_off = entry.value.is_empty_collection() && entry.key.comments.is_some();
    !is_cut_off && entry.key.as_scalar().is_some_and(is_word) && is_simple(&entry.value)
}

/// True for a key that can only be a text on one line.
fn is_word(key: &Scalar) -> bool {
    let text = key.text.as_bytes();
    let is_quoted = matches!(key.style, Style::SingleQuoted | Style::DoubleQuoted);
    let begins = text.first().is_some_and(u8::is_ascii_alphabetic);
    let is_text = is_quoted
        || key.style == Style::Plain
            && begins
            && (text.len() > 5 || matches!(resolve_v3(&key.text), ScalarType::Str));
    !key.tagged
        && matches!(key.tag, Tag::None | Tag::Str)
        && is_text
        && text.len() <= MAX_SIMPLE_KEY_BYTES
        && text.iter().all(|byte| (b' '..=b'~').contains(byte))
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

fn values(node: &Node) -> Result<(), YamlError> {
    match &node.value {
        Value::Scalar(scalar) => value(node, scalar),
        Value::Sequence(items, _) => items.iter().try_for_each(values),
        Value::Mapping(mapping) => mapping.entries.iter().try_for_each(|it| values(&it.value)),
    }
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
        Decoded::Str(text) => text_read_by_v2(node, &text).map(drop),
        Decoded::Null | Decoded::Bool(_) | Decoded::Int(_) | Decoded::Float(_) => Ok(()),
    }
}
