//! Lines of a text by byte, and adding and removing comment signs.

use std::ops::Range;

/// The number of the line that contains a carriage return without a line feed. YAML ends a line
/// there, but editors do not.
pub(super) fn lone_return(text: &str) -> Option<u32> {
    let mut returns = text.match_indices('\r').map(|(at, _)| at);
    let at = returns.find(|at| text.as_bytes().get(at + 1).is_some_and(|next| *next != b'\n'))?;
    let lines = text.get(..at)?.matches('\n').count();
    u32::try_from(lines + 1).ok()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    Blank,
    Comment,
    Content,
}

pub(super) fn line_kind(line: &str) -> LineKind {
    match line.trim_start_matches([' ', '\t']) {
        "" => LineKind::Blank,
        line if line.starts_with('#') => LineKind::Comment,
        _ => LineKind::Content,
    }
}

pub(super) fn is_dash(text: &str) -> bool {
    text == "-" || text.starts_with("- ") || text.starts_with("-\t")
}

/// The text of an entry without its dash and indentation. The first line starts with the dash.
pub(super) fn entry_text(lines: &[&str]) -> String {
    let first = lines.first().copied().unwrap_or("");
    let behind = first.strip_prefix('-').unwrap_or(first);
    let width = 1 + indent(behind);
    let mut text = outdent(behind, width).to_owned();
    for line in lines.iter().skip(1) {
        text.push('\n');
        text.push_str(outdent(line, width));
    }
    text
}

/// A text, or a part of one, cut into lines. A line's text leaves out `\n` and `\r\n`.
#[derive(Debug)]
pub(super) struct TextLines<'t> {
    text: &'t str,
    /// The number of lines before the part.
    first: usize,
    /// The bytes at which the lines start, then the end of the part.
    starts: Vec<usize>,
}

impl<'t> TextLines<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self::part(text, 0..text.len(), 0)
    }

    pub(super) fn part(text: &'t str, bytes: Range<usize>, first: usize) -> Self {
        let lines = text.get(bytes.clone()).unwrap_or("").split_inclusive('\n');
        let ends = lines.scan(bytes.start, |end, line| {
            *end += line.len();
            Some(*end)
        });
        Self { text, first, starts: std::iter::once(bytes.start).chain(ends).collect() }
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.first..self.first + self.starts.len() - 1
    }

    pub(super) fn line(&self, index: usize) -> &'t str {
        let line = self.line_with_end(index);
        let line = line.strip_suffix('\n').unwrap_or(line);
        line.strip_suffix('\r').unwrap_or(line)
    }

    pub(super) fn line_with_end(&self, index: usize) -> &'t str {
        self.slice(self.bytes(index..index + 1))
    }

    pub(super) fn slice(&self, bytes: Range<usize>) -> &'t str {
        self.text.get(bytes).unwrap_or("")
    }

    /// The line of a byte; the number of lines for the end of a text that ends in `\n`.
    pub(super) fn at(&self, offset: usize) -> usize {
        self.first + self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The start of a line; the end of the part for indices after the last line.
    pub(super) fn start(&self, index: usize) -> usize {
        let start = self.starts.get(index.saturating_sub(self.first)).or(self.starts.last());
        start.copied().unwrap_or_default()
    }

    /// The bytes of a range of lines, with their line ends.
    pub(super) fn bytes(&self, lines: Range<usize>) -> Range<usize> {
        let start = self.start(lines.start);
        start..self.start(lines.end).max(start)
    }
}

impl TextLines<'_> {
    /// The byte after the last line of a block that begins in a line: after its deeper lines, and
    /// its items at `column` if it has dashes. Blank lines and comments below it are excluded.
    pub(super) fn end_of_block(&self, first: usize, column: usize, has_dashes: bool) -> usize {
        let mut last = first;
        for index in first + 1..self.range().end {
            let line = self.line(index);
            let is_deep = indent(line) > column;
            let is_item = has_dashes && indent(line) == column && line.trim().starts_with('-');
            match line_kind(line) {
                LineKind::Blank => {}
                LineKind::Comment if !is_deep => {}
                _ if is_deep || is_item => last = index,
                _ => break,
            }
        }
        self.start(last + 1)
    }
}

/// The number of spaces and tabs at the start of a line, in bytes.
pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// The parts of a comment line before and after its `#`.
pub(super) fn split_comment(line: &str) -> Option<(&str, &str)> {
    let (before, rest) = line.split_at_checked(indent(line))?;
    Some((before, rest.strip_prefix('#')?))
}

/// The line without up to `count` spaces and tabs at its start.
pub(super) fn outdent(line: &str, count: usize) -> &str {
    line.get(indent(line).min(count)..).unwrap_or("")
}

/// The first line end in a text; `\n` if it has none.
pub(super) fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text.get(..at).is_some_and(|line| line.ends_with('\r')) => "\r\n",
        _ => "\n",
    }
}

/// Inserts a `#` in every line of a piece of text, at the column or at the end of a shorter
/// indentation, so that removing the first `#` of each line restores the same bytes.
pub(super) fn comment_out(piece: &str, column: usize) -> String {
    let mut out = String::with_capacity(piece.len() + 16);
    for line in piece.split_inclusive('\n') {
        let (before, after) = line.split_at_checked(indent(line).min(column)).unwrap_or(("", line));
        out.push_str(before);
        out.push('#');
        out.push_str(after);
    }
    out
}

/// How to remove comment signs, decided by the first restored line.
#[derive(Clone, Copy, Debug)]
pub(super) enum UncommentStyle {
    /// Remove the `#` and this many blanks after it, and keep the rest.
    Cut(usize),
    /// Replace the indentation, since the text without `#` would start in another column.
    Reindent {
        /// The number of blanks after the `#` that are part of the comment style.
        behind: usize,
        column: usize,
    },
}

impl UncommentStyle {
    /// Chooses how to restore a comment line whose text must start in `column`.
    pub(super) fn new(first: &str, column: usize) -> Self {
        let Some((before, after)) = split_comment(first) else { return Self::Cut(0) };
        let behind = indent(after);
        if before.len() + behind == column {
            Self::Cut(0)
        } else if behind > 0 && before.len() + behind - 1 == column {
            Self::Cut(1)
        } else {
            Self::Reindent { behind, column }
        }
    }

    pub(super) fn apply(self, piece: &str) -> String {
        let mut out = String::with_capacity(piece.len());
        for line in piece.split_inclusive('\n') {
            let Some((before, after)) = split_comment(line) else {
                out.push_str(line);
                continue;
            };
            match self {
                Self::Cut(count) => {
                    out.push_str(before);
                    out.push_str(outdent(after, count));
                }
                Self::Reindent { behind, column } => {
                    let rest = outdent(after, behind);
                    if !rest.trim().is_empty() {
                        out.extend(std::iter::repeat_n(' ', column));
                    }
                    out.push_str(rest);
                }
            }
        }
        out
    }
}
