//! Scalars in quotes.

use std::borrow::Cow;

use crate::yaml::Style;

use super::Scanner;
use super::cursor::TextPosition;
use super::plain::Breaks;
use super::token::{ScanError, ScanTokenKind};

impl<'t> Scanner<'t> {
    pub(super) fn scan_quoted(&mut self, quote: u8) -> Result<(), ScanError> {
        let start = self.cursor.point;
        self.cursor.skip();
        let text = match self.simple_quoted(quote) {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(self.quoted_text(quote, start)?),
        };
        self.cursor.skip();
        let style = if quote == b'"' { Style::DoubleQuoted } else { Style::SingleQuoted };
        self.push(ScanTokenKind::Scalar(text, style), start);
        Ok(())
    }

    /// Reads the text up to the closing quote, if it is on one line and has no escapes.
    fn simple_quoted(&mut self, quote: u8) -> Option<&'t str> {
        let start = self.cursor.point.at;
        let rest = &self.cursor.text[start..];
        let is_special =
            |byte: u8| byte == quote || matches!(byte, b'\\' | b'\n' | b'\r' | 0xC2 | 0xE2);
        let length = rest.bytes().position(is_special)?;
        let bytes = rest.as_bytes();
        if bytes[length] != quote || quote == b'\'' && bytes.get(length + 1) == Some(&quote) {
            return None;
        }
        self.cursor.skip_to(start + length);
        Some(&rest[..length])
    }

    fn quoted_text(&mut self, quote: u8, start: TextPosition) -> Result<String, ScanError> {
        let source = self.cursor.text;
        let mut text = String::new();
        loop {
            if self.cursor.is_document_indicator() {
                return Err(self.refuse(start, "found unexpected document indicator"));
            }
            if self.cursor.is_end() {
                return Err(self.refuse(start, "found unexpected end of stream"));
            }
            let mut leading_blanks = false;
            while !self.cursor.is_gap(0) {
                let byte = self.cursor.byte(0);
                if byte == quote {
                    if quote == b'"' || self.cursor.byte(1) != quote {
                        break;
                    }
                    text.push('\'');
                    self.cursor.skip();
                    self.cursor.skip();
                } else if quote == b'"' && byte == b'\\' && self.cursor.is_break(1) {
                    self.cursor.skip();
                    self.cursor.skip_line();
                    leading_blanks = true;
                    break;
                } else if quote == b'"' && byte == b'\\' {
                    self.scan_escape(&mut text, start)?;
                } else {
                    let at = self.cursor.point.at;
                    self.cursor.skip();
                    text.push_str(&source[at..self.cursor.point.at]);
                }
            }
            if self.cursor.byte(0) == quote {
                return Ok(text);
            }
            self.quoted_gap(&mut text, leading_blanks);
        }
    }

    /// Reads blanks and line breaks in a quoted scalar; `is_escaped` is true after an escaped line
    /// break, which is dropped.
    fn quoted_gap(&mut self, text: &mut String, is_escaped: bool) {
        let at = self.cursor.point.at;
        let mut blanks = at..at;
        let mut breaks = Breaks::default();
        let mut leading_blanks = is_escaped;
        while self.cursor.is_blank(0) || self.cursor.is_break(0) {
            if self.cursor.is_blank(0) {
                self.cursor.skip();
                if !leading_blanks {
                    blanks.end = self.cursor.point.at;
                }
                continue;
            }
            let line = self.cursor.skip_line();
            if is_escaped {
                breaks.push_more(line);
            } else {
                breaks.push(line);
            }
            leading_blanks = true;
        }
        if leading_blanks {
            breaks.fold(text);
        } else {
            text.push_str(&self.cursor.text[blanks]);
        }
    }

    fn scan_escape(&mut self, text: &mut String, start: TextPosition) -> Result<(), ScanError> {
        let digits = match self.cursor.byte(1) {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            byte => {
                let Some(meant) = escaped_char(byte) else {
                    return Err(self.refuse(start, "found unknown escape character"));
                };
                text.push(meant);
                0
            }
        };
        self.cursor.skip();
        self.cursor.skip();
        if digits == 0 {
            return Ok(());
        }
        let mut value = 0_u32;
        for ahead in 0..digits {
            let Some(digit) = char::from(self.cursor.byte(ahead)).to_digit(16) else {
                return Err(self.refuse(start, "did not find expected hexdecimal number"));
            };
            value = value << 4 | digit;
        }
        let Some(meant) = char::from_u32(value) else {
            return Err(self.refuse(start, "found invalid Unicode character escape code"));
        };
        text.push(meant);
        self.cursor.skip_to(self.cursor.point.at + digits);
        Ok(())
    }
}

fn escaped_char(byte: u8) -> Option<char> {
    Some(match byte {
        b'0' => '\0',
        b'a' => '\u{7}',
        b'b' => '\u{8}',
        b't' | b'\t' => '\t',
        b'n' => '\n',
        b'v' => '\u{b}',
        b'f' => '\u{c}',
        b'r' => '\r',
        b'e' => '\u{1b}',
        b' ' => ' ',
        b'"' => '"',
        b'\'' => '\'',
        b'\\' => '\\',
        b'N' => '\u{85}',
        b'_' => '\u{a0}',
        b'L' => '\u{2028}',
        b'P' => '\u{2029}',
        _ => return None,
    })
}
