//! The lines of a kustomization file by field and entry, commented-out ones included, and edits on
//! them that touch no other byte.
//!
//! A comment is a commented-out entry if, without its comment signs, it parses as an entry of the
//! enclosing list (`#- ../../components/ldap`, as the Components proposal writes it); a comment of
//! several lines is one if all of its lines do, indented below the dash. [`fields::accepts`]
//! defines entries. A comment right above an entry, at or before the column of its dash, is the
//! entry's head and moves with it; deeper comments right below belong to the entry above.

mod add;
mod arrange;
mod entry;
mod fields;
mod lines;
mod obstacle;
mod part;
mod remove;
mod scan;
mod shape;
mod toggle;
mod values;

use std::ops::Range;

use entry::entry_text;
use fields::FieldVocabulary;
use lines::{TextLines, indent, lone_return, outdent};
use obstacle::NOT_UTF8;
pub use obstacle::{OutlineError, OutlineProblem};
use part::{Fields, ObjectPart};
use scan::{Gap, is_dash};
pub use values::ValueChange;

use shape::{KeyShape, RootShape, ValueShape};

/// The lines and lists of a kustomization file as byte ranges, so that an edit changes only its own
/// bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The top-level fields in the order of the file.
    pub fields: Vec<OutlineField>,
    /// The reason why no entry of the file can be edited: it is JSON, or no YAML.
    pub problem: Option<OutlineProblem>,
    /// The byte column of the keys: almost always 0.
    pub column: usize,
    /// The byte at which the first document ends: the position for a new field.
    pub end: usize,
    words: FieldVocabulary,
}

/// One top-level field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutlineField {
    pub name: String,
    /// The bytes of the field: its key line and its value.
    pub bytes: Range<usize>,
    /// The line of the field's key, counted from 1.
    pub line: u32,
    /// True if the field is commented out, with all its lines.
    pub disabled: bool,
    pub entries: Vec<OutlineEntry>,
    pub form: ListForm,
}

/// The list style of a field's value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ListForm {
    /// Not a list: a word or a mapping.
    #[default]
    Other,
    /// No value after the key: no entries, or all of them commented out.
    Null,
    /// Entries with dashes in this byte column.
    Block(usize),
    /// Entries in brackets, at these bytes.
    Flow(Range<usize>),
    /// A list in which the ends of entries are not clear.
    Unclear,
}

/// One entry of a list, active or commented out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutlineEntry {
    /// The bytes of the entry's lines, its own head comments left out.
    pub bytes: Range<usize>,
    /// The line of the entry's dash, counted from 1.
    pub line: u32,
    pub disabled: bool,
    /// The entry's text as YAML, without dash, comment signs and indentation.
    pub text: String,
    /// The value of a scalar entry: a path without quotes and trailing comment.
    pub scalar: Option<String>,
    /// The bytes of the comment lines directly above the entry, which are moved with it; they end
    /// at the start of the entry.
    pub head: Range<usize>,
}

/// Nesting limit for comments within comments; deeper ones count as prose.
const MAX_COMMENT_DEPTH: usize = 4;

impl Outline {
    /// Reads a kustomization file, or the additions of a deployment object ([`part`]). For a file
    /// that is JSON or no YAML, the outline has no fields and a problem.
    pub fn parse(text: &[u8]) -> Self {
        let added = std::str::from_utf8(text).ok().and_then(ObjectPart::outline_objects);
        added.unwrap_or_else(|| Self::parse_in(text, Fields::default()))
    }

    fn parse_in(text: &[u8], fields: Fields) -> Self {
        match std::str::from_utf8(text) {
            Ok(text) => match lone_return(text) {
                None => Self::parse_as(text, fields, 0),
                Some(line) => {
                    // YAML ends the line there, but editors do not, so that a comment would end too
                    // early.
                    let obstacle = "a carriage return ends a line without a line feed: end lines with a line feed first".into();
                    let problem = Some(OutlineProblem { line, obstacle });
                    Self { problem, end: text.len(), ..Self::default() }
                }
            },
            Err(error) => {
                let before = text.get(..error.valid_up_to()).unwrap_or(text);
                let line = number(memchr::memchr_iter(b'\n', before).count());
                let problem = Some(OutlineProblem { line, obstacle: NOT_UTF8.into() });
                Self { problem, ..Self::default() }
            }
        }
    }

    /// The known fields for reading an edited version of the same text.
    fn fields_for_rereading(&self) -> Fields {
        let column = if self.words == FieldVocabulary::Kustomization { 0 } else { self.column };
        (self.words, column)
    }

    /// Reads a text with these fields; `depth` is the number of comments around it.
    fn parse_as(text: &str, (words, column): Fields, depth: usize) -> Self {
        let mut shape = shape::read_root(text);
        if text.starts_with('\u{feff}') {
            let obstacle = "the file begins with a byte-order mark: remove it first".into();
            shape.problem = Some(OutlineProblem { line: 1, obstacle });
        }
        if let Some(problem) = shape.problem {
            return Self { problem: Some(problem), end: text.len(), words, ..Self::default() };
        }
        let mut reader = OutlineReader::new(text, &shape, depth);
        (reader.outline.words, reader.outline.column) = (words, column);
        reader.read(&shape);
        reader.outline
    }

    /// The field of this name: the active one, else a commented-out one.
    pub fn field(&self, name: &str) -> Option<&OutlineField> {
        let named = || self.fields.iter().filter(|field| field.name == name);
        named().find(|field| !field.disabled).or_else(|| named().next())
    }

    /// The field at a byte, and the index of its entry there, commented-out ones included.
    pub fn at(&self, byte: usize) -> Option<(&OutlineField, Option<usize>)> {
        let field = self.fields.iter().find(|field| field.bytes.contains(&byte))?;
        Some((field, field.entries.iter().position(|entry| entry.bytes.contains(&byte))))
    }

    /// The dash column of most lists in the file; the column of the keys if the file has none.
    pub fn dash_column(&self) -> usize {
        let columns = self.fields.iter().filter_map(|field| match field.form {
            ListForm::Block(column) if !field.disabled => Some(column),
            _ => None,
        });
        let columns: Vec<usize> = columns.collect();
        let count = |column: usize| columns.iter().filter(|other| **other == column).count();
        columns.iter().copied().max_by_key(|column| count(*column)).unwrap_or(self.column)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineKind {
    Blank,
    Comment,
    Content,
}

fn line_kind(line: &str) -> LineKind {
    match line.trim_start_matches([' ', '\t']) {
        "" => LineKind::Blank,
        line if line.starts_with('#') => LineKind::Comment,
        _ => LineKind::Content,
    }
}

/// Reads the fields and entries of a text, also those that are commented out.
struct OutlineReader<'t> {
    lines: TextLines<'t>,
    kinds: Vec<LineKind>,
    depth: usize,
    outline: Outline,
}

impl<'t> OutlineReader<'t> {
    fn new(text: &'t str, shape: &RootShape, depth: usize) -> Self {
        let lines = TextLines::new(text);
        let mut kinds: Vec<LineKind> =
            (0..lines.len()).map(|index| line_kind(lines.line(index))).collect();
        for inside in &shape.inside {
            let written = text.get(inside.bytes.clone()).unwrap_or("");
            let last = inside.bytes.start + written.trim_end().len();
            if last > inside.bytes.start {
                let first = lines.at(inside.bytes.start) + usize::from(!inside.block);
                for kind in kinds.iter_mut().take(lines.at(last - 1) + 1).skip(first) {
                    *kind = LineKind::Content;
                }
            }
        }
        let outline = Outline { end: shape.end, ..Outline::default() };
        Self { lines, kinds, depth, outline }
    }

    fn read(&mut self, shape: &RootShape) {
        let end = self.lines.at(shape.end);
        let end =
            if self.lines.start(end) < shape.end { end + 1 } else { end }.min(self.lines.len());
        let first = if shape.start > 0 { self.lines.at(shape.start - 1) + 1 } else { 0 };
        let keys: Vec<usize> = shape.keys.iter().map(|key| self.lines.at(key.start)).collect();
        if let Some(first) = keys.first() {
            self.outline.column = indent(self.lines.line(*first));
        }
        let top = self.read_gap(first..keys.first().copied().unwrap_or(end), None);
        self.outline.fields.extend(top.fields);
        for (index, key) in shape.keys.iter().enumerate() {
            let start = keys.get(index).copied().unwrap_or(end);
            let stop = keys.get(index + 1).copied().unwrap_or(end).max(start);
            self.field(key, start..stop);
        }
        self.outline.end = self.lines.start(end);
    }

    fn last_content(&self, lines: Range<usize>) -> Option<usize> {
        lines.rev().find(|line| self.kinds.get(*line) == Some(&LineKind::Content))
    }

    fn field(&mut self, key: &KeyShape, lines: Range<usize>) {
        let mut field = OutlineField {
            name: key.name.clone(),
            line: number(lines.start),
            form: match &key.value {
                ValueShape::Null => ListForm::Null,
                ValueShape::Flow(brackets, _) => ListForm::Flow(brackets.clone()),
                ValueShape::Block(_) => ListForm::Unclear,
                ValueShape::Scalar(_) | ValueShape::Mapping => ListForm::Other,
            },
            ..OutlineField::default()
        };
        let mut last = self.last_content(lines.clone()).unwrap_or(lines.start);
        let after = match &key.value {
            ValueShape::Block(count) => match self.dash_lines(lines.clone()) {
                (dashes, column) if dashes.len() == *count => {
                    field.form = ListForm::Block(column);
                    self.block(&mut field, &dashes, column, lines.clone())
                }
                _ => Vec::new(),
            },
            ValueShape::Null if self.outline.words.is_list(&key.name) => {
                let gap = self.read_gap(last + 1..lines.end, Some((&field.name, None)));
                field.entries = gap.entries;
                gap.fields
            }
            value => {
                if let ValueShape::Flow(_, items) = value {
                    self.add_flow_entries(&mut field, items);
                }
                self.read_gap(last + 1..lines.end, None).fields
            }
        };
        if let Some(entry) = field.entries.last() {
            last = last.max(self.lines.at(entry.bytes.end.saturating_sub(1)));
        }
        field.bytes = self.lines.bytes(lines.start..last + 1);
        self.outline.fields.push(field);
        self.outline.fields.extend(after);
    }

    /// The lines that begin an entry, and the column of their dashes.
    fn dash_lines(&self, lines: Range<usize>) -> (Vec<usize>, usize) {
        let mut dashes = (lines.start + 1..lines.end).filter(|line| {
            self.kinds.get(*line) == Some(&LineKind::Content)
                && is_dash(self.lines.line(*line).trim_start_matches(' '))
        });
        let Some(first) = dashes.next() else { return (Vec::new(), 0) };
        let column = indent(self.lines.line(first));
        let same = dashes.filter(|line| indent(self.lines.line(*line)) == column);
        (std::iter::once(first).chain(same).collect(), column)
    }

    /// Adds the entries of a list with dashes, and returns the commented-out fields below it.
    fn block(
        &self,
        field: &mut OutlineField,
        dashes: &[usize],
        column: usize,
        lines: Range<usize>,
    ) -> Vec<OutlineField> {
        let name = field.name.clone();
        let list = Some((name.as_str(), Some(column)));
        let first = dashes.first().copied().unwrap_or(lines.end);
        let mut gap = self.read_gap(lines.start + 1..first, list);
        for (index, start) in dashes.iter().copied().enumerate() {
            let stop = dashes.get(index + 1).copied().unwrap_or(lines.end);
            let head = self.first_head_line(&gap, start, column);
            field.entries.append(&mut gap.entries);
            let end = self.last_content(start..stop).unwrap_or(start) + 1;
            gap = self.read_gap(end..stop, list);
            let piece: Vec<&str> =
                (start..end).map(|line| outdent(self.lines.line(line), column)).collect();
            let (text, scalar) = entry_text(&piece);
            field.entries.push(OutlineEntry {
                bytes: self.lines.bytes(start..end + gap.trailing),
                line: number(start),
                disabled: false,
                text,
                scalar,
                head: self.lines.bytes(head..start),
            });
        }
        field.entries.append(&mut gap.entries);
        gap.fields
    }

    fn add_flow_entries(&self, field: &mut OutlineField, items: &[Range<usize>]) {
        for bytes in items {
            let line = self.lines.at(bytes.start);
            let text = self.lines.slice(bytes.clone()).to_owned();
            let scalar = entry_text(&[&format!("- {text}")]).1;
            let (head, line) = (bytes.start..bytes.start, number(line));
            let bytes = bytes.clone();
            field.entries.push(OutlineEntry { bytes, line, disabled: false, text, scalar, head });
        }
    }

    /// The first of the comment lines directly above a line that do not belong to another entry in
    /// the gap.
    fn first_head_line(&self, gap: &Gap, line: usize, column: usize) -> usize {
        let mut head = line;
        while head > gap.free_from
            && self.kinds.get(head - 1) == Some(&LineKind::Comment)
            && indent(self.lines.line(head - 1)) <= column
        {
            head -= 1;
        }
        head
    }
}

/// A line's number, 1-based.
fn number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod properties;
