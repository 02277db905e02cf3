//! The document of `kzui why --json`.

use crate::answers::Recording;
use crate::answers::provenance::blame::{
    ConfigurationProof, FieldWriter, WriterStatus, value_text,
};
use crate::answers::provenance::why::WhyAnswer;
use crate::answers::recording::field::{path_text, pointer};
use crate::answers::secrets::Secrets;
use crate::engine::resource::Slot;

use super::{FilePosition, ReportPaths, documents};

documents! {
    pub struct WhyReport {
        pub schema_version: u32,
        pub resource: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub removed: Option<RemovedReport>,
        pub fields: Vec<WhyFieldReport>,
        pub missed: Vec<MissedReport>,
    }

    pub struct RemovedReport {
        pub at: Option<FilePosition>,
        pub step: Option<StepRef>,
    }

    pub struct WhyFieldReport {
        pub path: String,
        pub pointer: String,
        pub writers: Vec<WriterReport>,
    }

    pub struct MissedReport {
        pub code: String,
        pub reason: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub hint: Option<String>,
        pub at: Option<FilePosition>,
        pub step: Option<StepRef>,
    }

    pub struct StepRef {
        pub number: usize,
        pub name: String,
        pub argument: String,
        #[serde(skip_serializing_if = "String::is_empty")]
        pub field: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub at: Option<FilePosition>,
    }

    pub struct WriterReport {
        pub standing: WriterStatus,
        pub equal: bool,
        pub value: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub at: Option<FilePosition>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub also: Vec<FilePosition>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        pub hashed: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub configuration_verified: Option<bool>,
        pub step: Option<StepRef>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub sources: Vec<SourceReport>,
    }

    pub struct SourceReport {
        pub resource: String,
        pub path: String,
        pub writers: Vec<WriterReport>,
    }
}

pub struct WriterReportInputs<'r> {
    recording: &'r Recording,
    names: std::collections::BTreeMap<Slot, String>,
    places: ReportPaths<'r>,
    secrets: &'r Secrets,
}

impl<'r> WriterReportInputs<'r> {
    pub fn new(recording: &'r Recording, secrets: &'r Secrets) -> Self {
        let places = ReportPaths::relative_to_target(&recording.trace);
        Self { recording, names: recording.names(), places, secrets }
    }

    /// The shortest text that identifies a resource.
    pub fn name(&self, slot: Slot) -> String {
        self.names.get(&slot).cloned().unwrap_or_default()
    }

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
