//! Cutting a resource file where Kustomize cuts it.

use memchr::{memchr, memchr_iter, memmem};

use super::{YamlCause, YamlError};

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
