//! Cutting a resource file where Kustomize cuts it.

use memchr::{memchr, memchr_iter, memmem};

use super::{YamlCause, YamlError};

/// A part of a file.
pub(super) struct FilePiece<'a> {
    /// Its bytes.
    pub(super) text: &'a [u8],
    /// The number of lines before it in the file.
    pub(super) line: u32,
}

/// Cuts at every newline, `---`, rest of line, newline. So the YAML parser handles a `---` on the
/// first line, or one without an end of line. The newline before the `---` belongs to the piece
/// before it.
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
