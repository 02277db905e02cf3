//! Walking over a text as go-yaml counts it: characters, lines and columns.

use crate::yaml::Mark;

/// A position in a text, as byte, character, line and column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct TextPosition {
    /// The offset in bytes.
    pub(in super::super) at: usize,
    pub(in super::super) index: usize,
    /// The line as go-yaml counts it, from 0; U+0085, U+2028 and U+2029 also end a line.
    pub(in super::super) line: usize,
    /// The column, from 0, in characters.
    pub(in super::super) column: usize,
    /// The line of the file, counted from 0; only a line feed ends it.
    pub(in super::super) row: usize,
}

impl TextPosition {
    /// The mark of the position, in a text that begins after `line` lines of a file.
    pub(in super::super) fn mark(self, line: u32, origin: Mark) -> Mark {
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX).saturating_add(1);
        let line = line.saturating_add(number(self.row));
        Mark { line, column: number(self.column), ..origin }
    }
}

pub(super) struct ScanCursor<'t> {
    pub(super) text: &'t str,
    pub(super) point: TextPosition,
    /// How many line breaks were passed since the last character that is no blank.
    pub(super) newlines: usize,
}

impl<'t> ScanCursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, point: TextPosition::default(), newlines: 0 }
    }

    /// The byte at this distance, 0 after the end. Texts contain no zero bytes.
    pub(super) fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.point.at + ahead).copied().unwrap_or(0)
    }

    pub(super) fn is_end(&self) -> bool {
        self.point.at >= self.text.len()
    }

    pub(super) fn is_blank(&self, ahead: usize) -> bool {
        matches!(self.byte(ahead), b' ' | b'\t')
    }

    /// The length in bytes of the line break at this distance; 0 if the text has no break at this
    /// point.
    pub(super) fn break_length(&self, ahead: usize) -> usize {
        let bytes = self.text.as_bytes().get(self.point.at + ahead..).unwrap_or_default();
        match bytes {
            [b'\r', b'\n', ..] | [0xC2, 0x85, ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            [0xE2, 0x80, 0xA8 | 0xA9, ..] => 3,
            _ => 0,
        }
    }

    pub(super) fn is_break(&self, ahead: usize) -> bool {
        self.break_length(ahead) > 0
    }

    /// True at a line break or at the end of the text, `ahead` bytes after the cursor.
    pub(super) fn is_break_or_end(&self, ahead: usize) -> bool {
        self.byte(ahead) == 0 || self.is_break(ahead)
    }

    /// True at a blank, at a line break or at the end of the text, `ahead` bytes after the cursor.
    pub(super) fn is_gap(&self, ahead: usize) -> bool {
        self.is_blank(ahead) || self.is_break_or_end(ahead)
    }

    /// True if the cursor is at a `---` or `...` that is alone at the start of a line.
    pub(super) fn is_document_indicator(&self) -> bool {
        let bytes = self.text.as_bytes().get(self.point.at..).unwrap_or_default();
        self.point.column == 0
            && (bytes.starts_with(b"---") || bytes.starts_with(b"..."))
            && self.is_gap(3)
    }

    pub(super) fn skip(&mut self) {
        let Some(c) = self.text.get(self.point.at..).and_then(|rest| rest.chars().next()) else {
            return;
        };
        if !matches!(c, ' ' | '\t') {
            self.newlines = 0;
        }
        self.point.at += c.len_utf8();
        self.point.index += 1;
        self.point.column += 1;
    }

    /// Skips to this byte of the same line.
    pub(super) fn skip_to(&mut self, end: usize) {
        let passed = &self.text.as_bytes()[self.point.at..end];
        if passed.iter().any(|byte| !matches!(byte, b' ' | b'\t')) {
            self.newlines = 0;
        }
        let characters = passed.iter().filter(|byte| (**byte & 0xC0) != 0x80).count();
        self.point.at = end;
        self.point.index += characters;
        self.point.column += characters;
    }

    pub(super) fn skip_blanks(&mut self) {
        while self.is_blank(0) {
            self.skip();
        }
    }

    /// Skips a line break and returns its text in a scalar.
    pub(super) fn skip_line(&mut self) -> &'t str {
        let length = self.break_length(0);
        let written = &self.text[self.point.at..self.point.at + length];
        if length == 0 {
            return written;
        }
        self.point.at += length;
        self.point.index += if written == "\r\n" { 2 } else { 1 };
        self.point.line += 1;
        self.point.row += usize::from(written.ends_with('\n'));
        self.point.column = 0;
        self.newlines += 1;
        if matches!(written, "\u{2028}" | "\u{2029}") { written } else { "\n" }
    }

    pub(super) fn take_rest_of_line(&mut self) -> &'t str {
        let start = self.point.at;
        let mut ahead = 0;
        while !self.is_break_or_end(ahead) {
            ahead += 1;
        }
        self.skip_to(start + ahead);
        &self.text[start..self.point.at]
    }

    pub(super) fn take_word(&mut self) -> &'t str {
        let start = self.point.at;
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let rest = &self.text.as_bytes()[start..];
        let length = rest.iter().take_while(|byte| is_word(**byte)).count();
        self.skip_to(start + length);
        &self.text[start..start + length]
    }
}
