//! Scalars as the two dialects read them, and their texts: plain, in quotes, and in blocks.

use std::borrow::Cow;
use std::sync::Arc;

use crate::yaml::scalar::decode_binary;
use crate::yaml::{
    Mark, Node, Scalar, ScalarType, Style, Tag, Value, YamlError, resolve_v1_1, resolve_v3,
};

use super::cursor::TextPosition;
use super::intern::TextCache;
use super::reader::{Reader, refuse_at};
use super::{YamlCause, YamlDialect};

impl Reader<'_, '_> {
    pub(super) fn scalar(
        &mut self,
        text: &str,
        style: Style,
        tag: Option<&str>,
        mark: Mark,
    ) -> Result<Node, YamlError> {
        let (written, other) = tag.map(written_tag).unwrap_or_default();
        let tagged = written.is_some();
        let tag = match written.clone() {
            Some(Tag::Other) if self.settings.dialect == YamlDialect::V1_1 => Tag::Str,
            Some(tag) => tag,
            None if style != Style::Plain => Tag::Str,
            // Kustomize: version 2 treats a lone `!` as a string.
            None if tag.is_some() && self.settings.dialect == YamlDialect::V1_1 => Tag::Str,
            None => self.resolve(text),
        };
        if self.settings.dialect == YamlDialect::V1_1
            && matches!(written, Some(Tag::Int | Tag::Float | Tag::Bool | Tag::Null))
            && self.resolve(text) == Tag::Str
        {
            let (found, text) = (Tag::Str, text.into());
            return Err(refuse_at(mark, YamlCause::OtherType { found, text, tag }));
        }
        let decoded;
        let (text, tag) = match tag {
            Tag::Binary if self.settings.dialect == YamlDialect::V1_1 => {
                decoded = decode_binary(text).map_err(|cause| refuse_at(mark, cause))?;
                (&*decoded, Tag::Str)
            }
            tag => (text, tag),
        };
        let other_tag = other.filter(|_| tag == Tag::Other).map(Arc::new);
        let scalar = Scalar { text: self.texts.share(text), tag, style, tagged, other_tag };
        Ok(Node { value: Value::Scalar(scalar), mark, comments: None })
    }

    fn resolve(&self, text: &str) -> Tag {
        resolved_tag(text, self.settings.dialect)
    }
}

pub(super) fn resolved_tag(text: &str, dialect: YamlDialect) -> Tag {
    match dialect {
        YamlDialect::V3 => resolve_v3(text).tag(),
        YamlDialect::V1_1 => resolve_v1_1(text).tag(),
    }
}

/// A key of a configuration as converted to JSON: `n` is `false`, `0x10` is `16`.
pub(super) fn config_key(
    text: &str,
    tag: Tag,
    style: Style,
    texts: &mut TextCache,
) -> Result<Scalar, YamlCause> {
    let shown = match tag {
        Tag::Bool | Tag::Int | Tag::Float => match resolve_v1_1(text) {
            ScalarType::Bool(value) => Cow::Owned(value.to_string()),
            ScalarType::Int(value) => Cow::Owned(value.to_string()),
            ScalarType::Float(value) => Cow::Owned(float_key(value)),
            _ => Cow::Borrowed(text),
        },
        Tag::Null => return Err(YamlCause::NullKey),
        _ => Cow::Borrowed(text),
    };
    let tag = if tag == Tag::Merge { tag } else { Tag::Str };
    Ok(Scalar { text: texts.share(&shown), tag, style, ..Scalar::default() })
}

/// The tag as go-yaml shortens it, and its name if it is outside YAML's own; a lone `!` is ignored.
fn written_tag(full: &str) -> (Option<Tag>, Option<String>) {
    let Some(short) = full.strip_prefix("tag:yaml.org,2002:") else {
        return if full == "!" { (None, None) } else { (Some(Tag::Other), Some(full.to_owned())) };
    };
    let tag = match short {
        "str" => Tag::Str,
        "int" => Tag::Int,
        "float" => Tag::Float,
        "bool" => Tag::Bool,
        "null" => Tag::Null,
        "timestamp" => Tag::Timestamp,
        "binary" => Tag::Binary,
        "merge" => Tag::Merge,
        other => return (Some(Tag::Other), Some(format!("!!{other}"))),
    };
    (Some(tag), None)
}

/// A double as a key of a configuration, in the form of Go's `FormatFloat(value, 'g', -1, 32)`.
fn float_key(value: f64) -> String {
    if value.is_nan() {
        return ".nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    #[expect(clippy::cast_possible_truncation, reason = "keys are printed in single precision")]
    let single = value as f32;
    let scientific = format!("{single:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        return format!("{single}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    /// One line break is kept.
    Clip,
    Strip,
    Keep,
}

/// Appends the line breaks between two lines of a folded text: a single break becomes a space, of
/// several the first is dropped.
fn push_folded_breaks(text: &mut String, breaks: usize) {
    match breaks {
        1 => text.push(' '),
        breaks => text.extend(std::iter::repeat_n('\n', breaks.saturating_sub(1))),
    }
}

impl<'t> Reader<'t, '_> {
    /// Reads a plain scalar and the blanks and line breaks after it.
    pub(super) fn plain_text(&mut self) -> Result<Cow<'t, str>, YamlError> {
        let source = self.cursor.text;
        let start = self.cursor.point;
        let (mut end, mut line_start) = (start.at, start.at);
        let mut folded: Option<String> = None;
        let mut breaks = 0;
        let indent = self.indent + 1;
        while !self.cursor.is_document_indicator() && self.cursor.byte(0) != b'#' {
            let length = self.plain_length();
            if length > 0 {
                if breaks > 0 {
                    let text = folded.get_or_insert_default();
                    text.push_str(&source[line_start..end]);
                    push_folded_breaks(text, breaks);
                    line_start = self.cursor.point.at;
                    breaks = 0;
                }
                self.cursor.skip_to(self.cursor.point.at + length);
                end = self.cursor.point.at;
            }
            if !self.cursor.is_gap(0) || self.cursor.is_end() {
                break;
            }
            while self.cursor.is_blank(0) || self.cursor.is_break(0) {
                if self.cursor.is_break(0) {
                    self.cursor.skip_line();
                    breaks += 1;
                    continue;
                }
                if breaks > 0 && self.column() < indent && self.cursor.byte(0) == b'\t' {
                    let words = "found a tab character that violates indentation";
                    return Err(self.scan_error(start, words));
                }
                self.cursor.skip();
            }
            if self.flow_level == 0 && self.column() < indent {
                break;
            }
        }
        self.key_allowed = breaks > 0;
        self.token_end = end;
        let last = &source[line_start..end];
        Ok(match folded {
            None => Cow::Borrowed(last),
            Some(text) => Cow::Owned(text + last),
        })
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
                _ => length += 1,
            }
        }
    }

    pub(super) fn quoted_text(&mut self, quote: u8) -> Result<Cow<'t, str>, YamlError> {
        let start = self.cursor.point;
        self.cursor.skip();
        let text = match self.simple_quoted(quote) {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(self.escaped_text(quote, start)?),
        };
        self.cursor.skip();
        self.token_end = self.cursor.point.at;
        Ok(text)
    }

    /// Reads the text up to the closing quote, if it is on one line and has no escapes.
    fn simple_quoted(&mut self, quote: u8) -> Option<&'t str> {
        let start = self.cursor.point.at;
        let rest = &self.cursor.text[start..];
        let is_special = |byte: u8| byte == quote || matches!(byte, b'\\' | b'\n' | b'\r');
        let length = rest.bytes().position(is_special)?;
        let bytes = rest.as_bytes();
        if bytes[length] != quote || quote == b'\'' && bytes.get(length + 1) == Some(&quote) {
            return None;
        }
        self.cursor.skip_to(start + length);
        Some(&rest[..length])
    }

    fn escaped_text(&mut self, quote: u8, start: TextPosition) -> Result<String, YamlError> {
        let source = self.cursor.text;
        let mut text = String::new();
        loop {
            if self.cursor.is_document_indicator() {
                return Err(self.scan_error(start, "found unexpected document indicator"));
            }
            if self.cursor.is_end() {
                return Err(self.scan_error(start, "found unexpected end of stream"));
            }
            let mut is_break_escaped = false;
            while !self.cursor.is_gap(0) {
                let byte = self.cursor.byte(0);
                if byte == quote {
                    if quote == b'"' || self.cursor.byte(1) != quote {
                        return Ok(text);
                    }
                    text.push('\'');
                    self.cursor.skip_to(self.cursor.point.at + 2);
                } else if quote == b'"' && byte == b'\\' && self.cursor.is_break(1) {
                    self.cursor.skip();
                    self.cursor.skip_line();
                    is_break_escaped = true;
                    break;
                } else if quote == b'"' && byte == b'\\' {
                    self.push_escape(&mut text, start)?;
                } else {
                    let at = self.cursor.point.at;
                    self.cursor.skip();
                    text.push_str(&source[at..self.cursor.point.at]);
                }
            }
            self.push_quoted_gap(&mut text, is_break_escaped);
        }
    }

    /// Reads blanks and line breaks in a quoted scalar. An escaped line break before them is
    /// dropped.
    fn push_quoted_gap(&mut self, text: &mut String, is_break_escaped: bool) {
        let start = self.cursor.point.at;
        let (mut end, mut breaks) = (start, usize::from(is_break_escaped));
        while self.cursor.is_blank(0) || self.cursor.is_break(0) {
            if self.cursor.is_break(0) {
                self.cursor.skip_line();
                breaks += 1;
                continue;
            }
            self.cursor.skip();
            if breaks == 0 {
                end = self.cursor.point.at;
            }
        }
        match breaks {
            0 => text.push_str(&self.cursor.text[start..end]),
            1 if is_break_escaped => {}
            _ => push_folded_breaks(text, breaks),
        }
    }

    fn push_escape(&mut self, text: &mut String, start: TextPosition) -> Result<(), YamlError> {
        let digits = match self.cursor.byte(1) {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            byte => {
                let Some(meant) = escaped_char(byte) else {
                    return Err(self.scan_error(start, "found unknown escape character"));
                };
                text.push(meant);
                self.cursor.skip_to(self.cursor.point.at + 2);
                return Ok(());
            }
        };
        let at = self.cursor.point.at + 2;
        let written = self.cursor.text.get(at..at + digits);
        let value = written.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let Some(value) = value.and_then(|digits| u32::from_str_radix(digits, 16).ok()) else {
            return Err(self.scan_error(start, "did not find expected hexdecimal number"));
        };
        let Some(meant) = char::from_u32(value) else {
            return Err(self.scan_error(start, "found invalid Unicode character escape code"));
        };
        text.push(meant);
        self.cursor.skip_to(at + digits);
        Ok(())
    }

    /// Reads a literal or folded block: its lines are indented more than the block around it.
    pub(super) fn block_text(&mut self, style: Style) -> Result<String, YamlError> {
        let start = self.cursor.point;
        self.cursor.skip();
        let (chomping, more) = self.block_header(start)?;
        let around = usize::try_from(self.indent).unwrap_or(0);
        let mut indent = if more > 0 { around + more } else { 0 };
        let mut breaks = self.skip_empty_lines(&mut indent, start)?;
        let mut text = String::new();
        let (mut is_first, mut was_blank) = (true, false);
        while self.cursor.point.column == indent && !self.cursor.is_end() {
            let is_blank = self.cursor.is_blank(0);
            let folds = style == Style::Folded && !was_blank && !is_blank;
            match (is_first, folds) {
                (true, _) => text.extend(std::iter::repeat_n('\n', breaks)),
                (false, true) => push_folded_breaks(&mut text, breaks + 1),
                (false, false) => text.extend(std::iter::repeat_n('\n', breaks + 1)),
            }
            (is_first, was_blank) = (false, is_blank);
            text.push_str(self.cursor.take_rest_of_line());
            let has_break = self.cursor.is_break(0);
            self.cursor.skip_line();
            breaks = self.skip_empty_lines(&mut indent, start)?;
            if !has_break {
                self.key_allowed = true;
                return Ok(text);
            }
        }
        let last = usize::from(!is_first);
        let kept = match chomping {
            Chomping::Strip => 0,
            Chomping::Clip => last,
            Chomping::Keep => last + breaks,
        };
        text.extend(std::iter::repeat_n('\n', kept));
        self.key_allowed = true;
        Ok(text)
    }

    /// Reads the header of a block: chomping and indentation, in either order, and the rest of the
    /// line.
    fn block_header(&mut self, start: TextPosition) -> Result<(Chomping, usize), YamlError> {
        let mut chomping = self.chomping();
        let mut more = 0;
        if let digit @ b'0'..=b'9' = self.cursor.byte(0) {
            if digit == b'0' {
                return Err(self.scan_error(start, "found an indentation indicator equal to 0"));
            }
            more = usize::from(digit - b'0');
            self.cursor.skip();
            chomping = chomping.or_else(|| self.chomping());
        }
        self.cursor.skip_blanks();
        if self.cursor.byte(0) == b'#' {
            self.line_comment(start.at);
            self.cursor.take_rest_of_line();
        }
        if !self.cursor.is_break(0) && !self.cursor.is_end() {
            return Err(self.scan_error(start, "did not find expected comment or line break"));
        }
        self.cursor.skip_line();
        Ok((chomping.unwrap_or(Chomping::Clip), more))
    }

    fn chomping(&mut self) -> Option<Chomping> {
        let chomping = match self.cursor.byte(0) {
            b'+' => Chomping::Keep,
            b'-' => Chomping::Strip,
            _ => return None,
        };
        self.cursor.skip();
        Some(chomping)
    }

    /// Skips indentation and empty lines, and returns the number of these lines; an `indent` of 0 is
    /// replaced by the indentation found.
    fn skip_empty_lines(
        &mut self,
        indent: &mut usize,
        start: TextPosition,
    ) -> Result<usize, YamlError> {
        self.token_end = self.cursor.point.at;
        let (mut deepest, mut breaks) = (0, 0);
        loop {
            let inside = |column: usize| *indent == 0 || column < *indent;
            while inside(self.cursor.point.column) && self.cursor.byte(0) == b' ' {
                self.cursor.skip();
            }
            deepest = deepest.max(self.cursor.point.column);
            if inside(self.cursor.point.column) && self.cursor.byte(0) == b'\t' {
                let words = "found a tab character where an indentation space is expected";
                return Err(self.scan_error(start, words));
            }
            if !self.cursor.is_break(0) {
                break;
            }
            self.cursor.skip_line();
            breaks += 1;
            self.token_end = self.cursor.point.at;
        }
        if *indent == 0 {
            let around = usize::try_from(self.indent + 1).unwrap_or(0);
            *indent = deepest.max(around).max(1);
        }
        Ok(breaks)
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
