//! The document of `kzui blame --json`.

use crate::answers::Recording;
use crate::answers::provenance::output_lines::{LineValue, OutputLine};
use crate::answers::recording::field::{path_text, pointer};
use crate::answers::secrets::Secrets;
use crate::engine::yaml::Mark;
use crate::repository::WrittenBy;

use super::{FilePosition, ReportPaths, StepRef, WriterReportInputs, documents};

documents! {
    pub struct BlameReport {
        pub schema_version: u32,
        pub target: String,
        pub lines: Vec<BlameLine>,
    }

    pub struct BlameLine {
        pub number: u32,
        pub text: String,
        pub values: Vec<BlameValue>,
    }

    pub struct BlameValue {
        pub column: u32,
        pub path: String,
        pub pointer: String,
        pub at: Option<FilePosition>,
        pub also: Vec<FilePosition>,
        pub step: Option<StepRef>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub commit: Option<BlameCommit>,
    }

    pub struct BlameCommit {
        pub id: Option<String>,
        pub author: String,
        pub date: String,
        pub subject: String,
    }
}

impl From<&WrittenBy> for BlameCommit {
    fn from(written: &WrittenBy) -> Self {
        match written {
            WrittenBy::Commit(commit) => Self {
                id: Some(commit.id.clone()),
                author: commit.author.clone(),
                date: commit.date.clone(),
                subject: commit.subject.clone(),
            },
            WrittenBy::NotCommitted => Self {
                id: None,
                author: String::new(),
                date: String::new(),
                subject: "not committed".to_owned(),
            },
        }
    }
}

impl BlameReport {
    /// The lines of an output; `commit` returns the commit of the line of a location, if requested.
    pub fn new(
        recording: &Recording,
        lines: &[OutputLine],
        secrets: &Secrets,
        commit: &dyn Fn(Mark) -> Option<WrittenBy>,
    ) -> Self {
        let writers = WriterReportInputs::new(recording, secrets);
        let places = ReportPaths::relative_to_target(&recording.trace);
        let value = |value: &LineValue| BlameValue {
            column: value.column,
            path: path_text(&value.path),
            pointer: pointer(&value.path),
            at: places.at(value.origin.mark),
            also: value.other_locations().filter_map(|mark| places.at(mark)).collect(),
            step: value.origin.step.and_then(|step| writers.step(step)),
            commit: commit(value.origin.mark).as_ref().map(BlameCommit::from),
        };
        let lines = lines.iter().map(|line| BlameLine {
            number: line.number,
            text: line.text.clone(),
            values: line.values.iter().map(value).collect(),
        });
        let target = recording.trace.layers.first();
        Self {
            schema_version: 1,
            target: target.map_or_else(String::new, |layer| layer.name.to_string()),
            lines: lines.collect(),
        }
    }
}
