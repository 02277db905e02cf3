//! The writers of a field: every step that wrote it, the location of each value, and its parts.

use std::sync::Arc;

use serde::Serialize;

use crate::engine::evaluate::{Step, StepKind};
use crate::engine::resource::{Change, PathStep, Resource, Slot};
use crate::engine::transform::{RemovedValue, ValueSource};
use crate::engine::yaml::{Mark, Node, WriterId, print_flow};

use crate::answers::Recording;
use crate::answers::recording::field::{WrittenPath, path_in_other_state, value_at};
use crate::answers::secrets::Secrets;

/// The effect of a writer on the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "WriterStatusWord"))]
pub enum WriterStatus {
    /// The written value is the final value.
    #[default]
    #[serde(rename = "wins")]
    Final,
    /// The written value is a part of the final value: a name before its prefix, a list that
    /// another step extended.
    #[serde(rename = "part")]
    Part,
    /// A later step replaced the written value.
    #[serde(rename = "overruled")]
    Overridden,
}

#[derive(Clone, Debug, Default)]
pub struct FieldWriter {
    pub step: usize,
    pub standing: WriterStatus,
    pub equal: bool,
    /// The path at that step: a list element may have had another index.
    pub path: Vec<PathStep>,
    /// The value after the step; `None` if the step removed the field.
    pub value: Option<Node>,
    /// The location of the value, or the location of the step if the step made the value.
    pub mark: Mark,
    /// The locations of other parts of the value.
    pub also: Vec<Mark>,
    /// The fields that the value was copied from, or the names of resources that the value repeats.
    pub sources: Vec<FieldSource>,
    /// True if the value contains a hash of the resource's content.
    pub is_hashed: bool,
    /// For a value that a function wrote, whether `mark` is the line of its configuration that
    /// determines the value; `None` if `mark` is no such line.
    pub configuration: Option<ConfigurationProof>,
}

/// The proof that a line of a function's configuration determines a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigurationProof {
    /// The line has the same value, which can be by chance.
    SameValue,
    /// A build with another value on the line had another value of the field.
    Verified,
}

impl ConfigurationProof {
    pub fn words(self) -> &'static str {
        match self {
            Self::SameValue => "not verified: it has the same value",
            Self::Verified => "verified: another value there changes the field",
        }
    }
}

impl FieldWriter {
    /// The value in a resource, without values of Secrets; `None` if the step removed the field.
    pub fn masked_value(&self, resource: Option<&Resource>, secrets: &Secrets) -> Option<Node> {
        let keys: Vec<&str> = self.path.iter().filter_map(PathStep::key).collect();
        let value = self.value.as_ref()?;
        Some(resource.map_or_else(|| value.clone(), |it| secrets.part(it, &keys, value)))
    }
}

#[derive(Clone, Debug)]
pub struct FieldSource {
    pub slot: Slot,
    pub path: Vec<PathStep>,
    pub writers: Vec<FieldWriter>,
}

/// The limit on source fields in a chain of copies: from a field to the field from which its value
/// was copied, and so on.
const MAX_HOPS: usize = 6;

impl Recording {
    /// Every step that wrote a field of a resource, the last one first. A removed field includes the
    /// step that removed it. Empty if no step wrote such a field.
    pub fn blame(&self, slot: Slot, field: &WrittenPath) -> Vec<FieldWriter> {
        self.writers_within_hops(slot, field, self.len(), MAX_HOPS)
    }

    /// The last writer of a source, if a step after the copy changed it.
    pub fn changed_after_copy(&self, source: &FieldSource) -> Option<FieldWriter> {
        let copied = source.writers.first()?;
        let field = WrittenPath::from_path(&source.path);
        let last = self.blame(source.slot, &field).into_iter().next()?;
        let is_same = match (&last.value, &copied.value) {
            (Some(last), Some(copied)) => last.same_value(copied),
            (last, copied) => last.is_none() && copied.is_none(),
        };
        (last.step > copied.step && !is_same).then_some(last)
    }

    pub fn configuration_proof(&self, step: usize, mark: Mark) -> Option<ConfigurationProof> {
        configuration_proof(mark, self.step(step)?)
    }

    fn writers_within_hops(
        &self,
        slot: Slot,
        field: &WrittenPath,
        until: usize,
        hops: usize,
    ) -> Vec<FieldWriter> {
        let found = Vec::new();
        let mut trail =
            FieldTrail { recording: self, slot, field, hops, found, known: None, seen: None };
        let touched = self.index.touched.get(&slot).map(Vec::as_slice).unwrap_or_default();
        for (index, change) in touched.iter().rev().filter(|(index, _)| *index < until) {
            let Some(step) = self.trace.steps.get(*index) else { continue };
            let Some(change) = step.changes.get(*change) else { continue };
            trail.visit_change(*index, step, change);
        }
        let mut writers = trail.found;
        self.set_statuses(slot, &mut writers);
        writers
    }

    /// Sets the status of each writer: the first writer is final; an earlier one is a part if the
    /// final value still contains its value; all others are overridden.
    fn set_statuses(&self, slot: Slot, writers: &mut [FieldWriter]) {
        let top = writers.first().and_then(|first| first.value.clone());
        let collection = top.filter(|value| value.as_scalar().is_none());
        let mut keeps = true;
        for (number, writer) in writers.iter_mut().enumerate() {
            let Some(step) = self.step(writer.step) else { continue };
            writer.standing = match &collection {
                _ if number == 0 => WriterStatus::Final,
                Some(value) if is_written_by(value, Mark::default(), step.writer) => {
                    WriterStatus::Part
                }
                None if keeps => WriterStatus::Part,
                _ => WriterStatus::Overridden,
            };
            let mark = Mark { writer: step.writer, ..writer.mark };
            keeps = keeps
                && value_sources(step, slot, last_key(&writer.path), mark)
                    .any(|input| *input == ValueSource::PreviousValue);
        }
        self.relocate_copied_value(writers);
    }

    /// If the only writer copied the value from a single source, or the text was one var alone, sets
    /// the location of the value to the source, where it can be changed.
    fn relocate_copied_value(&self, writers: &mut [FieldWriter]) {
        let Some((first, others)) = writers.split_first_mut() else { return };
        let [source] = &*first.sources else { return };
        if !others.is_empty() && !self.is_value_of_var(first, source) {
            return;
        }
        let decides = source.writers.first().map(|first| first.mark);
        let decides = decides.filter(|it| self.file(*it).is_some());
        if let Some(mark) = decides.filter(|it| !is_same_place(*it, first.mark)) {
            first.also.insert(0, std::mem::replace(&mut first.mark, mark));
        }
    }

    /// True if a step for vars wrote the value of one var, without other text.
    fn is_value_of_var(&self, writer: &FieldWriter, source: &FieldSource) -> bool {
        let step = self.step(writer.step);
        let text = |writer: &FieldWriter| writer.value.as_ref()?.text().map(str::to_owned);
        step.is_some_and(|step| step.kind == StepKind::ReplaceVars)
            && source.writers.first().is_some_and(|it| text(it) == text(writer))
    }
}

/// A field, followed backwards through the changes of its resource.
struct FieldTrail<'r> {
    recording: &'r Recording,
    slot: Slot,
    field: &'r WrittenPath,
    hops: usize,
    found: Vec<FieldWriter>,
    /// The path after the change that is visited next; `None` if the path has to be searched.
    known: Option<Vec<PathStep>>,
    /// The last visited state with the field. The name of the field in that state is computed only
    /// for a search.
    seen: Option<(&'r Node, Vec<PathStep>)>,
}

impl<'r> FieldTrail<'r> {
    /// The path of the followed field in an earlier state; `None` if that state has no such field.
    fn find_field(&self, node: &Node) -> Option<Vec<PathStep>> {
        match &self.seen {
            Some((at, path)) => WrittenPath::named(at, path).find(node),
            None => self.field.find(node),
        }
    }

    fn visit_change(&mut self, index: usize, step: &'r Step, change: &'r Change) {
        let slot = self.slot;
        let after = change.after.as_deref();
        let here = self.known.take().or_else(|| self.find_field(&after?.node));
        let Some(path) = here else {
            // The field is missing after the step: it may have existed before.
            let before = change.before.as_deref();
            let gone = before.and_then(|it| Some((it, self.find_field(&it.node)?)));
            if let Some((before, path)) = gone {
                let mark = deletion_mark(step, slot, &before.node, &path);
                let path_before = path.clone();
                let removal =
                    FieldWriter { step: index, path: path_before, mark, ..Default::default() };
                self.found.push(removal);
                self.known = Some(path);
            }
            return;
        };
        let Some(after) = after else { return };
        let Some((value, mark)) = value_at(&after.node, &path) else { return };
        self.seen = Some((&after.node, path.clone()));
        let was = change.before.as_deref().and_then(|before| {
            let path = path_in_other_state(&after.node, &before.node, &path)?;
            let (value, _) = value_at(&before.node, &path)?;
            Some((path, value))
        });
        let differs = was.as_ref().is_none_or(|(_, old)| !old.same_value(value));
        if differs || is_written_by(value, mark, step.writer) {
            let writer = self.value_writer((index, step), path, (value, mark));
            self.found.push(FieldWriter { equal: !differs, ..writer });
        }
        self.known = was.map(|(path, _)| path);
    }

    fn value_writer(
        &self,
        (index, step): (usize, &Step),
        path: Vec<PathStep>,
        (value, mark): (&Node, Mark),
    ) -> FieldWriter {
        let mut writer = FieldWriter {
            step: index,
            path,
            value: Some(value.clone()),
            mark: mark_or_step_mark(mark, step),
            configuration: configuration_proof(mark, step),
            ..FieldWriter::default()
        };
        let key = last_key(&writer.path).map(str::to_owned);
        for input in value_sources(step, self.slot, key.as_deref(), mark) {
            match input {
                ValueSource::Place(place) => writer.also.push(*place),
                ValueSource::Content => writer.is_hashed = true,
                ValueSource::Field { slot, path } if self.hops > 0 => {
                    let field = WrittenPath::parse(path);
                    let recording = self.recording;
                    let writers =
                        recording.writers_within_hops(*slot, &field, index, self.hops - 1);
                    let path = writers.first().map(|first| first.path.clone()).unwrap_or_default();
                    writer.sources.push(FieldSource { slot: *slot, path, writers });
                }
                ValueSource::PreviousValue | ValueSource::Field { .. } => {}
            }
        }
        writer
    }
}

fn last_key(path: &[PathStep]) -> Option<&str> {
    path.last()?.key()
}

/// The location of a value; the location of the step for a value without one.
pub(super) fn mark_or_step_mark(mark: Mark, step: &Step) -> Mark {
    if mark.line > 0 { mark } else { Mark { writer: mark.writer, ..step.mark } }
}

/// The proof for the location of a value that a function wrote: the build compares values only.
fn configuration_proof(mark: Mark, step: &Step) -> Option<ConfigurationProof> {
    let mut scalars = step.run.as_ref()?.configuration.iter();
    let is_there = scalars.any(|scalar| is_same_place(scalar.mark, mark));
    is_there.then_some(ConfigurationProof::SameValue)
}

pub(super) fn is_same_place(one: Mark, other: Mark) -> bool {
    (one.source, one.line, one.column) == (other.source, other.line, other.column)
}

fn is_written_by(value: &Node, mark: Mark, writer: WriterId) -> bool {
    writer != WriterId::NONE
        && (mark.writer == writer || value.nodes().any(|node| node.mark.writer == writer))
}

/// A value in one line: a text with its line breaks escaped; other values as YAML in brackets.
pub fn value_text(value: &Node) -> String {
    let text = match value.text() {
        Some(text) => text.to_owned(),
        None => print_flow(value).trim_end().to_owned(),
    };
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r")
}

fn value_sources<'s>(
    step: &'s Step,
    slot: Slot,
    key: Option<&str>,
    mark: Mark,
) -> impl Iterator<Item = &'s ValueSource> {
    let derived = step.derived.iter().filter(move |it| {
        it.mark == mark
            && it.slot.is_none_or(|other| other == slot)
            && it.key.is_none_or(|own| Some(own) == key)
    });
    derived.flat_map(|derived| &derived.from)
}

/// The location of the text by which a step removes a field; without one, the location of the step.
fn deletion_mark(step: &Step, slot: Slot, before: &Node, path: &[PathStep]) -> Mark {
    let Some([numbered, keys, names]) = path_names(before, path) else { return step.mark };
    let fits = |removed: &&RemovedValue| {
        removed.slot == slot
            && (numbered.starts_with(&removed.path) || keys.starts_with(&removed.path))
            && removed.names.iter().all(|name| names.contains(name))
    };
    // The most specific removal of the field, or of a field that contains it.
    let found = step.removed.iter().filter(fits).max_by_key(|it| (it.path.len(), it.names.len()));
    found.map_or(step.mark, |removed| removed.mark)
}

/// A path with the indices of elements, and with keys alone, and the texts in its elements; `None`
/// if the node lacks a part of it.
fn path_names(mut node: &Node, path: &[PathStep]) -> Option<[Vec<Arc<str>>; 3]> {
    let [mut numbered, mut keys, mut names] = <[Vec<Arc<str>>; 3]>::default();
    for part in path {
        match part {
            PathStep::Key(key) => {
                keys.push(key.clone());
                numbered.push(key.clone());
                node = node.get(key)?;
            }
            PathStep::Index(index) => {
                node = node.items()?.get(*index)?;
                numbered.push(index.to_string().into());
                let own = node.entries().iter().filter_map(|entry| entry.value.text());
                names.extend(own.chain(node.text()).map(Arc::from));
            }
        }
    }
    Some([numbered, keys, names])
}
