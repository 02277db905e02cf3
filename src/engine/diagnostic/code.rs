//! A code, and the rule that it stands for.

use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The build fails, or something that was written does not happen at all.
    Error,
    /// Probably not what was meant.
    Warning,
    /// Good to know.
    Note,
}

impl Severity {
    /// In a word: `error`, `warning`, `note`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A row of the registry: one rule, for good under the same code.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// `KZ101`
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// In a few words.
    pub title: &'static str,
    /// What is the case when it is told, and why.
    pub means: &'static str,
    /// What to do about it.
    pub action: &'static str,
    /// The page of `tests/cases` that shows it; empty where only a program or a catalog can bring it about.
    pub example: &'static str,
}

/// The code of a diagnostic. There is none without a row in the registry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Code(pub(super) &'static Rule);

impl Code {
    /// The row of the registry.
    pub fn rule(self) -> &'static Rule {
        self.0
    }

    /// As it is written: `KZ101`.
    pub fn as_str(self) -> &'static str {
        self.0.code
    }

    /// How bad it is.
    pub fn severity(self) -> Severity {
        self.0.severity
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PartialEq<&str> for Code {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialOrd for Code {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Code {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}
