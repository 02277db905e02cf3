//! The document of `kzui set --json`.

use serde::Serialize;

use super::migrate::MigratedFileReport;

/// The edits that give a field in the output of a target a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SetReport {
    pub schema_version: u32,
    /// The target as it was given.
    pub target: String,
    /// The resource, as `Kind/name`.
    pub resource: String,
    /// The path of the field.
    pub field: String,
    /// The value now, in one line; null if the resource does not have the field.
    pub before: Option<String>,
    /// The wanted value, in one line; null if the field is removed.
    pub wanted: Option<String>,
    /// True if the value is a further element of a list.
    pub is_appended: bool,
    /// The reason why no edit sets the field; `proposals` is empty then.
    pub refused: Option<String>,
    /// The pending item of the target's build: which further fields an edit changes is not known.
    pub waits_for: Option<String>,
    /// The number of the written proposal, from 1.
    pub written: Option<usize>,
    /// The verified proposals: first those that change fewer other fields.
    pub proposals: Vec<SetProposal>,
}

/// A verified edit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SetProposal {
    /// The number of the proposal, from 1.
    pub number: usize,
    /// `winningLine`, `entry` or `patch`.
    pub kind: String,
    /// The edit in words.
    pub words: String,
    /// The edited file.
    pub file: String,
    /// The line of the edit in the unchanged file, from 1.
    pub line: u32,
    /// True if no other field changes in any target.
    pub is_exact: bool,
    /// The other fields that change, in this target and in others.
    pub also: Vec<SetAffected>,
    /// The edited files with their diffs.
    pub files: Vec<MigratedFileReport>,
}

/// Another field that the edit changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SetAffected {
    /// The target, relative to the working directory.
    pub target: String,
    /// The resource, as `Kind/name`; empty for a target that does not build.
    pub resource: String,
    /// The path of the field; empty for a whole resource.
    pub field: String,
}
