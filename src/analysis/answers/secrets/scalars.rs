//! The source text of scalars.

use std::ops::Range;

/// The length of the tag and the anchor before a scalar.
pub(super) fn properties(text: &str) -> usize {
    let mut rest = text;
    while rest.starts_with(['!', '&']) {
        let word = rest.find(char::is_whitespace).unwrap_or(rest.len());
        rest = rest.get(word..).unwrap_or_default().trim_start();
    }
    text.len() - rest.len()
}

/// The length of a quoted scalar with its quotes.
pub(super) fn quoted(text: &str, quote: char) -> usize {
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if quote == '"' => drop(chars.next()),
            _ if c == quote => {
                if quote == '\'' && chars.next_if(|(_, next)| *next == '\'').is_some() {
                    continue;
                }
                return at + c.len_utf8();
            }
            _ => {}
        }
    }
    text.len()
}

/// A literal's value without the quotes that the generator removes.
pub(super) fn unquoted(value: &str) -> &str {
    let within = |quote: char| value.strip_prefix(quote).and_then(|it| it.strip_suffix(quote));
    within('"').or_else(|| within('\'')).unwrap_or(value)
}

/// The parts of the lines of a range that contain text.
pub(super) fn line_parts<'t>(
    text: &'t str,
    range: &Range<usize>,
) -> impl Iterator<Item = Range<usize>> + use<'t> {
    let mut from = range.start;
    let lines = text.get(range.clone()).unwrap_or_default().split_inclusive('\n');
    lines.filter_map(move |line| {
        let start = from + line.len() - line.trim_start().len();
        let end = from + line.trim_end().len();
        from += line.len();
        (start < end).then_some(start..end)
    })
}
