//! The document of `kzui blame --json`.

use serde::Serialize;

use crate::answers::Recording;
use crate::answers::provenance::output_lines::{LineValue, OutputLine};
use crate::answers::recording::field::{path_text, pointer};
use crate::answers::secrets::Secrets;
use crate::engine::yaml::Mark;
use crate::repository::WrittenBy;

use super::{FilePosition, ReportPaths, StepRef, Writers};

/// The output line by line, with what comes from where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BlameReport {
    /// The version of this format. A field that is added leaves it as it is; a field that goes, or means something else,
    /// raises it.
    pub schema_version: u32,
    /// What was built, as it was asked for. All paths below are relative to this directory.
    pub target: String,
    /// Every line of the output.
    pub lines: Vec<BlameLine>,
}

/// A line of the output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BlameLine {
    /// Its number, from 1.
    pub number: u32,
    /// Its text; values of Secrets are masked unless they are asked for.
    pub text: String,
    /// The values that begin on it, in their order; none for a line that holds only a key.
    pub values: Vec<BlameValue>,
}

/// A value of the output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BlameValue {
    /// Its column, from 1, in characters.
    pub column: u32,
    /// The field.
    pub path: String,
    /// The same as a JSON pointer.
    pub pointer: String,
    /// The place to change it at; null for what is written nowhere.
    pub at: Option<FilePosition>,
    /// Where else parts of it are written.
    pub also: Vec<FilePosition>,
    /// The step that wrote it last.
    pub step: Option<StepRef>,
    /// The commit that wrote the line of its place; null when git knows nothing of it. With `--commits` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<BlameCommit>,
}

/// A commit that wrote a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BlameCommit {
    /// Its id; null for a line that is not as the last commit has it.
    pub id: Option<String>,
    /// Who wrote it.
    pub author: String,
    /// When it was written, as RFC 3339.
    pub date: String,
    /// The first line of its message.
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
    /// The version that this program writes.
    pub const VERSION: u32 = 1;

    /// The lines of an output; `commit` returns the commit of the line of a location, if requested.
    pub fn new(
        recording: &Recording,
        lines: &[OutputLine],
        secrets: &Secrets,
        commit: &dyn Fn(Mark) -> Option<WrittenBy>,
    ) -> Self {
        let writers = Writers::new(recording, secrets);
        let places = ReportPaths::relative_to_target(&recording.trace);
        let value = |value: &LineValue| BlameValue {
            column: value.column,
            path: path_text(&value.path),
            pointer: pointer(&value.path),
            at: places.at(value.mark),
            also: value.also().filter_map(|mark| places.at(mark)).collect(),
            step: value.step.and_then(|step| writers.step(step)),
            commit: commit(value.mark).as_ref().map(BlameCommit::from),
        };
        let lines = (1..).zip(lines).map(|(number, line)| BlameLine {
            number,
            text: line.text.clone(),
            values: line.values.iter().map(value).collect(),
        });
        let target = recording.trace.layers.first();
        Self {
            schema_version: Self::VERSION,
            target: target.map_or_else(String::new, |layer| layer.name.to_string()),
            lines: lines.collect(),
        }
    }
}
