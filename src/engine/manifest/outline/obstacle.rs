//! Obstacles to editing a file by entry.

use crate::yaml::YamlCause;

/// The reason why a file cannot be edited entry by entry, with the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineProblem {
    /// The line of the obstacle, counted from 1.
    pub line: u32,
    pub obstacle: Obstacle,
}

/// Most callers only print the reason.
impl From<OutlineError> for String {
    fn from(error: OutlineError) -> Self {
        error.to_string()
    }
}

/// The reason why an edit of a text is not possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutlineError {
    #[error("no field `{0}`")]
    NoField(String),
    #[error("no entry {index} in `{field}`")]
    NoEntry { field: String, index: usize },
    /// The edit would change other bytes, or the result would not be valid YAML. The line is counted
    /// from 1.
    #[error("line {line}: {obstacle}")]
    Unsupported { line: u32, obstacle: Obstacle },
}

/// The reason why an edit is not possible; the text contains a remedy, if one is known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    #[error("not UTF-8")]
    NotUtf8,
    #[error("not YAML: {}", .0.without_prefix())]
    NotYaml(YamlCause),
    /// A carriage return without a line feed: YAML ends the line there, but editors do not, so that
    /// a comment would end too early.
    #[error("a carriage return ends a line without a line feed: end lines with a line feed first")]
    LoneReturn,
    #[error("written as JSON, in braces: kzui edits lists in block style; use the editor")]
    Braces,
    #[error("not a mapping")]
    NoMapping,
    #[error("a key is not a string: use the editor")]
    KeyNoText,
    #[error("the edit would break the file: {0}")]
    Breaks(Box<Self>),
    /// The edit would change the number of deployment objects in the file.
    #[error("the edit would break the file")]
    BreaksOthers,
    #[error("the ends of the list's entries are not clear")]
    Unclear,
    #[error("the comment does not read as an entry here")]
    NoEntryHere,
    #[error("the comment does not read as a field here")]
    NoFieldHere,
    /// An entry of a commented-out list in brackets cannot be restored alone.
    #[error("a list in brackets: switch the whole field on")]
    DisabledListInBrackets,
    /// An entry of a list in brackets over several lines cannot be commented out.
    #[error("a list in brackets over several lines: write it with dashes first")]
    BracketsOverLines,
    /// The entry cannot be written within brackets.
    #[error("a list in brackets: write it with dashes first")]
    BracketsFull,
    #[error("a list in brackets with comments")]
    BracketsWithComments,
    #[error(
        "a comment beside the entry looks like a part of it: separate the two with an empty line"
    )]
    JoinsComment,
    #[error("the entry could not be switched on again: {0}")]
    NotRestorable(Box<OutlineError>),
    #[error("already the first of `{0}`")]
    IsFirst(String),
    #[error("already the last of `{0}`")]
    IsLast(String),
    #[error("comments beside the entry would become a part of it")]
    TakesComments,
    #[error("`{0}` is not a list in this file")]
    NoList(String),
    #[error("the text is not one entry of this list")]
    NotOneEntry,
    #[error("`{}` cannot be set in this text", .0.join("."))]
    CannotSet(Vec<String>),
    #[error("the file name is not UTF-8, so no entry can contain it: rename the file first")]
    NameNotUtf8,
}
