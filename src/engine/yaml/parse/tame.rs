//! The shape that most manifests have, read without the parser: block mappings and sequences of plain or simply
//! quoted scalars, one to a line, short flow lists of scalars, literal blocks. Anything else is left to the parser,
//! which would give the builder the same events for what is read here.

use std::borrow::Cow;

use super::build::Builder;
use super::bytes::all_bytes;
use super::events::{Event, EventKind};
use super::scan::Point;
use crate::yaml::Style;

/// A collection that is not closed yet.
struct Frame {
    sequence: bool,
    column: usize,
    /// Where the value of a key without one stands.
    pending: Option<Point>,
}

struct Lines<'b, 't> {
    text: &'t str,
    builder: &'b mut Builder<'t>,
    open: Vec<Frame>,
    started: bool,
    /// Where the line begins, and its number from 1.
    start: usize,
    number: usize,
    /// Where the next line begins.
    next: usize,
}

/// Reads a whole text; `None` when it has another shape, and the builder is of no use any more.
pub(super) fn read<'t>(text: &'t str, builder: &mut Builder<'t>) -> Option<()> {
    let is_tame = |byte: u8| matches!(byte, b'\n' | b' '..=b'"' | b'$'..=b'~');
    if !text.ends_with('\n') || !all_bytes(text.as_bytes(), is_tame) {
        return None;
    }
    let mut lines =
        Lines { text, builder, open: Vec::new(), started: false, start: 0, number: 0, next: 0 };
    while lines.next < text.len() {
        lines.line()?;
    }
    while !lines.open.is_empty() {
        lines.close()?;
    }
    lines.started.then_some(())
}

impl<'t> Lines<'_, 't> {
    fn line(&mut self) -> Option<()> {
        let line = self.advance()?;
        if line.is_empty() || self.number == 1 && line == "---" {
            return Some(());
        }
        let indent = indent_of(line);
        if indent == line.len() || line.ends_with(' ') {
            return None;
        }
        let at = self.start + indent;
        let rest = line.get(indent..)?;
        if rest.starts_with("- ") {
            self.item(indent, at, rest)
        } else {
            self.key(indent, at, rest)
        }
    }

    /// The next line, without its end.
    fn advance(&mut self) -> Option<&'t str> {
        let rest = self.text.get(self.next..)?;
        let line = rest.get(..rest.find('\n')?)?;
        self.start = self.next;
        self.next += line.len() + 1;
        self.number += 1;
        Some(line)
    }

    fn item(&mut self, indent: usize, at: usize, rest: &'t str) -> Option<()> {
        while self.open.last().is_some_and(|top| top.column > indent) {
            self.close()?;
        }
        match self.open.last_mut() {
            Some(top) if top.sequence && top.column == indent => {}
            Some(top) if !top.sequence && top.pending.is_some() => {
                top.pending = None;
                self.open(true, indent, at)?;
            }
            None if !self.started => self.open(true, indent, at)?,
            _ => return None,
        }
        let content = rest.get(1..)?;
        let blanks = indent_of(content);
        let (at, content) = (at + 1 + blanks, content.get(blanks..)?);
        if content.starts_with("- ") {
            return None;
        }
        if key_length(content).is_some() {
            self.open(false, indent + 1 + blanks, at)?;
            self.entry(at, content)
        } else {
            self.value(at, content, indent)
        }
    }

    fn key(&mut self, indent: usize, at: usize, rest: &'t str) -> Option<()> {
        let ends = |top: &Frame| top.column > indent || top.sequence && top.column == indent;
        while self.open.last().is_some_and(ends) {
            self.close()?;
        }
        match self.open.last_mut() {
            Some(top) if !top.sequence && top.column == indent => {
                if let Some(end) = top.pending.take() {
                    self.null(end)?;
                }
            }
            Some(top) if !top.sequence && top.pending.is_some() => {
                top.pending = None;
                self.open(false, indent, at)?;
            }
            None if !self.started => self.open(false, indent, at)?,
            _ => return None,
        }
        self.entry(at, rest)
    }

    /// `key:` or `key: value`
    fn entry(&mut self, at: usize, rest: &'t str) -> Option<()> {
        let length = key_length(rest)?;
        let key = rest.get(..length)?;
        self.scalar(key, Style::Plain, at)?;
        let behind = rest.get(length + 1..)?;
        let end = self.point(at + length + 1);
        let top = self.open.last_mut()?;
        if behind.is_empty() {
            top.pending = Some(end);
            return Some(());
        }
        let column = top.column;
        let blanks = indent_of(behind);
        self.value(at + length + 1 + blanks, behind.get(blanks..)?, column)
    }

    /// A value that takes the rest of the line, or a literal block below a collection at `column`.
    fn value(&mut self, at: usize, text: &'t str, column: usize) -> Option<()> {
        match text {
            "|" => self.literal(at, column),
            "{}" => {
                let at = self.point(at);
                self.event(EventKind::MappingStart(true), at)?;
                self.event(EventKind::MappingEnd, at)
            }
            _ if text.starts_with('[') => {
                let start = self.point(at);
                self.event(EventKind::SequenceStart(true), start)?;
                self.flow_items(at + 1, text.get(1..)?.strip_suffix(']')?)?;
                self.event(EventKind::SequenceEnd, start)
            }
            _ => match quoted(text) {
                Some((inner, style)) => self.scalar(inner, style, at),
                None if is_plain(text) => self.scalar(text, Style::Plain, at),
                None => None,
            },
        }
    }

    /// `"a", b, 'c'`
    fn flow_items(&mut self, mut at: usize, inner: &'t str) -> Option<()> {
        if inner.is_empty() {
            return Some(());
        }
        for (index, item) in inner.split(',').enumerate() {
            let blanks = indent_of(item);
            let (from, end) = (at + blanks, at + item.len());
            let item = item.get(blanks..)?;
            if index > 0 && blanks == 0 {
                return None;
            }
            match quoted(item) {
                Some((inner, style)) => self.scalar(inner, style, from)?,
                None if is_word(item) => self.scalar(item, Style::Plain, from)?,
                None => return None,
            }
            at = end + 1;
        }
        Some(())
    }

    /// The lines of a literal block that are further in than `column`; empty lines at its end are left out.
    fn literal(&mut self, at: usize, column: usize) -> Option<()> {
        let start = self.point(at);
        let first = self.advance()?;
        let indent = indent_of(first);
        if indent <= column || indent == first.len() {
            return None;
        }
        let mut content = format!("{}\n", first.get(indent..)?);
        let mut empty = 0;
        while self.next < self.text.len() {
            let before = (self.start, self.number, self.next);
            let line = self.advance()?;
            let found = indent_of(line);
            if line.is_empty() {
                empty += 1;
            } else if found == line.len() {
                return None;
            } else if found < indent {
                (self.start, self.number, self.next) = before;
                break;
            } else {
                content.extend(std::iter::repeat_n('\n', empty));
                empty = 0;
                content.push_str(line.get(indent..)?);
                content.push('\n');
            }
        }
        self.event(EventKind::Scalar(Cow::Owned(content), Style::Literal), start)
    }

    fn open(&mut self, sequence: bool, column: usize, at: usize) -> Option<()> {
        self.started = true;
        self.open.push(Frame { sequence, column, pending: None });
        let kind =
            if sequence { EventKind::SequenceStart(false) } else { EventKind::MappingStart(false) };
        let at = self.point(at);
        self.event(kind, at)
    }

    fn close(&mut self) -> Option<()> {
        let frame = self.open.pop()?;
        if let Some(end) = frame.pending {
            self.null(end)?;
        }
        let at = self.point(self.start);
        self.event(if frame.sequence { EventKind::SequenceEnd } else { EventKind::MappingEnd }, at)
    }

    fn null(&mut self, at: Point) -> Option<()> {
        self.event(EventKind::Scalar(Cow::Borrowed(""), Style::Plain), at)
    }

    fn scalar(&mut self, text: &'t str, style: Style, at: usize) -> Option<()> {
        let at = self.point(at);
        self.event(EventKind::Scalar(Cow::Borrowed(text), style), at)
    }

    fn event(&mut self, kind: EventKind<'t>, start: Point) -> Option<()> {
        // What is beyond a limit is told by the other way.
        self.builder.event(Event::new(kind, start)).ok()
    }

    /// A place on this line; the text is ASCII, so that bytes are characters.
    fn point(&self, at: usize) -> Point {
        let row = self.number - 1;
        Point { at, index: at, line: row, column: at - self.start, row }
    }
}

pub(crate) fn indent_of(line: &str) -> usize {
    line.bytes().take_while(|byte| *byte == b' ').count()
}

/// The length of a simple key that the text starts with; a `:` that ends it follows.
pub(crate) fn key_length(text: &str) -> Option<usize> {
    const LONGEST: usize = 256;
    let in_key =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/');
    let bytes = text.as_bytes();
    let length = bytes.iter().take_while(|byte| in_key(byte)).count();
    let starts = bytes.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let ends =
        bytes.get(length) == Some(&b':') && matches!(bytes.get(length + 1), None | Some(b' '));
    (starts && ends && length <= LONGEST).then_some(length)
}

/// A scalar in quotes, with nothing in it that is written in another way than it is meant.
pub(crate) fn quoted(text: &str) -> Option<(&str, Style)> {
    let (quote, style) = match text.as_bytes() {
        [b'"', .., b'"'] => (b'"', Style::DoubleQuoted),
        [b'\'', .., b'\''] => (b'\'', Style::SingleQuoted),
        _ => return None,
    };
    let inner = text.get(1..text.len() - 1)?;
    let is_simple = |byte: u8| byte != quote && byte != b'\\';
    inner.bytes().all(is_simple).then_some((inner, style))
}

/// A plain scalar outside flow collections.
pub(crate) fn is_plain(text: &str) -> bool {
    let starts = match text.as_bytes() {
        [first, ..] if first.is_ascii_alphanumeric() => true,
        [b'/' | b'_' | b'.' | b'$' | b'(' | b'+', ..] => true,
        [b'-', second, ..] => second.is_ascii_alphanumeric() || matches!(second, b'.' | b'-'),
        _ => false,
    };
    starts && !text.ends_with(':') && !text.contains(": ")
}

/// A plain scalar that is one also in flow collections.
fn is_word(text: &str) -> bool {
    let in_word =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b'-');
    text.as_bytes().first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'/')
        && text.bytes().all(in_word)
}

#[cfg(test)]
mod tests {
    use super::super::intern::Texts;
    use super::super::{Dialect, Origin, Reading, tame_document, wild_document};
    use crate::yaml::{Limits, Node, SourceId, WriterId};

    fn reading(dialect: Dialect) -> Reading {
        let origin = Origin { source: SourceId(1), writer: WriterId(2) };
        Reading { line: 3, ..Reading::new(origin, dialect, Limits::default()) }
    }

    fn tame(text: &str, dialect: Dialect) -> Option<Node> {
        tame_document(text, reading(dialect), &mut Texts::of(64))
    }

    fn parsed(text: &str, dialect: Dialect) -> Option<Node> {
        let read = wild_document(text, reading(dialect), &mut Texts::of(64));
        read.ok().and_then(|(node, _)| node)
    }

    #[test]
    fn reads_what_the_parser_reads() {
        for text in [
            "a: 1\nb: x y\nc:\n  d: 'e f'\n  g:\nh:\n",
            "---\na:\n- b: 1\n  c: [\"x\", y/z, '1']\n-   d: {}\n    e: []\n- f\ng: h\n",
            "a:\n  - b\n  - c:\n    - d\n    - e\n\n  - \"f\"\ng: null\n",
            "- op: add\n  path: /a/b\n- op: remove\n  path: /c~1d\n",
            "a: |\n  one\n    two\n\n  three\n\n\nb:\n  c: |\n    x: y\n    - z\n  d: nginx:1.2\n",
            "  a: 1\n  b: -x\n  c: http://h:80/?q=[1]\n",
        ] {
            for dialect in [Dialect::V3, Dialect::V1_1] {
                let read = tame(text, dialect);
                assert!(read.is_some(), "{text}");
                assert_eq!(read, parsed(text, dialect), "{text}");
            }
        }
    }

    #[test]
    fn leaves_everything_else_to_the_parser() {
        for text in [
            "",
            "\n",
            "a\n",
            "a: 1",
            "a: b\n  c\n",
            "a: b: c\n",
            "a:\n  b\n",
            "- a\n  b: c\n",
            "a: b \n",
            "a: # c\n  b\n",
            "a: \t1\n",
            "&a b: 1\n",
            "a: *b\n",
            "a: !x 1\n",
            "a: >\n  b\n",
            "a: |-\n  b\n",
            "a: \"\\n\"\n",
            "a: 'it''s'\n",
            "a: [b, [c]]\n",
            "a: {b: c}\n",
            "? a\n: b\n",
            "a: 1\n---\nb: 2\n",
            "a: 1\n b: 2\n",
            " a: 1\nb: 2\n",
            "- a\nb: c\n",
            "a: 1\n- b\n",
            "- - a\n",
            "-\n  a: 1\n",
            "...\n",
            "a: \u{e9}\n",
            "a: |\n\n  b\n",
            "a: \"b\" c\n",
            "a: - b\n",
            "a: `b\n",
            "%YAML 1.1\n",
            "<<: {}\n",
            "a: |\nb: 1\n",
            "a: [b,c]\n",
            "a: [b, c,]\n",
            "a: \"b\nc\"\n",
        ] {
            assert_eq!(tame(text, Dialect::V3), None, "{text}");
        }
    }
}
