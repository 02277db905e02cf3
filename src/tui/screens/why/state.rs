//! The explanation of a field: its writers, and entries that could have written it; and those of
//! problems, edits and components, as text.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::answers::Offer;
use crate::answers::provenance::blame::{FieldSource, FieldWriter, WriterStatus, value_text};
use crate::answers::provenance::why::WhyAnswer;
use crate::answers::recording::field::{named_path_text, path_text};
use crate::answers::secrets::Secrets;
use crate::engine::resource::Slot;
use crate::engine::yaml::Mark;
use crate::model::{Model, WorkbenchRecording, step_label};
use crate::text::{TextLine, sanitize};
use crate::theme::StyleRole;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WhyPane {
    /// The resource and the field, as in `Deployment/web  spec.replicas`, or another subject.
    pub title: String,
    /// The same answer on the command line; empty without one.
    pub command: String,
    /// The rows of the explanation; the final writer of a field is first.
    pub rows: Vec<WhyRow>,
    pub selected: usize,
    /// The verified fix of the problem that is explained.
    pub fix: Option<Offer>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum WhyKind {
    Written(WriterStatus),
    /// The entry seems to be meant for the resource, but does not match it.
    Missed,
    /// A field from which the value was copied, and its distance in copies.
    From(usize),
    Source(usize),
    /// A note on the row above.
    #[default]
    Note,
    Text(StyleRole),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WhyRow {
    pub kind: WhyKind,
    pub value: String,
    pub words: String,
    pub step: Option<usize>,
    pub label: String,
    /// The shortened location, as in `high-availability:17`.
    pub place: String,
    /// The file and line of `place`, for an editor.
    pub file: Option<(PathBuf, u32)>,
}

impl WhyKind {
    fn word(self) -> &'static str {
        match self {
            Self::Written(WriterStatus::Final) => "final",
            Self::Written(WriterStatus::Part) => "part of it",
            Self::Written(WriterStatus::Overridden) => "overridden",
            Self::Missed => "not written",
            Self::From(_) | Self::Source(_) | Self::Note | Self::Text(_) => "",
        }
    }
}

pub(crate) fn why_pane(model: &Model) -> Option<WhyPane> {
    let (row, path) = model.written_under_cursor()?;
    let why = model.builds.recording.why_after_step(row.slot, &path, model.cursor);
    let telling = WhyContext::new(model);
    let path = why.fields.first().map_or(&path, |field| &field.path);
    let shown = sanitize(&named_path_text(&row.resource.node, path)).into_owned();
    let (name, rows) = (telling.name(row.slot), telling.rows(&why));
    let twin = why_command(&model.opened.target, &name, &shown);
    (!rows.is_empty()).then(|| WhyPane {
        title: format!("{name}  {shown}"),
        command: twin,
        rows,
        ..WhyPane::default()
    })
}

impl WhyPane {
    /// An explanation in lines of text, all about this step and this place.
    pub(crate) fn of_text(
        title: impl Into<String>,
        lines: impl IntoIterator<Item = TextLine>,
        step: Option<usize>,
        file: Option<&(PathBuf, u32)>,
    ) -> Self {
        let rows = lines.into_iter().map(|line| WhyRow {
            kind: WhyKind::Text(line.role()),
            words: line.text(),
            step,
            file: file.cloned(),
            ..WhyRow::default()
        });
        Self { title: title.into(), rows: rows.collect(), ..Self::default() }
    }
}

/// The rows of an explanation. The output of `kzui why` is made from the same value.
pub(crate) fn rows(model: &Model, why: &WhyAnswer) -> Vec<WhyRow> {
    WhyContext::new(model).rows(why)
}

struct WhyContext<'r> {
    recording: &'r WorkbenchRecording,
    secrets: &'r Secrets,
    names: BTreeMap<Slot, String>,
}

impl<'r> WhyContext<'r> {
    fn new(model: &'r Model) -> Self {
        let (recording, secrets) = (&*model.builds.recording, &model.look.secrets);
        Self { recording, secrets, names: recording.names() }
    }

    fn rows(&self, why: &WhyAnswer) -> Vec<WhyRow> {
        let mut rows = Vec::new();
        let writers = why.fields.first().map(|field| field.writers.as_slice()).unwrap_or_default();
        for (number, writer) in writers.iter().enumerate() {
            let above = number.checked_sub(1).and_then(|above| writers.get(above));
            rows.push(self.writer(why.slot, writer, above));
        }
        for missed in &why.missed {
            let value = String::new();
            let mut row = self.row(WhyKind::Missed, value, Some(missed.step), missed.mark);
            if missed.is_finding() {
                "finding".clone_into(&mut row.words);
            }
            rows.push(row.clone());
            let help = missed.hint.iter().map(|hint| format!("help: {hint}"));
            let texts = std::iter::once(format!("{}: {}", missed.code, missed.reason)).chain(help);
            for text in texts {
                let words = sanitize(&self.secrets.text(&text)).into_owned();
                let (label, place) = (String::new(), String::new());
                rows.push(WhyRow { kind: WhyKind::Note, words, label, place, ..row.clone() });
            }
        }
        let counts = |writer: &&FieldWriter| writer.standing != WriterStatus::Overridden;
        for writer in writers.iter().take_while(counts) {
            self.sources(why.slot, writer, 1, &mut rows);
        }
        rows
    }

    fn sources(&self, slot: Slot, writer: &FieldWriter, depth: usize, rows: &mut Vec<WhyRow>) {
        if writer.is_hashed {
            rows.push(from(depth, format!("a hash of the content of {}", self.name(slot))));
        }
        for source in &writer.sources {
            self.source(source, depth, rows);
        }
    }

    fn row(&self, kind: WhyKind, value: String, step: Option<usize>, mark: Mark) -> WhyRow {
        let file = self.recording.file(mark).map(|file| (PathBuf::from(file), mark.line.max(1)));
        let label = step.map_or_else(String::new, |step| step_label(self.recording, step));
        let place = sanitize(&self.recording.location(mark)).into_owned();
        WhyRow { kind, value, words: kind.word().to_owned(), step, label, place, file }
    }

    fn writer(&self, slot: Slot, writer: &FieldWriter, above: Option<&FieldWriter>) -> WhyRow {
        let last = self.recording.identity.last_state(slot);
        let resource = last.map(|last| &*last.resource);
        let value = writer.masked_value(resource, self.secrets);
        let value = value.map_or_else(|| "removed".to_owned(), |value| value_text(&value));
        let value = sanitize(&value).into_owned();
        let mut row =
            self.row(WhyKind::Written(writer.standing), value, Some(writer.step), writer.mark);
        if let (WriterStatus::Overridden, Some(above)) = (writer.standing, above) {
            row.words = format!("overridden in step {}", above.step + 1);
        }
        if writer.equal {
            row.words.push_str(", same value");
        }
        if writer.configuration.is_some() {
            row.place.push_str(" (not verified)");
        }
        for also in &writer.also {
            row.place.push_str(&format!(", {}", sanitize(&self.recording.location(*also))));
        }
        row
    }

    /// Adds the row of a field from which a value was copied, and recursively the rows of its
    /// sources.
    fn source(&self, source: &FieldSource, depth: usize, rows: &mut Vec<WhyRow>) {
        let node = self.recording.identity.last_state(source.slot).map(|it| &it.resource.node);
        let path = match node {
            Some(node) => named_path_text(node, &source.path),
            None => path_text(&source.path),
        };
        let words = format!("{} of {}", sanitize(&path), self.name(source.slot));
        rows.push(from(depth, words));
        if let Some(last) = self.recording.changed_after_copy(source) {
            let row = self.writer(source.slot, &last, None);
            let words =
                format!("changed after the copy to {}, in step {}", row.value, last.step + 1);
            rows.push(WhyRow { kind: WhyKind::Note, words, ..row });
        }
        let counts = |writer: &&FieldWriter| writer.standing != WriterStatus::Overridden;
        for writer in source.writers.iter().take_while(counts) {
            let row = self.writer(source.slot, writer, None);
            rows.push(WhyRow { kind: WhyKind::Source(depth), ..row });
            self.sources(source.slot, writer, depth + 1, rows);
        }
    }

    fn name(&self, slot: Slot) -> String {
        sanitize(self.names.get(&slot).map_or("", String::as_str)).into_owned()
    }
}

fn from(depth: usize, words: String) -> WhyRow {
    WhyRow { kind: WhyKind::From(depth), words, ..WhyRow::default() }
}

fn why_command(target: &str, resource: &str, field: &str) -> String {
    format!("kzui why {} {} {}", quoted(target), quoted(resource), quoted(field))
}

pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-:@=+,%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
