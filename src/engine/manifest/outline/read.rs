//! Reads the fields and entries of a text, also those that are commented out.

use std::ops::Range;

use crate::yaml::{MappingEntry, Node, Style, WrittenDocument};

use super::fields::FieldVocabulary;
use super::lines::{LineKind, entry_text};
use super::lines::{TextLines, indent, is_dash, line_kind, outdent};
use super::scope::OutlineScope;
use super::{KEY_NO_TEXT, ListForm, Outline, OutlineEntry, OutlineField, OutlineProblem, number};

/// A text, the kinds of its lines, and the fields that are read.
pub(super) struct OutlineReader<'t> {
    pub(super) lines: TextLines<'t>,
    /// The kinds of the lines, from the first line of the document on.
    kinds: Vec<LineKind>,
    /// The number of comments around the text.
    pub(super) depth: usize,
    pub(super) vocabulary: FieldVocabulary,
    /// The column of the keys.
    pub(super) column: usize,
    fields: Vec<OutlineField>,
}

/// The commented-out entries and fields between two entries or fields.
#[derive(Debug, Default)]
pub(super) struct Gap {
    pub(super) entries: Vec<OutlineEntry>,
    pub(super) fields: Vec<OutlineField>,
    /// The number of lines at the start of the gap that belong to the entry above.
    pub(super) trailing: usize,
    pub(super) free_from: usize,
}

impl Outline {
    /// Reads the fields of a mapping in a text.
    pub(super) fn read(text: &str, scope: OutlineScope) -> Result<Self, OutlineProblem> {
        let read = WrittenDocument::parse_part(text, scope.bytes(text), scope.line);
        let document = read.map_err(|error| OutlineProblem {
            line: error.line,
            obstacle: format!("not YAML: {}", error.cause.without_prefix()).into(),
        })?;
        match problem(&document) {
            Some(problem) => Err(problem),
            None => Ok(Self::from_document(&document, scope, 0)),
        }
    }

    /// Reads the fields of a document; `depth` is the number of comments around it.
    pub(super) fn from_document(
        document: &WrittenDocument<'_>,
        scope: OutlineScope,
        depth: usize,
    ) -> Self {
        let mut reader = OutlineReader::new(document, &scope, depth);
        let end = reader.read(document);
        let OutlineReader { mut fields, column, .. } = reader;
        for field in fields.iter_mut().filter(|_| !scope.prefix.is_empty()) {
            field.name.insert_str(0, &scope.prefix);
        }
        Self { fields, problem: None, column, end, scope }
    }
}

/// The reason why the fields of a document cannot be edited.
fn problem(document: &WrittenDocument<'_>) -> Option<OutlineProblem> {
    let root = document.root.as_ref()?;
    let is_empty = root.is_null() && root.text() == Some("");
    let (node, obstacle) = match root.collection_style() {
        _ if root.as_mapping().is_none() => (Some(root).filter(|_| !is_empty), "not a mapping"),
        Some(Style::Flow) => (
            Some(root),
            "written as JSON, in braces: kzui edits lists in block style; use the editor",
        ),
        _ => {
            let mut keys = root.entries().iter().map(|entry| &entry.key);
            let is_odd = |key: &&Node| key.as_scalar().is_none() || document.bytes(key).is_none();
            (keys.find(is_odd), KEY_NO_TEXT)
        }
    };
    Some(OutlineProblem { line: node?.mark.line, obstacle: obstacle.into() })
}

impl<'t> OutlineReader<'t> {
    fn new(document: &WrittenDocument<'t>, scope: &OutlineScope, depth: usize) -> Self {
        let lines = TextLines::part(document.text, scope.bytes(document.text), scope.line as usize);
        let mut kinds: Vec<LineKind> =
            lines.range().map(|index| line_kind(lines.line(index))).collect();
        for node in document.nodes() {
            for line in inner_lines(document, node, &lines) {
                if let Some(kind) = kinds.get_mut(line - lines.range().start) {
                    *kind = LineKind::Content;
                }
            }
        }
        let (vocabulary, column) = (scope.vocabulary, scope.column);
        Self { lines, kinds, depth, vocabulary, column, fields: Vec::new() }
    }

    pub(super) fn kind(&self, line: usize) -> Option<LineKind> {
        self.kinds.get(line.checked_sub(self.lines.range().start)?).copied()
    }

    /// Reads all fields; returns the byte at which the document ends.
    fn read(&mut self, document: &WrittenDocument<'_>) -> usize {
        let end = self.lines.at(document.end);
        let is_within = self.lines.start(end) < document.end;
        let end = (end + usize::from(is_within)).min(self.lines.range().end);
        let entries = document.root.as_ref().map(Node::entries).unwrap_or_default();
        let keys: Vec<usize> =
            entries.iter().map(|entry| entry.key.mark.line.saturating_sub(1) as usize).collect();
        if let Some(first) = keys.first() {
            self.column = indent(self.lines.line(*first));
        }
        let top = keys.first().copied().unwrap_or(end);
        let is_start = |line: &usize| self.lines.line(*line).starts_with("---");
        let first = self.lines.range().start;
        let start = (first..top).rfind(is_start).map_or(first, |line| line + 1);
        let gap = self.read_gap(start..top, None);
        self.fields.extend(gap.fields);
        for (index, entry) in entries.iter().enumerate() {
            let start = keys.get(index).copied().unwrap_or(end);
            let stop = keys.get(index + 1).copied().unwrap_or(end).max(start);
            self.field(document, entry, start..stop);
        }
        self.lines.start(end)
    }

    fn last_content(&self, lines: Range<usize>) -> Option<usize> {
        lines.rev().find(|line| self.kind(*line) == Some(LineKind::Content))
    }

    fn field(
        &mut self,
        document: &WrittenDocument<'_>,
        MappingEntry { key, value }: &MappingEntry,
        lines: Range<usize>,
    ) {
        let mut field = OutlineField {
            name: key.text().unwrap_or_default().to_owned(),
            line: number(lines.start),
            ..OutlineField::default()
        };
        let mut last = self.last_content(lines.clone()).unwrap_or(lines.start);
        let below = last + 1..lines.end;
        let bytes = document.bytes(value);
        let after = match (value.items().filter(|_| !value.is_alias()), bytes) {
            (Some(items), Some(bytes)) if value.collection_style() == Some(Style::Flow) => {
                field.form = ListForm::Flow(bytes);
                let entries = items.iter().map(|item| self.flow_entry(document, item)).collect();
                match entries {
                    Some(entries) => field.entries = entries,
                    None => field.form = ListForm::Unclear,
                }
                self.read_gap(below, None).fields
            }
            (Some(items), _) => self.block(document, &mut field, items, lines.clone()),
            (None, None) if value.as_scalar().is_some() => {
                field.form = ListForm::Null;
                let is_list = self.vocabulary.is_list(&field.name);
                let gap = self.read_gap(below, is_list.then_some((&*field.name, None)));
                field.entries = gap.entries;
                gap.fields
            }
            (None, _) => self.read_gap(below, None).fields,
        };
        if let Some(entry) = field.entries.last() {
            last = last.max(self.lines.at(entry.bytes.end.saturating_sub(1)));
        }
        field.bytes = self.lines.bytes(lines.start..last + 1);
        self.fields.push(field);
        self.fields.extend(after);
    }

    /// Adds the entries of a list with dashes, and returns the commented-out fields below it.
    fn block(
        &self,
        document: &WrittenDocument<'_>,
        field: &mut OutlineField,
        items: &[Node],
        lines: Range<usize>,
    ) -> Vec<OutlineField> {
        let (dashes, column) = self.dash_lines(lines.start + 1..lines.end);
        if dashes.len() != items.len() {
            field.form = ListForm::Unclear;
            return Vec::new();
        }
        field.form = ListForm::Block(column);
        let list = Some((&*field.name, Some(column)));
        let first = dashes.first().copied().unwrap_or(lines.end);
        let mut gap = self.read_gap(lines.start + 1..first, list);
        let mut entries = Vec::new();
        for (index, (start, item)) in dashes.iter().copied().zip(items).enumerate() {
            let stop = dashes.get(index + 1).copied().unwrap_or(lines.end);
            let head = self.first_head_line(&gap, start, column);
            entries.append(&mut gap.entries);
            let end = self.last_content(start..stop).unwrap_or(start) + 1;
            gap = self.read_gap(end..stop, list);
            let piece: Vec<&str> =
                (start..end).map(|line| outdent(self.lines.line(line), column)).collect();
            entries.push(OutlineEntry {
                bytes: self.lines.bytes(start..end + gap.trailing),
                line: number(start),
                disabled: false,
                text: entry_text(&piece),
                scalar: scalar_text(document, item),
                head: self.lines.bytes(head..start),
            });
        }
        entries.append(&mut gap.entries);
        field.entries = entries;
        gap.fields
    }

    /// The lines that begin an entry, and the column of their dashes.
    fn dash_lines(&self, lines: Range<usize>) -> (Vec<usize>, usize) {
        let mut dashes = lines.filter(|line| {
            self.kind(*line) == Some(LineKind::Content)
                && is_dash(self.lines.line(*line).trim_start_matches(' '))
        });
        let Some(first) = dashes.next() else { return (Vec::new(), 0) };
        let column = indent(self.lines.line(first));
        let same = dashes.filter(|line| indent(self.lines.line(*line)) == column);
        (std::iter::once(first).chain(same).collect(), column)
    }

    /// An entry of a list in brackets; `None` for one without a text.
    fn flow_entry(&self, document: &WrittenDocument<'_>, item: &Node) -> Option<OutlineEntry> {
        let bytes = document.start(item)?..document.bytes(item)?.end;
        Some(OutlineEntry {
            line: number(self.lines.at(bytes.start)),
            disabled: false,
            text: document.written(&bytes).to_owned(),
            scalar: scalar_text(document, item),
            head: bytes.start..bytes.start,
            bytes,
        })
    }

    /// The first of the comment lines directly above a line that do not belong to another entry in
    /// the gap.
    pub(super) fn first_head_line(&self, gap: &Gap, line: usize, column: usize) -> usize {
        let mut head = line;
        while head > gap.free_from
            && self.kind(head - 1) == Some(LineKind::Comment)
            && indent(self.lines.line(head - 1)) <= column
        {
            head -= 1;
        }
        head
    }
}

/// The value of a scalar; `None` for an alias and for a plain scalar of several lines.
pub(super) fn scalar_text(document: &WrittenDocument<'_>, node: &Node) -> Option<String> {
    let is_clear = !node.is_alias() && !document.is_folded_plain(node);
    node.text().filter(|_| is_clear).map(str::to_owned)
}

/// The lines inside a value of several lines, which are neither comments nor entries.
fn inner_lines(document: &WrittenDocument<'_>, node: &Node, lines: &TextLines<'_>) -> Range<usize> {
    // Blocks are skipped first: their bytes are those of all nodes below them.
    let node = Some(node).filter(|node| node.collection_style() != Some(Style::Plain));
    let Some((node, bytes)) = node.and_then(|node| Some((node, document.bytes(node)?))) else {
        return 0..0;
    };
    let written = document.written(&bytes).trim_end();
    let last = lines.at((bytes.start + written.len()).saturating_sub(1));
    let first = lines.at(bytes.start) + 1;
    match node.as_scalar().map(|scalar| scalar.style) {
        // The empty lines below the header are no content of a block.
        Some(Style::Literal | Style::Folded) => {
            let body = written.find('\n').and_then(|end| written.get(end..)).unwrap_or_default();
            let start = bytes.start + written.len() - body.trim_start().len();
            if body.trim().is_empty() { 0..0 } else { lines.at(start)..last + 1 }
        }
        _ => first..last + 1,
    }
}
