//! The document of `kzui bisect --json`.

use serde::Serialize;

/// The commit since which a property of a build holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BisectReport {
    pub schema_version: u32,
    /// The target's folder, relative to the top of the repository.
    pub target: String,
    /// The property that is searched for, in words.
    pub question: String,
    /// The id of the commit without the property.
    pub good: String,
    /// The id of the commit with the property.
    pub bad: String,
    /// The number of commits that are ancestors of the bad commit and not of the good one.
    pub commits: usize,
    /// The number of commits that were built.
    pub built: usize,
    /// The first commit with the property. Several if commits between them are not known: one of
    /// them is the first.
    pub suspects: Vec<BisectCommit>,
    /// Parents of the suspect that have the property too and are older than the good commit.
    pub bad_parents: Vec<String>,
    /// Commits of which the property is not known, with the reason.
    pub not_known: Vec<UnknownCommit>,
    /// The former name of `notKnown`, with the same content. The next version has no such field.
    pub untold: Vec<UnknownCommit>,
    /// The state in the parent of the suspect, or in the first parent of a merge.
    pub before: Option<BisectState>,
    /// The state in the suspect.
    pub after: Option<BisectState>,
    /// The edits of the suspect that cause the property: the fewest that were found.
    pub edits: Vec<BisectEdit>,
    /// True if the suspect was built without these edits and did not have the property.
    pub tried: bool,
}

/// A commit of the history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BisectCommit {
    /// The full commit id.
    pub id: String,
    /// The author's name.
    pub author: String,
    /// The first line of the commit message.
    pub subject: String,
    /// The number of parents: more than one for a merge.
    pub parents: usize,
}

/// A commit of which the property is not known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UnknownCommit {
    /// The full commit id.
    pub id: String,
    /// Why the property is not known.
    pub reason: String,
}

/// The state of the property in a commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BisectState {
    /// The value of the field, or the error of the build; null if there is neither.
    pub value: Option<String>,
    /// The state as a sentence.
    pub words: String,
    /// The location of the value, as `FILE:LINE` relative to the top of the repository.
    pub at: Option<String>,
}

/// An edit of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BisectEdit {
    /// The file, relative to the top of the repository.
    pub file: String,
    /// The line number in the suspect.
    pub line: u32,
    /// The line number in the suspect's parent.
    pub old_line: u32,
    /// The old lines that the edit replaces.
    pub old: Vec<String>,
    /// The new lines that the edit writes.
    pub new: Vec<String>,
}
