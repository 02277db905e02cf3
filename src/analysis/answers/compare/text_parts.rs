//! The parts of a YAML text, each with its lines: documents, entries of mappings, elements of lists.

use std::ops::Range;

use super::entry_lines::{EntryLines, indent, is_comment, line_index};
use crate::engine::yaml::{Mark, Node, Style, Value};

pub(super) struct TextPart<'t> {
    pub(super) kind: PartKind<'t>,
    pub(super) node: &'t Node,
    /// The lines up to the next part, with the comments directly before the first line.
    pub(super) lines: Range<usize>,
    /// The line of the key or of the dash.
    first: usize,
    /// The number of characters before the key or the dash.
    pub(super) column: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PartKind<'t> {
    Document,
    /// An entry with this key.
    Entry(&'t str),
    Element,
}

impl<'t> TextPart<'t> {
    /// The documents of a text, each from its `---` on; none if the lines of a document are not known.
    pub(super) fn documents(text: &'t EntryLines<'_>) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        let mut begin = 0;
        for (number, document) in text.documents.iter().enumerate() {
            let first = line_index(&document.node);
            let below = text.lines.iter().skip(first + 1).position(|line| is_separator(line));
            // Nothing follows the last separator of many files.
            let is_last = number + 1 == text.documents.len();
            let end = match below {
                _ if is_last => text.lines.len(),
                Some(count) => first + 1 + count,
                None => return Vec::new(),
            };
            let (kind, node) = (PartKind::Document, &document.node);
            found.push(Self { kind, node, lines: begin..end, first, column: 0 });
            begin = end;
        }
        found
    }

    /// The line after the `---` of a document.
    pub(super) fn content_start(&self, text: &EntryLines<'_>) -> usize {
        let above = self.lines.start..self.first.max(self.lines.start);
        let separator = above.rev().find(|at| is_separator(text.lines[*at]));
        separator.map_or(self.lines.start, |at| at + 1)
    }

    /// The entries or elements of the part. None if they are not on separate lines: of a collection in
    /// brackets, or of an alias, whose value is at another place.
    pub(super) fn children(&self, text: &EntryLines<'_>) -> Vec<Self> {
        let children = self.located_children(&text.lines);
        let is_below = |it: &Self| self.kind == PartKind::Document || it.first > self.first;
        let are_separate = children.windows(2).all(|pair| pair[0].first < pair[1].first)
            && children.first().is_none_or(|it| is_below(it) || self.begins_with(it))
            && children.iter().all(|it| self.lines.contains(&it.first))
            && children.iter().enumerate().all(|(at, it)| {
                let is_own_line = indent(text.lines[it.first]) == it.column;
                // The first key of an element follows its dash.
                it.column == children[0].column && (is_own_line || at == 0 && self.begins_with(it))
            });
        if are_separate { self.with_lines(children, &text.lines) } else { Vec::new() }
    }

    fn located_children(&self, lines: &[&str]) -> Vec<Self> {
        let part = |kind, node: &'t Node, mark: Mark, column| {
            let first = (mark.line as usize).checked_sub(1)?;
            Some(Self { kind, node, lines: first..first, first, column })
        };
        let children: Option<Vec<Self>> = match &self.node.value {
            Value::Mapping(mapping) if mapping.style != Style::Flow => {
                let entries = self.node.entries().iter().map(|entry| {
                    let column = (entry.key.mark.column as usize).checked_sub(1)?;
                    part(PartKind::Entry(entry.key.text()?), &entry.value, entry.key.mark, column)
                });
                entries.collect()
            }
            Value::Sequence(items, style) if *style != Style::Flow => {
                let elements = items.iter().map(|item| {
                    let line = lines.get(line_index(item))?;
                    let is_dash = line.trim_start().starts_with("- ");
                    part(PartKind::Element, item, item.mark, indent(line)).filter(|_| is_dash)
                });
                elements.collect()
            }
            _ => None,
        };
        children.unwrap_or_default()
    }

    /// True if an entry is on the line of the dash of this element.
    pub(super) fn begins_with(&self, child: &Self) -> bool {
        self.kind == PartKind::Element
            && self.first == child.first
            && child.kind != PartKind::Element
    }

    /// The parts with the lines up to the next one. Comments directly before a part belong to it.
    fn with_lines(&self, mut parts: Vec<Self>, lines: &[&str]) -> Vec<Self> {
        let mut end = self.lines.end;
        for at in (0..parts.len()).rev() {
            let above = at.checked_sub(1).map(|above| parts[above].first + 1);
            let part = &mut parts[at];
            let is_own = |at: &usize| is_comment(lines[*at]) && indent(lines[*at]) <= part.column;
            let comments = (above.unwrap_or(part.first)..part.first).rev().take_while(is_own);
            part.lines = part.first - comments.count()..end;
            end = part.lines.start;
        }
        parts
    }
}

fn is_separator(line: &str) -> bool {
    line.strip_prefix("---").is_some_and(|rest| rest.trim().is_empty())
}
