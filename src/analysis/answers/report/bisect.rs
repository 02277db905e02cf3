//! The document of `kzui bisect --json`.

use serde::Serialize;

/// The commit that made something so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BisectReport {
    /// The version of this format. A field that is added leaves it as it is; a field that goes, or means something else,
    /// raises it.
    pub schema_version: u32,
    /// The target's folder, from the top of the repository.
    pub target: String,
    /// What is asked of every commit, in words.
    pub question: String,
    /// The id of the commit where it is not so.
    pub good: String,
    /// The id of the commit where it is so.
    pub bad: String,
    /// How many commits lead to the bad one and not to the good one.
    pub commits: usize,
    /// How many commits were built.
    pub built: usize,
    /// The first commit in which it is so. Several when those between could not be told: it is one of them.
    pub suspects: Vec<BisectCommit>,
    /// Parents of the suspect in which it is so as well, from before the good commit.
    pub bad_parents: Vec<String>,
    /// Commits of which it cannot be known, and why.
    pub untold: Vec<UntoldCommit>,
    /// How it is in the parent of the suspect; the first parent of a merge.
    pub before: Option<BisectState>,
    /// How it is in the suspect.
    pub after: Option<BisectState>,
    /// The edits of the suspect without which it would not be so, the fewest that were found.
    pub edits: Vec<BisectEdit>,
    /// The suspect was built without these edits, and it was not so.
    pub tried: bool,
}

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BisectCommit {
    /// Its id.
    pub id: String,
    /// Who wrote it.
    pub author: String,
    /// The first line of its message.
    pub subject: String,
    /// How many parents it has: more than one for a merge.
    pub parents: usize,
}

/// A commit of which it cannot be known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UntoldCommit {
    /// Its id.
    pub id: String,
    /// Why.
    pub reason: String,
}

/// How it is in a commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BisectState {
    /// The value of the field, or why the build fails; nothing where there is none.
    pub value: Option<String>,
    /// In words.
    pub words: String,
    /// Where it is written, as `FILE:LINE` from the top of the repository.
    pub at: Option<String>,
}

/// An edit of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BisectEdit {
    /// The file, from the top of the repository.
    pub file: String,
    /// The line in the suspect.
    pub line: u32,
    /// The line in its parent.
    pub old_line: u32,
    /// What was there, line by line.
    pub old: Vec<String>,
    /// What is there.
    pub new: Vec<String>,
}
