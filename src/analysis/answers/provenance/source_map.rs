//! The lines and the origin of every field of the output.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::engine::evaluate::StepKind;
use crate::engine::resource::{PathStep, Resource, Slot};
use crate::engine::yaml::{MappingEntry, Mark, Node, YamlError, parse_nodes};

use super::blame::{FieldSource, FieldWriter, WriterStatus, is_same_place, mark_or_step_mark};
use crate::answers::Recording;
use crate::answers::recording::field::{WrittenPath, value_or_key_mark};
use crate::answers::recording::lookup::element_key;
use crate::answers::span::indent_width;

/// The type of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ContentKind {
    /// A scalar, or a collection that is empty.
    Value,
    /// Keys with values.
    Mapping,
    /// Elements.
    List,
}

#[derive(Clone, Debug)]
pub struct MappedField {
    /// The first line in the output, from 1: for a scalar the line of the value, for a collection
    /// the line of its key.
    pub line: u32,
    /// The column in the first line, in characters from 1.
    pub column: u32,
    pub end_line: u32,
    /// The index of the document in the output, from 0.
    pub document: usize,
    pub slot: Slot,
    /// The path of the field; empty for the resource itself.
    pub path: Vec<PathStep>,
    pub holds: ContentKind,
    /// The name of an element of a list, `name=web`.
    pub element: Option<String>,
    pub mark: Mark,
}

/// The locations of a value in files, and the fields from which it was derived.
#[derive(Clone, Debug, Default)]
pub struct ValueOrigin {
    pub step: Option<usize>,
    /// The location to edit to change the value.
    pub mark: Mark,
    /// The locations of the value's text: first that of the last writer, then those of the parts of
    /// earlier values that later steps left in the text, and of copied values.
    pub places: Vec<Mark>,
    pub from: Vec<SourceHop>,
}

/// A field or resource from which a value was derived.
#[derive(Clone, Debug)]
pub struct SourceHop {
    pub by: HopKind,
    pub slot: Slot,
    /// The path of the field; empty for all content of the resource.
    pub path: Vec<PathStep>,
    pub origin: ValueOrigin,
}

/// The kind of dependency between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum HopKind {
    /// A replacement copies the field.
    Replacement,
    /// The value is the name of the resource.
    Reference,
    /// A var copies the field.
    Var,
    /// The value ends in a hash of the resource's content.
    Hash,
}

impl Recording {
    /// Every field of the output, in the order of its lines. `output` is the printed output of the
    /// build; an error is no output of the build.
    pub fn source_map(&self, output: &str) -> Result<Vec<MappedField>, YamlError> {
        self.source_map_of(0, output)
    }

    /// As [`Self::source_map`], for a text that begins with this document of the output.
    pub fn source_map_of(&self, first: usize, text: &str) -> Result<Vec<MappedField>, YamlError> {
        let parsed = parse_nodes(text.as_bytes())?;
        let lines: Vec<&str> = text.lines().collect();
        let both = self.output.iter().enumerate().skip(first).zip(&parsed);
        Ok(both
            .flat_map(|((document, own), printed)| map_document(document, own, printed, &lines))
            .collect())
    }

    /// The origin of a field of the output. The writer of a collection is read from the tree.
    pub fn origin(&self, field: &MappedField) -> ValueOrigin {
        if field.holds == ContentKind::Value {
            let writers = self.blame(field.slot, &WrittenPath::from_path(&field.path));
            return self.value_origin(field.slot, &writers);
        }
        let step = self.writer(field.mark.writer);
        let written = step.and_then(|step| self.step(step));
        let mark = written.map_or(field.mark, |step| mark_or_step_mark(field.mark, step));
        ValueOrigin { step, mark, places: self.unique_marks_with_file([mark]), from: Vec::new() }
    }

    fn value_origin(&self, slot: Slot, writers: &[FieldWriter]) -> ValueOrigin {
        let counts = |writer: &&FieldWriter| writer.standing != WriterStatus::Overridden;
        let counting: Vec<&FieldWriter> = writers.iter().take_while(counts).collect();
        let marks =
            counting.iter().flat_map(|it| std::iter::once(it.mark).chain(it.also.iter().copied()));
        let marks: Vec<Mark> = marks.collect();
        let hash = counting.iter().find(|writer| writer.is_hashed).map(|_| SourceHop {
            by: HopKind::Hash,
            slot,
            path: Vec::new(),
            origin: ValueOrigin::default(),
        });
        let taken = counting.iter().flat_map(|writer| {
            let by = match self.step(writer.step).map(|step| step.kind) {
                Some(StepKind::NameReferences) => HopKind::Reference,
                Some(StepKind::ReplaceVars) => HopKind::Var,
                _ => HopKind::Replacement,
            };
            writer.sources.iter().map(move |FieldSource { slot, path, writers }| SourceHop {
                by,
                slot: *slot,
                path: path.clone(),
                origin: self.value_origin(*slot, writers),
            })
        });
        let from: Vec<SourceHop> = taken.chain(hash).collect();
        let sources = from.iter().flat_map(|hop| hop.origin.places.iter().copied());
        ValueOrigin {
            step: writers.first().map(|first| first.step),
            mark: writers.first().map_or_else(Mark::default, |first| first.mark),
            places: self.unique_marks_with_file(marks.into_iter().chain(sources)),
            from,
        }
    }

    fn unique_marks_with_file(&self, marks: impl IntoIterator<Item = Mark>) -> Vec<Mark> {
        let mut places: Vec<Mark> = Vec::new();
        for mark in marks {
            let is_known = places.iter().any(|known| is_same_place(*known, mark));
            if !is_known && self.file(mark).is_some() {
                places.push(mark);
            }
        }
        places
    }
}

fn map_document(
    document: usize,
    (slot, resource): &(Slot, Arc<Resource>),
    printed: &Node,
    lines: &[&str],
) -> Vec<MappedField> {
    let of = (document, *slot);
    let mut all = DocumentFields { lines, found: Vec::new(), of, path: Vec::new() };
    let node = &resource.node;
    all.gather((node, node.mark), PrintedField { node: printed, key: Mark::default() });
    let mut found = all.found;
    // A collection comes before contents that begin at the same position.
    found.sort_by_key(|field| (field.line, field.column, field.path.len()));
    found
}

#[derive(Clone, Copy)]
struct PrintedField<'a> {
    node: &'a Node,
    /// The mark of the field's key; the default mark for an element.
    key: Mark,
}

struct DocumentFields<'a> {
    lines: &'a [&'a str],
    of: (usize, Slot),
    found: Vec<MappedField>,
    path: Vec<PathStep>,
}

impl<'a> DocumentFields<'a> {
    /// Collects a field and its children; returns its last line.
    fn gather(&mut self, (node, mark): (&Node, Mark), printed: PrintedField<'a>) -> u32 {
        let (entries, items) = (node.entries(), node.items().unwrap_or_default());
        let mut end = 0;
        for (number, entry) in entries.iter().enumerate() {
            let Some(key) = entry.key.as_scalar() else { continue };
            let Some(below) = printed_entry(printed.node, &key.text, number) else { continue };
            self.path.push(PathStep::Key(key.text.clone()));
            let own = value_or_key_mark(entry.value.mark, entry.key.mark);
            end = end.max(self.gather((&entry.value, own), below));
            self.path.pop();
        }
        for (index, item) in items.iter().enumerate() {
            let Some(node) = printed.node.items().and_then(|items| items.get(index)) else { break };
            self.path.push(PathStep::Index(index));
            end = end
                .max(self.gather((item, item.mark), PrintedField { node, key: Mark::default() }));
            self.path.pop();
        }
        let holds = match (entries.is_empty(), items.is_empty()) {
            (false, _) => ContentKind::Mapping,
            (_, false) => ContentKind::List,
            _ => ContentKind::Value,
        };
        let value = if printed.node.mark.line > 0 { printed.node.mark } else { printed.key };
        let begins =
            if holds == ContentKind::Value || printed.key.line == 0 { value } else { printed.key };
        if holds == ContentKind::Value {
            end = value_end_line(self.lines, begins.line);
        }
        self.found.push(MappedField {
            line: begins.line,
            column: begins.column,
            end_line: end.max(begins.line),
            document: self.of.0,
            slot: self.of.1,
            path: self.path.clone(),
            holds,
            element: match self.path.last() {
                Some(PathStep::Index(_)) => {
                    element_key(node).map(|(key, text)| format!("{key}={text}"))
                }
                _ => None,
            },
            mark,
        });
        end
    }
}

/// The entry of a mapping with this key; `number` is the usual index of the entry.
fn printed_entry<'a>(printed: &'a Node, key: &str, number: usize) -> Option<PrintedField<'a>> {
    let is_it = |entry: &&MappingEntry| entry.key.text() == Some(key);
    let found = printed.entries().get(number).filter(is_it);
    let found = found.or_else(|| printed.last_entry(key))?;
    Some(PrintedField { node: &found.value, key: found.key.mark })
}

/// The last line of the value that begins on line `line`: blank lines and deeper lines belong to
/// the value.
fn value_end_line(lines: &[&str], line: u32) -> u32 {
    let first = (line as usize).saturating_sub(1);
    let indent = lines.get(first).map_or(0, |text| key_column(text));
    let below = lines.iter().skip(first + 1);
    let taken = below.take_while(|text| text.trim().is_empty() || indent_width(text) > indent);
    let taken: Vec<&&str> = taken.collect();
    let kept = taken.iter().rposition(|text| !text.trim().is_empty()).map_or(0, |last| last + 1);
    line + u32::try_from(kept).unwrap_or(0)
}

/// The column of the key of a line, after the dashes of lists; for an element without a key, its
/// dash.
fn key_column(text: &str) -> usize {
    let mut rest = text.trim_start_matches(' ');
    let mut column = text.len() - rest.len();
    while let Some(inner) =
        rest.strip_prefix("- ").filter(|inner| inner.contains(": ") || inner.ends_with(':'))
    {
        column += 2;
        rest = inner;
    }
    column
}
