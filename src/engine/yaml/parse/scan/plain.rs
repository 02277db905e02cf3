//! Plain scalars.

use std::borrow::Cow;

use crate::yaml::Style;

use super::Scanner;
use super::token::{ScanError, ScanTokenKind};

#[derive(Default)]
pub(super) struct Breaks<'t> {
    first: Option<&'t str>,
    more: String,
}

impl<'t> Breaks<'t> {
    pub(super) fn push(&mut self, line: &'t str) {
        if self.first.is_none() {
            self.first = Some(line);
        } else {
            self.more.push_str(line);
        }
    }

    /// Adds a line break after the first one of a gap between two lines.
    pub(super) fn push_more(&mut self, line: &str) {
        self.more.push_str(line);
    }

    /// Appends the folded breaks: a single break becomes a space, of several the first is dropped.
    pub(super) fn fold(&mut self, text: &mut String) {
        match self.first.take() {
            Some("\n") if self.more.is_empty() => text.push(' '),
            Some("\n") | None => {}
            Some(kept) => text.push_str(kept),
        }
        text.push_str(&self.more);
        self.more.clear();
    }
}

impl Scanner<'_> {
    pub(super) fn scan_plain(&mut self) -> Result<(), ScanError> {
        let source = self.cursor.text;
        let start = self.cursor.point;
        let (mut end, mut line_start) = (start, start.at);
        let mut folded: Option<String> = None;
        let mut breaks = Breaks::default();
        let mut leading_blanks = false;
        let indent = self.indent + 1;
        loop {
            if self.cursor.is_document_indicator() || self.cursor.byte(0) == b'#' {
                break;
            }
            let length = self.plain_length();
            if length > 0 {
                if leading_blanks {
                    let text = folded.get_or_insert_default();
                    text.push_str(&source[line_start..end.at]);
                    breaks.fold(text);
                    line_start = self.cursor.point.at;
                    leading_blanks = false;
                }
                self.cursor.skip_to(self.cursor.point.at + length);
                end = self.cursor.point;
            }
            if !self.cursor.is_blank(0) && !self.cursor.is_break(0) {
                break;
            }
            while self.cursor.is_blank(0) || self.cursor.is_break(0) {
                if self.cursor.is_break(0) {
                    breaks.push(self.cursor.skip_line());
                    leading_blanks = true;
                    continue;
                }
                if leading_blanks && self.is_left_of(indent) && self.cursor.byte(0) == b'\t' {
                    let words = "found a tab character that violates indentation";
                    return Err(self.refuse(start, words));
                }
                self.cursor.skip();
            }
            if self.flow_level == 0 && self.is_left_of(indent) {
                break;
            }
        }
        let last = &source[line_start..end.at];
        let text = match folded {
            None => Cow::Borrowed(last),
            Some(text) => Cow::Owned(text + last),
        };
        self.tokens.push(super::ScanToken {
            kind: ScanTokenKind::Scalar(text, Style::Plain),
            start,
            end,
        });
        if leading_blanks {
            self.key_allowed = true;
        }
        Ok(())
    }

    pub(super) fn is_left_of(&self, indent: isize) -> bool {
        isize::try_from(self.cursor.point.column).is_ok_and(|column| column < indent)
    }

    /// The number of bytes up to the next blank, line break or character that ends a plain scalar.
    fn plain_length(&self) -> usize {
        let in_flow = self.flow_level > 0;
        let mut length = 0;
        loop {
            match self.cursor.byte(length) {
                0 | b' ' | b'\t' | b'\n' | b'\r' => return length,
                b':' if self.cursor.is_gap(length + 1) => return length,
                b',' | b'?' | b'[' | b']' | b'{' | b'}' if in_flow => return length,
                0xC2 | 0xE2 if self.cursor.is_break(length) => return length,
                _ => length += 1,
            }
        }
    }
}
