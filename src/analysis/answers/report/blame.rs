//! The document of `kzui blame --json`.

use serde::Serialize;

use crate::answers::Recording;
use crate::answers::provenance::output_lines::{LineValue, OutputLine};
use crate::answers::recording::field::{path_text, pointer};
use crate::answers::secrets::Secrets;
use crate::engine::yaml::Mark;
use crate::repository::WrittenBy;

use super::{FilePosition, ReportPaths, StepRef, WriterReportInputs};

/// The output line by line, with the origin of each value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BlameReport {
    pub schema_version: u32,
    /// The target as it was given. All paths below are relative to this directory.
    pub target: String,
    /// All lines of the output, or those of the given resource.
    pub lines: Vec<BlameLine>,
}

/// One line of the output, with the values on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BlameLine {
    /// The line number, from 1.
    pub number: u32,
    /// The text; values of Secrets are masked unless requested.
    pub text: String,
    /// The values that begin on the line, in order; empty for a line with a key alone.
    pub values: Vec<BlameValue>,
}

/// A value in the output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BlameValue {
    /// The column, from 1, in characters.
    pub column: u32,
    /// The path of the field.
    pub path: String,
    /// The same path as a JSON pointer.
    pub pointer: String,
    /// The location to edit to change the value; null if the value is in no file.
    pub at: Option<FilePosition>,
    /// Further locations that contain parts of the value.
    pub also: Vec<FilePosition>,
    /// The step that wrote the value last.
    pub step: Option<StepRef>,
    /// The commit that wrote the line at the location `at`; null if git does not know the line.
    /// With `--commits` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<BlameCommit>,
}

/// A commit that wrote a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BlameCommit {
    /// The commit id; null for a line with uncommitted changes.
    pub id: Option<String>,
    /// The author's name.
    pub author: String,
    /// The date of the commit, as RFC 3339.
    pub date: String,
    /// The first line of the commit message.
    pub subject: String,
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
            at: places.at(value.mark),
            also: value.other_locations().filter_map(|mark| places.at(mark)).collect(),
            step: value.step.and_then(|step| writers.step(step)),
            commit: commit(value.mark).as_ref().map(BlameCommit::from),
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
