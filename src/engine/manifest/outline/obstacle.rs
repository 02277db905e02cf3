//! Obstacles to editing a file by entry. The texts contain a remedy, if one is known.

use std::borrow::Cow;

pub(super) const NOT_UTF8: &str = "not UTF-8";
pub(super) const KEY_NO_TEXT: &str = "a key is not a string: use the editor";

/// The reason why a file cannot be edited entry by entry, with the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineProblem {
    /// The line of the obstacle, counted from 1.
    pub line: u32,
    pub obstacle: Cow<'static, str>,
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
    Unsupported { line: u32, obstacle: Cow<'static, str> },
}

impl From<OutlineProblem> for OutlineError {
    fn from(OutlineProblem { line, obstacle }: OutlineProblem) -> Self {
        Self::Unsupported { line, obstacle }
    }
}

pub(super) fn unsupported(line: u32, obstacle: impl Into<Cow<'static, str>>) -> OutlineError {
    OutlineError::Unsupported { line, obstacle: obstacle.into() }
}
