//! The most common shapes of lines.

use memchr::memchr_iter;

use super::bytes::{Bytes, all_of};
use crate::yaml::Style;

/// The bytes of the keys that [`key_length`] recognizes.
static KEY_BYTES: Bytes = Bytes::from_bytes(b"_-./").with_letters_and_digits();

pub(super) fn line_indentation(line: &str) -> usize {
    line.bytes().take_while(|byte| *byte == b' ').count()
}

/// The length of a simple key at the start of the text; `None` unless a `:` ends the key.
pub(super) fn key_length(text: &str) -> Option<usize> {
    const MAX_KEY_CHARS: usize = 256;
    let bytes = text.as_bytes();
    let first = bytes.first()?;
    if !first.is_ascii_alphanumeric() && *first != b'_' {
        return None;
    }
    let length = bytes.iter().position(|byte| !KEY_BYTES.has(*byte))?;
    let ends = bytes[length] == b':' && matches!(bytes.get(length + 1), None | Some(b' '));
    (ends && length <= MAX_KEY_CHARS).then_some(length)
}

/// The content and the style of a text that is one quoted scalar without escapes; `None` for any
/// other text.
pub(super) fn quoted(text: &str) -> Option<(&str, Style)> {
    let (quote, style) = match text.as_bytes() {
        [b'"', .., b'"'] => (b'"', Style::DoubleQuoted),
        [b'\'', .., b'\''] => (b'\'', Style::SingleQuoted),
        _ => return None,
    };
    let inner = text.get(1..text.len() - 1)?;
    let is_simple = |byte: u8| byte != quote && byte != b'\\';
    all_of(inner.as_bytes(), is_simple).then_some((inner, style))
}

/// True for a plain scalar outside flow collections.
pub(super) fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let starts = match bytes {
        [first, ..] if first.is_ascii_alphanumeric() => true,
        [b'/' | b'_' | b'.' | b'$' | b'(' | b'+', ..] => true,
        [b'-', second, ..] => second.is_ascii_alphanumeric() || matches!(second, b'.' | b'-'),
        _ => false,
    };
    starts && memchr_iter(b':', bytes).all(|at| !matches!(bytes.get(at + 1), None | Some(b' ')))
}

/// True for a plain scalar that is also valid inside flow collections.
pub(super) fn is_word(text: &str) -> bool {
    let first = text.as_bytes().first();
    first.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'/')
        && text.bytes().all(|byte| KEY_BYTES.has(byte))
}
