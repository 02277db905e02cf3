//! Strings as go-yaml v2 writes them: plain, single-quoted, double-quoted or as a literal block,
//! the escapes of characters, and the positions of line folds.

use std::fmt::Write as _;

use super::plain_text::{PlainText, reads_as_string};
use super::scalar_analysis::{ScalarAnalysis, is_break, is_printable};

/// The width beyond which a space becomes a line break.
const MAX_LINE_WIDTH: usize = 80;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quote {
    Plain,
    Single,
    Double,
    Literal,
}

/// Whether the emitter may break lines in a scalar and start blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FoldPolicy {
    /// A key on one line.
    Never,
    Allowed,
}

impl Quote {
    /// The style that go-yaml v2 chooses.
    pub(super) fn choose(text: &str, fold: FoldPolicy) -> Self {
        let facts = ScalarAnalysis::examine(text);
        if text.contains('\n') {
            let block = facts.allows_block_v2() && fold == FoldPolicy::Allowed;
            return if block { Self::Literal } else { Self::Double };
        }
        if !reads_as_string(text) {
            return Self::Double;
        }
        match facts {
            facts if facts.allows_plain() => Self::Plain,
            facts if facts.allows_single() => Self::Single,
            _ => Self::Double,
        }
    }
}

/// The text under construction, with the start of its last line.
#[derive(Debug, Default)]
pub(super) struct PrintedText {
    pub(super) out: String,
    line: usize,
}

impl PrintedText {
    /// A text to which a new line is appended: `out` is empty or ends with a line break.
    pub(super) fn after_line_end(out: String) -> Self {
        Self { line: out.len(), out }
    }

    pub(super) fn newline(&mut self) {
        self.out.push('\n');
        self.line = self.out.len();
    }

    pub(super) fn push_spaces(&mut self, count: usize) {
        const SPACES: &str = "                                ";
        let mut left = count;
        while left > 0 {
            let step = left.min(SPACES.len());
            self.out.push_str(&SPACES[..step]);
            left -= step;
        }
    }

    /// Writes a string; `indent` is the indentation of its further lines. Only a literal block is
    /// followed by a line end.
    pub(super) fn string(&mut self, text: &str, indent: usize, fold: FoldPolicy) {
        if let Some(tame) = PlainText::classify(text)
            && reads_as_string(text)
            && (tame == PlainText::Whole || fold == FoldPolicy::Never || !self.is_long(text))
        {
            self.out.push_str(text);
            return;
        }
        match Quote::choose(text, fold) {
            Quote::Plain => self.push_folded(text, indent, fold, Quote::Plain),
            Quote::Single => {
                self.out.push('\'');
                self.push_folded(text, indent, fold, Quote::Single);
                self.out.push('\'');
            }
            Quote::Double => {
                self.out.push('"');
                self.double(text, indent, fold);
                self.out.push('"');
            }
            Quote::Literal => self.literal(text, indent),
        }
    }

    fn column(&self) -> usize {
        self.out[self.line..].chars().count()
    }

    /// True if the line would exceed the width, so that it may have to be broken.
    fn is_long(&self, text: &str) -> bool {
        self.out.len() - self.line + text.len() > MAX_LINE_WIDTH
    }

    /// Appends a plain or single-quoted text, with line breaks in place of spaces beyond the width.
    fn push_folded(&mut self, text: &str, indent: usize, fold: FoldPolicy, quote: Quote) {
        let quotes = quote == Quote::Single && text.contains('\'');
        let wraps = fold == FoldPolicy::Allowed && self.is_long(text) && text.contains(' ');
        if !quotes && !wraps && !text.contains(['\u{2028}', '\u{2029}']) {
            self.out.push_str(text);
            return;
        }
        let mut column = self.column();
        let (mut spaces, mut breaks) = (false, false);
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            if c == ' ' {
                let next = chars.peek().map(|(_, next)| *next);
                let inside = quote == Quote::Plain || at > 0 && next.is_some();
                if wraps && !spaces && column > MAX_LINE_WIDTH && inside && next != Some(' ') {
                    column = self.start_indented_line(indent);
                } else {
                    self.out.push(' ');
                    column += 1;
                }
                spaces = true;
                continue;
            }
            if is_break(c) {
                self.out.push(c);
                self.line = self.out.len();
                column = 0;
                breaks = true;
                continue;
            }
            if breaks {
                self.push_spaces(indent);
                column = indent;
            }
            if c == '\'' && quote == Quote::Single {
                self.out.push('\'');
                column += 1;
            }
            self.out.push(c);
            column += 1;
            (spaces, breaks) = (false, false);
        }
    }

    /// Starts a new line with this indentation, and returns its column.
    fn start_indented_line(&mut self, indent: usize) -> usize {
        self.newline();
        self.push_spaces(indent);
        indent
    }

    fn double(&mut self, text: &str, indent: usize, fold: FoldPolicy) {
        let wraps = fold == FoldPolicy::Allowed && text.contains(' ');
        let bom = text.starts_with('\u{FEFF}');
        let mut spaces = false;
        let mut chars = text.char_indices().peekable();
        let (mut column, mut counted) = (self.column(), self.out.len());
        while let Some((at, c)) = chars.next() {
            // Kustomize: go-yaml v2 escapes every character of a text that starts with a byte order
            // mark.
            if bom || must_escape(c) {
                escape(c, &mut self.out);
                spaces = false;
            } else if c == ' ' {
                column += self.out[counted..].chars().count();
                counted = self.out.len();
                let next = chars.peek().map(|(_, next)| *next);
                if wraps && !spaces && column > MAX_LINE_WIDTH && at > 0 && next.is_some() {
                    column = self.start_indented_line(indent);
                    counted = self.out.len();
                    if next == Some(' ') {
                        self.out.push('\\');
                    }
                } else {
                    self.out.push(' ');
                }
                spaces = true;
            } else {
                self.out.push(c);
                spaces = false;
            }
        }
    }

    fn literal(&mut self, text: &str, indent: usize) {
        self.out.push('|');
        if text.starts_with(|c| c == ' ' || is_break(c)) {
            self.out.push('2');
        }
        let mut ends = text.chars().rev();
        match (ends.next().is_some_and(is_break), ends.next()) {
            (false, _) => self.out.push('-'),
            (true, before) if before.is_none_or(is_break) => self.out.push('+'),
            (true, _) => {}
        }
        self.newline();
        if text.is_ascii() && !text.contains('\r') {
            for line in text.split_inclusive('\n') {
                if line != "\n" {
                    self.push_spaces(indent);
                }
                self.out.push_str(line);
            }
        } else {
            for line in text.split_inclusive(is_break) {
                if !line.starts_with(is_break) {
                    self.push_spaces(indent);
                }
                self.out.push_str(line);
            }
        }
        if !text.ends_with(is_break) {
            self.out.push('\n');
        }
        self.line = self.out.len();
    }
}

pub(in super::super) fn must_escape(c: char) -> bool {
    matches!(c, '"' | '\\') || is_break(c) || !is_printable(c)
}

/// True for a character that JSON leaves unescaped and go-yaml refuses: `control characters are not
/// allowed`.
pub(super) fn is_refused_in_json(c: char) -> bool {
    matches!(c, '\u{7F}'..='\u{84}' | '\u{86}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}')
}

pub(in super::super) fn escape(c: char, out: &mut String) {
    let short = match c {
        '\0' => '0',
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{B}' => 'v',
        '\u{C}' => 'f',
        '\r' => 'r',
        '\u{1B}' => 'e',
        '"' => '"',
        '\\' => '\\',
        '\u{85}' => 'N',
        '\u{A0}' => '_',
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        _ => {
            let code = u32::from(c);
            // Writing to a `String` cannot fail.
            let _ = match code {
                ..=0xFF => write!(out, "\\x{code:02X}"),
                0x100..=0xFFFF => write!(out, "\\u{code:04X}"),
                _ => write!(out, "\\U{code:08X}"),
            };
            return;
        }
    };
    out.push('\\');
    out.push(short);
}
