//! Walking over a text: characters, lines and columns.

use crate::yaml::Mark;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TextPosition {
    /// The offset in bytes.
    pub(super) at: usize,
    /// The line, from 0.
    pub(super) line: usize,
    /// The column, from 0, in characters.
    pub(super) column: usize,
}

impl TextPosition {
    /// The mark of the position, in a text that begins after `line` lines of a file.
    pub(super) fn mark(self, line: u32, origin: Mark) -> Mark {
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX).saturating_add(1);
        let line = line.saturating_add(number(self.line));
        Mark { line, column: number(self.column), ..origin }
    }
}

pub(super) struct Cursor<'t> {
    pub(super) text: &'t str,
    pub(super) point: TextPosition,
    /// How many line breaks were passed since the last character that is no blank.
    pub(super) newlines: usize,
}

impl<'t> Cursor<'t> {
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

    pub(super) fn is_break(&self, ahead: usize) -> bool {
        matches!(self.byte(ahead), b'\n' | b'\r')
    }

    /// True at a blank, at a line break or at the end of the text, `ahead` bytes after the cursor.
    pub(super) fn is_gap(&self, ahead: usize) -> bool {
        matches!(self.byte(ahead), 0 | b' ' | b'\t' | b'\n' | b'\r')
    }

    /// True if the cursor is at a `---` or `...` that is alone at the start of a line.
    pub(super) fn is_document_indicator(&self) -> bool {
        self.point.column == 0
            && matches!(self.byte(0), b'-' | b'.')
            && self.byte(1) == self.byte(0)
            && self.byte(2) == self.byte(0)
            && self.is_gap(3)
    }

    pub(super) fn skip(&mut self) {
        let Some(c) = self.text.get(self.point.at..).and_then(|rest| rest.chars().next()) else {
            return;
        };
        self.skip_to(self.point.at + c.len_utf8());
    }

    /// Skips to this byte of the same line.
    pub(super) fn skip_to(&mut self, end: usize) {
        let passed = &self.text.as_bytes()[self.point.at..end];
        if passed.iter().any(|byte| !matches!(byte, b' ' | b'\t')) {
            self.newlines = 0;
        }
        self.point.at = end;
        self.point.column += passed.iter().filter(|byte| (**byte & 0xC0) != 0x80).count();
    }

    pub(super) fn skip_blanks(&mut self) {
        while self.is_blank(0) {
            self.skip();
        }
    }

    /// Skips a line break: a line feed, a carriage return, or both.
    pub(super) fn skip_line(&mut self) {
        if self.is_break(0) {
            self.point.at += if self.byte(0) == b'\r' && self.byte(1) == b'\n' { 2 } else { 1 };
            self.point.line += 1;
            self.point.column = 0;
            self.newlines += 1;
        }
    }

    pub(super) fn take_rest_of_line(&mut self) -> &'t str {
        let rest = &self.text[self.point.at..];
        self.take(rest.find(['\n', '\r']).unwrap_or(rest.len()))
    }

    pub(super) fn take_word(&mut self) -> &'t str {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let rest = &self.text.as_bytes()[self.point.at..];
        self.take(rest.iter().take_while(|byte| is_word(byte)).count())
    }

    fn take(&mut self, bytes: usize) -> &'t str {
        let start = self.point.at;
        self.skip_to(start + bytes);
        &self.text[start..start + bytes]
    }
}
