//! Cutting a resource file where Kustomize cuts it.

use super::bytes::find_newline;
use super::{YamlCause, YamlError};

/// A part of a file.
pub(super) struct Piece<'a> {
    /// Its bytes.
    pub(super) text: &'a [u8],
    /// How many lines of the file stand before it.
    pub(super) line: u32,
}

/// Cuts at every newline, `---`, rest of line, newline. So a `---` on the first line, or one without an end of
/// line, is left to the YAML parser. The newline before the `---` stays with its piece.
///
/// # Errors
/// `invalid document separator: …` when more than a comment follows the `---`.
pub(super) fn cut(text: &[u8]) -> Result<Vec<Piece<'_>>, YamlError> {
    let mut pieces = Vec::new();
    if text.is_empty() {
        return Ok(pieces);
    }
    let (mut start, mut start_line) = (0, 0);
    let (mut at, mut line) = (0, 0_u32);
    while let Some(newline) = find_newline(text, at) {
        line += 1;
        at = newline + 1;
        if !text[at..].starts_with(b"---") {
            continue;
        }
        let Some(end) = find_newline(text, at) else { break };
        let rest = text[at + 3..end].trim_ascii();
        if !matches!(rest.first(), None | Some(b'#')) {
            let separator = String::from_utf8_lossy(text[at..end].trim_ascii()).into_owned();
            let reason = format!("invalid document separator: {separator}");
            return Err(YamlError { line: line + 1, column: 1, reason, cause: YamlCause::Other });
        }
        pieces.push(Piece { text: &text[start..at], line: start_line });
        line += 1;
        at = end + 1;
        (start, start_line) = (at, line);
    }
    pieces.push(Piece { text: &text[start..], line: start_line });
    Ok(pieces)
}
