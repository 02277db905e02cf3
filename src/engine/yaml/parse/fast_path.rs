//! A fast path for the shape of most manifests, without the parser: block mappings and sequences of
//! plain or simply quoted scalars, one to a line, short flow lists of scalars, literal blocks.
//! Other texts are left to the parser, which returns the same nodes for the texts read here.

use std::sync::Arc;

use memchr::memchr;

use crate::yaml::{Mapping, MappingEntry, Mark, Node, Scalar, Style, Tag, Value};

use super::intern::{OpenCollection, OpenLists, TextCache};
use super::line_syntax::{all_bytes, is_plain, is_word, key_length, line_indentation, quoted};
use super::merge::keep_last;
use super::scalars::{config_key, resolved_tag};
use super::{ParseSettings, YamlDialect};

struct FastPathReader<'b, 't> {
    text: &'t str,
    reading: ParseSettings,
    texts: &'b mut TextCache,
    lists: OpenLists,
    root: Option<Node>,
    /// The offset at which the current line begins, and the line's number from 1.
    start: usize,
    number: usize,
    next: usize,
}

/// Reads a text of the most common shape; `None` for any other text.
pub(super) fn parse_fast_path(
    text: &[u8],
    reading: ParseSettings,
    texts: &mut TextCache,
) -> Option<Node> {
    let is_tame = |byte: u8| matches!(byte, b'\n' | b' '..=b'"' | b'$'..=b'~');
    if !text.ends_with(b"\n") || !all_bytes(text, is_tame) {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    let lists = std::mem::take(&mut texts.lists);
    let mut lines =
        FastPathReader { text, reading, texts, lists, root: None, start: 0, number: 0, next: 0 };
    let read = lines.read();
    let FastPathReader { root, mut lists, .. } = lines;
    lists.open.clear();
    lists.entries.clear();
    lists.items.clear();
    texts.lists = lists;
    read.and(root)
}

impl<'t> FastPathReader<'_, 't> {
    fn read(&mut self) -> Option<()> {
        while self.next < self.text.len() {
            self.line()?;
        }
        while !self.lists.open.is_empty() {
            self.close()?;
        }
        Some(())
    }

    fn line(&mut self) -> Option<()> {
        let line = self.advance()?;
        if line.is_empty() || self.number == 1 && line == "---" {
            return Some(());
        }
        let indent = line_indentation(line);
        if line.ends_with(' ') {
            return None;
        }
        let rest = line.get(indent..)?;
        if rest.starts_with("- ") { self.item(indent, rest) } else { self.key(indent, rest) }
    }

    /// The next line, without its end.
    fn advance(&mut self) -> Option<&'t str> {
        let rest = self.text.get(self.next..)?;
        let line = rest.get(..memchr(b'\n', rest.as_bytes())?)?;
        self.start = self.next;
        self.next += line.len() + 1;
        self.number += 1;
        Some(line)
    }

    fn item(&mut self, indent: usize, rest: &'t str) -> Option<()> {
        while self.lists.open.last().is_some_and(|top| top.column > indent) {
            self.close()?;
        }
        match self.lists.open.last_mut() {
            Some(top) if top.is_sequence && top.column == indent => {}
            Some(top) if top.is_waiting => {
                top.is_waiting = false;
                self.open(true, indent)?;
            }
            None if self.root.is_none() => self.open(true, indent)?,
            _ => return None,
        }
        let content = rest.get(1..)?;
        let blanks = line_indentation(content);
        let (column, content) = (indent + 1 + blanks, content.get(blanks..)?);
        if content.starts_with("- ") {
            return None;
        }
        if let Some(length) = key_length(content) {
            self.open(false, column)?;
            self.entry(column, content, length)
        } else {
            let item = self.value(column, content, indent)?;
            self.lists.items.push(item);
            Some(())
        }
    }

    fn key(&mut self, indent: usize, rest: &'t str) -> Option<()> {
        let length = key_length(rest)?;
        let ends =
            |top: &OpenCollection| top.column > indent || top.is_sequence && top.column == indent;
        while self.lists.open.last().is_some_and(ends) {
            self.close()?;
        }
        match self.lists.open.last_mut() {
            Some(top) if !top.is_sequence && top.column == indent => top.is_waiting = false,
            Some(top) if top.is_waiting => {
                top.is_waiting = false;
                self.open(false, indent)?;
            }
            None if self.root.is_none() => self.open(false, indent)?,
            _ => return None,
        }
        self.entry(indent, rest, length)
    }

    /// Reads `key:` or `key: value`; `length` is the length of the key.
    fn entry(&mut self, column: usize, rest: &'t str, length: usize) -> Option<()> {
        let key = self.key_node(rest.get(..length)?, column)?;
        let behind = rest.get(length + 1..)?;
        let end = column + length + 1;
        let top = self.lists.open.last_mut()?;
        let value = if behind.is_empty() {
            // The entry has a null until a value follows.
            top.is_waiting = true;
            self.scalar("", Tag::Null, Style::Plain, end)
        } else {
            let outside = top.column;
            let blanks = line_indentation(behind);
            self.value(end + blanks, behind.get(blanks..)?, outside)?
        };
        self.lists.entries.push(MappingEntry { key, value });
        Some(())
    }

    /// A value that takes the rest of the line, or a literal block below a collection at `outside`.
    fn value(&mut self, column: usize, text: &'t str, outside: usize) -> Option<Node> {
        Some(match text {
            "|" => self.literal(column, outside)?,
            "{}" => {
                let mapping = Mapping { entries: Vec::new().into(), style: Style::Flow };
                self.collection(Value::Mapping(Arc::new(mapping)), column)?
            }
            _ if text.starts_with('[') => {
                let items = self.flow_items(column + 1, text.get(1..)?.strip_suffix(']')?)?;
                self.collection(Value::Sequence(Arc::new(items), Style::Flow), column)?
            }
            _ => match quoted(text) {
                Some((inner, style)) => self.scalar(inner, Tag::Str, style, column),
                None if is_plain(text) => self.plain(text, column),
                None => return None,
            },
        })
    }

    fn flow_items(&mut self, mut column: usize, inner: &'t str) -> Option<Vec<Node>> {
        let mut items = Vec::new();
        if inner.is_empty() {
            return Some(items);
        }
        for (index, item) in inner.split(',').enumerate() {
            let blanks = line_indentation(item);
            let (from, end) = (column + blanks, column + item.len());
            let item = item.get(blanks..)?;
            if index > 0 && blanks == 0 {
                return None;
            }
            items.push(match quoted(item) {
                Some((inner, style)) => self.scalar(inner, Tag::Str, style, from),
                None if is_word(item) => self.plain(item, from),
                None => return None,
            });
            column = end + 1;
        }
        items.shrink_to_fit();
        Some(items)
    }

    /// Reads a literal block: its lines are indented more than `outside`; empty lines at its end
    /// are dropped.
    fn literal(&mut self, column: usize, outside: usize) -> Option<Node> {
        let mark = self.mark(column);
        let first = self.advance()?;
        let indent = line_indentation(first);
        if indent <= outside || indent == first.len() {
            return None;
        }
        let mut content = std::mem::take(&mut self.lists.block);
        content.clear();
        content.push_str(first.get(indent..)?);
        content.push('\n');
        let mut empty = 0;
        while self.next < self.text.len() {
            let before = (self.start, self.number, self.next);
            let line = self.advance()?;
            let found = line_indentation(line);
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
        let text = self.texts.share(&content);
        self.lists.block = content;
        let scalar = Scalar { text, tag: Tag::Str, style: Style::Literal, ..Scalar::default() };
        Some(Node::from(Value::Scalar(scalar)).marked(mark))
    }

    fn open(&mut self, is_sequence: bool, column: usize) -> Option<()> {
        // The full parser reports exceeded limits.
        if self.lists.open.len() >= self.reading.limits.depth {
            return None;
        }
        let lists = &self.lists;
        let first = if is_sequence { lists.items.len() } else { lists.entries.len() };
        let mark = self.mark(column);
        self.lists.open.push(OpenCollection {
            is_sequence,
            column,
            mark,
            first,
            is_waiting: false,
        });
        Some(())
    }

    fn close(&mut self) -> Option<()> {
        let OpenCollection { is_sequence, mark, first, .. } = self.lists.open.pop()?;
        let value = if is_sequence {
            Value::Sequence(Arc::new(self.lists.items.split_off(first)), Style::Plain)
        } else {
            let entries = self.lists.entries.split_off(first);
            let entries = match self.reading.dialect {
                YamlDialect::V3 => entries,
                YamlDialect::V1_1 => keep_last(entries),
            };
            Value::Mapping(Arc::new(Mapping { entries: entries.into(), style: Style::Plain }))
        };
        self.place(Node { value, mark, comments: None })
    }

    /// Adds a complete node: as an item of the open sequence, the value of the last key, or the
    /// root.
    fn place(&mut self, node: Node) -> Option<()> {
        match self.lists.open.last() {
            Some(top) if top.is_sequence => self.lists.items.push(node),
            Some(_) => self.lists.entries.last_mut()?.value = node,
            None => self.root = Some(node),
        }
        Some(())
    }

    /// `None` if the collection is nested too deeply.
    fn collection(&self, value: Value, column: usize) -> Option<Node> {
        let is_deep = self.lists.open.len() >= self.reading.limits.depth;
        (!is_deep).then(|| Node { value, mark: self.mark(column), comments: None })
    }

    /// `None` for an invalid key.
    fn key_node(&mut self, text: &str, column: usize) -> Option<Node> {
        if self.reading.dialect == YamlDialect::V3 {
            return Some(self.plain(text, column));
        }
        let tag = resolved_tag(text, YamlDialect::V1_1);
        let scalar = config_key(text, tag, Style::Plain, self.texts).ok()?;
        Some(Node::from(Value::Scalar(scalar)).marked(self.mark(column)))
    }

    fn plain(&mut self, text: &str, column: usize) -> Node {
        let tag = resolved_tag(text, self.reading.dialect);
        self.scalar(text, tag, Style::Plain, column)
    }

    fn scalar(&mut self, text: &str, tag: Tag, style: Style, column: usize) -> Node {
        let mark = self.mark(column);
        let scalar = Scalar { text: self.texts.share(text), tag, style, ..Scalar::default() };
        Node { value: Value::Scalar(scalar), mark, comments: None }
    }

    /// The mark of a column in the current line; the text is ASCII, so that bytes are characters.
    fn mark(&self, column: usize) -> Mark {
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        Mark {
            line: self.reading.line.saturating_add(number(self.number)),
            column: number(column).saturating_add(1),
            ..self.reading.origin
        }
    }
}
