//! The most common shapes of lines, and checks of all bytes of a text.

use memchr::memchr_iter;

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

pub(crate) struct Bytes([bool; 256]);

impl Bytes {
    pub(crate) const fn from_bytes(bytes: &[u8]) -> Self {
        let mut has = [false; 256];
        let mut at = 0;
        while at < bytes.len() {
            has[bytes[at] as usize] = true;
            at += 1;
        }
        Self(has)
    }

    pub(crate) const fn with_letters_and_digits(mut self) -> Self {
        let mut byte = 0_u8;
        while byte < 0x80 {
            self.0[byte as usize] |= byte.is_ascii_alphanumeric();
            byte += 1;
        }
        self
    }

    pub(crate) fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte)]
    }
}

/// True if `holds` returns true for every byte. Bytes are checked in chunks, which is faster than
/// stopping at the first failure.
pub(super) fn all_bytes(text: &[u8], holds: impl Fn(u8) -> bool) -> bool {
    text.chunks(256).all(|some| all_of(some, &holds))
}

/// Same as [`all_bytes`], for a short text.
pub(super) fn all_of(bytes: &[u8], holds: impl Fn(u8) -> bool) -> bool {
    bytes.iter().fold(true, |all, byte| all & holds(*byte))
}
