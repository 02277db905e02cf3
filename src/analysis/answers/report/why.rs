//! The document of `kzui why --json`.

use serde::Serialize;

use crate::answers::Recording;
use crate::answers::provenance::blame::{FieldWriter, WriterStatus, value_text};
use crate::answers::provenance::why::WhyAnswer;
use crate::answers::recording::field::{path_text, pointer};
use crate::answers::secrets::Secrets;
use crate::engine::resource::Slot;

use super::{FilePosition, ReportPaths};

/// Why the fields of a resource are what they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WhyReport {
    /// The version of this format. A field that is added leaves it as it is; a field that goes, or means something else,
    /// raises it.
    pub schema_version: u32,
    /// The resource, by the shortest text that names it alone: `Deployment/web`, `shop/Service/web`.
    pub resource: String,
    /// How the resource was removed, when it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed: Option<RemovedReport>,
    /// The field that was asked for, or all of them; none when no step ever wrote it.
    pub fields: Vec<WhyFieldReport>,
    /// The entries that name the resource nearly, and missed it.
    pub missed: Vec<MissedReport>,
}

/// How a resource was removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RemovedReport {
    /// Where that is written.
    pub at: Option<FilePosition>,
    /// The step.
    pub step: Option<StepRef>,
}

/// A field and who wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WhyFieldReport {
    /// The field, as the output calls it, or the resource as it was last.
    pub path: String,
    /// The same as a JSON pointer.
    pub pointer: String,
    /// Who wrote it, the last one first; of all fields only the last one.
    pub writers: Vec<WriterReport>,
}

/// An entry that names a resource nearly, and missed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MissedReport {
    /// The code of the diagnostic.
    pub code: String,
    /// Why it missed.
    pub reason: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Where it is written.
    pub at: Option<FilePosition>,
    /// The step.
    pub step: Option<StepRef>,
}

/// A step, as other commands number it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StepRef {
    /// From 1, as in `kzui trace`.
    pub number: usize,
    /// Kustomize's name for what it does.
    pub name: String,
    /// What it works with.
    pub argument: String,
    /// The field of the kustomization file; left out for what Kustomize does at the root by itself.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub field: String,
    /// Where it is configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<FilePosition>,
}

/// A step that wrote a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WriterReport {
    /// What became of it.
    pub standing: WriterStatusWord,
    /// It wrote what was there already.
    pub equal: bool,
    /// What it wrote; null when it removed the field. Values of Secrets are masked unless they are asked for.
    pub value: Option<String>,
    /// Where the value is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<FilePosition>,
    /// Where else parts of it are written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<FilePosition>,
    /// A hash of the resource's content is part of it; left out when none is.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hashed: bool,
    /// The step.
    pub step: Option<StepRef>,
    /// The fields of resources that it was taken from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceReport>,
}

/// What became of what a step wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum WriterStatusWord {
    /// It is what comes out.
    Wins,
    /// It is a part of what comes out: a name before its prefix, a list that another step added to.
    Part,
    /// A later step wrote over it.
    Overruled,
}

/// A field of a resource that a value was taken from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceReport {
    /// The resource.
    pub resource: String,
    /// The field.
    pub path: String,
    /// Who wrote it.
    pub writers: Vec<WriterReport>,
}

/// The inputs of reports on writers.
pub struct Writers<'r> {
    recording: &'r Recording,
    names: std::collections::BTreeMap<Slot, String>,
    places: ReportPaths<'r>,
    secrets: &'r Secrets,
}

impl<'r> Writers<'r> {
    /// For a recording, with paths relative to its target.
    pub fn new(recording: &'r Recording, secrets: &'r Secrets) -> Self {
        let places = ReportPaths::relative_to_target(&recording.trace);
        Self { recording, names: recording.names(), places, secrets }
    }

    /// The shortest text that identifies a resource.
    pub fn name(&self, slot: Slot) -> String {
        self.names.get(&slot).cloned().unwrap_or_default()
    }

    /// A value in one line, masked if it is one of a Secret.
    pub fn value(&self, slot: Slot, writer: &FieldWriter) -> Option<String> {
        let last = self.recording.identity.last_of(slot);
        let value = writer.masked_value(last.map(|last| &*last.resource), self.secrets)?;
        Some(value_text(&value))
    }

    /// A step by its index in the recording.
    pub fn step(&self, index: usize) -> Option<StepRef> {
        let step = self.recording.step(index)?;
        Some(StepRef {
            number: index + 1,
            name: step.name.to_string(),
            argument: self.secrets.label(&step.argument),
            field: step.field.to_owned(),
            at: self.places.at(step.mark),
        })
    }

    fn writer(&self, slot: Slot, writer: &FieldWriter) -> WriterReport {
        let sources = writer.sources.iter().map(|source| SourceReport {
            resource: self.name(source.slot),
            path: path_text(&source.path),
            writers: source.writers.iter().map(|from| self.writer(source.slot, from)).collect(),
        });
        WriterReport {
            standing: match writer.standing {
                WriterStatus::Wins => WriterStatusWord::Wins,
                WriterStatus::Part => WriterStatusWord::Part,
                WriterStatus::Overruled => WriterStatusWord::Overruled,
            },
            equal: writer.equal,
            value: self.value(slot, writer),
            at: self.places.at(writer.mark),
            also: writer.also.iter().filter_map(|mark| self.places.at(*mark)).collect(),
            hashed: writer.is_hashed,
            step: self.step(writer.step),
            sources: sources.collect(),
        }
    }

    /// The report of an answer.
    pub fn report(&self, answer: &WhyAnswer) -> WhyReport {
        let fields = answer.fields.iter().map(|field| WhyFieldReport {
            path: path_text(&field.path),
            pointer: pointer(&field.path),
            writers: field.writers.iter().map(|it| self.writer(answer.slot, it)).collect(),
        });
        let missed = answer.missed.iter().map(|missed| MissedReport {
            code: missed.code.to_string(),
            reason: self.secrets.text(&missed.reason),
            hint: missed.hint.as_ref().map(|hint| self.secrets.text(hint)),
            at: self.places.at(missed.mark),
            step: self.step(missed.step),
        });
        let removed = answer
            .removed
            .map(|(step, mark)| RemovedReport { at: self.places.at(mark), step: self.step(step) });
        WhyReport {
            schema_version: WhyReport::VERSION,
            resource: self.name(answer.slot),
            removed,
            fields: fields.collect(),
            missed: missed.collect(),
        }
    }
}

impl WhyReport {
    /// The version that this program writes.
    pub const VERSION: u32 = 1;
}
