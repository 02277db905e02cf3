//! The document of `kzui why --json`.

use serde::Serialize;

use crate::answers::Recording;
use crate::answers::provenance::blame::{
    ConfigurationProof, FieldWriter, WriterStatus, value_text,
};
use crate::answers::provenance::why::WhyAnswer;
use crate::answers::recording::field::{path_text, pointer};
use crate::answers::secrets::Secrets;
use crate::engine::resource::Slot;

use super::{FilePosition, ReportPaths};

/// The writers of the fields of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WhyReport {
    pub schema_version: u32,
    /// The resource, by the shortest text that selects it alone: `Deployment/web`,
    /// `shop/Service/web`.
    pub resource: String,
    /// The removal of the resource, if it was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed: Option<RemovedReport>,
    /// The requested field, or all fields; empty if no step wrote it.
    pub fields: Vec<WhyFieldReport>,
    /// Entries that almost match the resource.
    pub missed: Vec<MissedReport>,
}

/// The removal of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RemovedReport {
    /// The location of the text that removes the resource.
    pub at: Option<FilePosition>,
    /// The step that removed the resource.
    pub step: Option<StepRef>,
}

/// A field with its writers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WhyFieldReport {
    /// The path of the field in the output, or in the last state of the resource.
    pub path: String,
    /// The same path as a JSON pointer.
    pub pointer: String,
    /// The writers, last one first; only the last one if all fields are requested.
    pub writers: Vec<WriterReport>,
}

/// An entry that almost matches a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MissedReport {
    /// The code of the diagnostic.
    pub code: String,
    /// The reason why the entry does not match.
    pub reason: String,
    /// A suggestion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The location of the entry.
    pub at: Option<FilePosition>,
    /// The step of the entry.
    pub step: Option<StepRef>,
}

/// A step, with the number that other commands print.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StepRef {
    /// The number of the step, from 1, as in `kzui trace`.
    pub number: usize,
    /// Kustomize's name of the transformer or generator.
    pub name: String,
    /// The argument in short: a file, a value, `nginx → 1.27`.
    pub argument: String,
    /// The field of the kustomization file; absent for Kustomize's final steps.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub field: String,
    /// The location of the step's configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<FilePosition>,
}

/// A step that wrote a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WriterReport {
    /// The effect of this writer on the output.
    pub standing: WriterStatus,
    /// True if the step wrote the value that the field already had.
    pub equal: bool,
    /// The written value; null if the step removed the field. Values of Secrets are masked unless
    /// requested.
    pub value: Option<String>,
    /// The location of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<FilePosition>,
    /// Further locations that contain parts of the value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<FilePosition>,
    /// True if the value contains a hash of the resource's content; absent otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hashed: bool,
    /// For a value that a function wrote: true if a build with another value at `at`, a line of
    /// the function's configuration, changed the field; false if the line has the same value and
    /// was not tried. Absent if `at` is no such line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configuration_verified: Option<bool>,
    /// The step that wrote the value.
    pub step: Option<StepRef>,
    /// The fields of other resources that the value was taken from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceReport>,
}

/// A field of another resource that a value was taken from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SourceReport {
    /// Kind and name of the resource.
    pub resource: String,
    /// The path of the field.
    pub path: String,
    /// The writers of that field.
    pub writers: Vec<WriterReport>,
}

/// The inputs of reports on writers.
pub struct WriterReportInputs<'r> {
    recording: &'r Recording,
    names: std::collections::BTreeMap<Slot, String>,
    places: ReportPaths<'r>,
    secrets: &'r Secrets,
}

impl<'r> WriterReportInputs<'r> {
    /// Prepares reports on the writers in a recording, with paths relative to its target.
    pub fn new(recording: &'r Recording, secrets: &'r Secrets) -> Self {
        let places = ReportPaths::relative_to_target(&recording.trace);
        Self { recording, names: recording.names(), places, secrets }
    }

    /// The shortest text that identifies a resource.
    pub fn name(&self, slot: Slot) -> String {
        self.names.get(&slot).cloned().unwrap_or_default()
    }

    /// A value in one line, masked if it is a value of a Secret.
    pub fn value(&self, slot: Slot, writer: &FieldWriter) -> Option<String> {
        let last = self.recording.identity.last_state(slot);
        let value = writer.masked_value(last.map(|last| &*last.resource), self.secrets)?;
        Some(value_text(&value))
    }

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
            standing: writer.standing,
            equal: writer.equal,
            value: self.value(slot, writer),
            at: self.places.at(writer.mark),
            also: writer.also.iter().filter_map(|mark| self.places.at(*mark)).collect(),
            hashed: writer.is_hashed,
            configuration_verified: writer
                .configuration
                .map(|proof| proof == ConfigurationProof::Verified),
            step: self.step(writer.step),
            sources: sources.collect(),
        }
    }

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
            schema_version: 1,
            resource: self.name(answer.slot),
            removed,
            fields: fields.collect(),
            missed: missed.collect(),
        }
    }
}
