//! From bytes to the texts that are parsed: Kustomize cuts a resource file into pieces.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memmem};

use super::line_syntax::all_bytes;
use super::{YamlCause, YamlError};

pub(super) fn without_carriage_returns(text: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if memchr(b'\r', &text).is_none() {
        return text;
    }
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        if byte != b'\r' || bytes.peek() != Some(&b'\n') {
            out.push(byte);
        }
    }
    Cow::Owned(out)
}

/// Converts UTF-16 with a byte-order mark to UTF-8.
///
/// # Errors
/// An incomplete character.
pub(super) fn from_utf_16(text: &[u8]) -> Result<Cow<'_, [u8]>, YamlCause> {
    let read: fn([u8; 2]) -> u16 = match text {
        [0xFF, 0xFE, ..] => u16::from_le_bytes,
        [0xFE, 0xFF, ..] => u16::from_be_bytes,
        _ => return Ok(Cow::Borrowed(text)),
    };
    let (units, rest) = text[2..].as_chunks::<2>();
    let units = units.iter().map(|pair| read(*pair));
    let read: Result<String, _> = char::decode_utf16(units).collect();
    match read {
        Ok(read) if rest.is_empty() => Ok(Cow::Owned(read.into_bytes())),
        _ => Err(YamlCause::Encoding("incomplete UTF-16 character")),
    }
}

/// The text of a piece without its byte-order mark.
///
/// # Errors
/// Bytes that are not UTF-8, characters that YAML does not allow.
pub(super) fn checked<'a>(piece: &FilePiece<'a>) -> Result<&'a str, YamlError> {
    let text = std::str::from_utf8(piece.text).map_err(|wrong| {
        let at = wrong.valid_up_to();
        let leading = !matches!(piece.text[at], 0xC2..=0xF4);
        let reason = match wrong.error_len() {
            None => "incomplete UTF-8 octet sequence",
            Some(_) if leading => "invalid leading UTF-8 octet",
            Some(_) => "invalid trailing UTF-8 octet",
        };
        refusal(piece, at, YamlCause::Encoding(reason))
    })?;
    if let Some(at) = control_character(text) {
        return Err(refusal(piece, at, YamlCause::ControlCharacters));
    }
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// The offset of the first character that YAML does not allow: anything but tab, line breaks,
/// printable characters and U+0085.
fn control_character(text: &str) -> Option<usize> {
    let is_ordinary =
        |byte: u8| matches!(byte, b'\n' | b' '..=b'~' | 0x80..=0xC1 | 0xC3..=0xEE | 0xF0..);
    if all_bytes(text.as_bytes(), is_ordinary) {
        return None;
    }
    let is_allowed = |c| matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{A0}'..='\u{FFFD}' | '\u{10000}'..);
    text.char_indices().find(|(_, c)| !is_allowed(*c)).map(|(at, _)| at)
}

fn refusal(piece: &FilePiece<'_>, at: usize, cause: YamlCause) -> YamlError {
    let before = &piece.text[..at];
    let lines = before.split(|b| *b == b'\n').count() - 1;
    let column = before.iter().rev().take_while(|b| **b != b'\n').count();
    YamlError {
        line: piece.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX)).saturating_add(1),
        column: u32::try_from(column).unwrap_or(u32::MAX).saturating_add(1),
        cause,
    }
}

/// A piece of a resource file that is parsed alone; files are cut before lines with `---`.
pub(super) struct FilePiece<'a> {
    pub(super) text: &'a [u8],
    /// The number of lines before the piece in the file.
    pub(super) line: u32,
}

/// Cuts a file at each line that starts with `---`, except the first line and a last line without a
/// line end, which are left to the YAML parser. The newline before the `---` belongs to the piece
/// before the cut.
///
/// # Errors
/// `invalid document separator: …` if the `---` is followed by more than a comment.
pub(super) fn cut(text: &[u8]) -> Result<Vec<FilePiece<'_>>, YamlError> {
    let mut pieces = Vec::new();
    if text.is_empty() {
        return Ok(pieces);
    }
    let separator = memmem::Finder::new(b"\n---");
    let lines = |text: &[u8]| u32::try_from(memchr_iter(b'\n', text).count()).unwrap_or(u32::MAX);
    let (mut start, mut start_line) = (0, 0_u32);
    while let Some(found) = separator.find(&text[start..]) {
        let at = start + found + 1;
        let Some(end) = memchr(b'\n', &text[at..]).map(|length| at + length) else { break };
        let line = start_line.saturating_add(lines(&text[start..at]));
        let rest = text[at + 3..end].trim_ascii();
        if !matches!(rest.first(), None | Some(b'#')) {
            let separator = String::from_utf8_lossy(text[at..end].trim_ascii()).into_owned();
            let (line, cause) = (line.saturating_add(1), YamlCause::BadSeparator(separator));
            return Err(YamlError { line, column: 1, cause });
        }
        pieces.push(FilePiece { text: &text[start..at], line: start_line });
        (start, start_line) = (end + 1, line.saturating_add(1));
    }
    pieces.push(FilePiece { text: &text[start..], line: start_line });
    Ok(pieces)
}
