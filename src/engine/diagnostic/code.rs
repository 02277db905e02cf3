//! Codes, and the properties of a rule.

use std::fmt;

/// The severity of a diagnostic, from the worst to the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The build fails, or an entry has no effect at all.
    Error,
    Warning,
    Note,
}

impl Severity {
    /// `error`, `warning` or `note`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// The effect of the entry that a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryEffect {
    NoMatch,
    /// The entry defines something that no field uses.
    Unused,
    /// Every resource that the entry matches already has the values of the entry.
    Unchanged,
    /// Later steps override all values of the entry.
    Overridden,
    PartlyOverridden,
    /// The entry is a patch without content.
    Empty,
    /// The effect of the entry depends on a pending step.
    NotKnown,
}

impl EntryEffect {
    /// True if the same entry may have an effect in another target: its findings in several targets
    /// are one finding.
    pub fn depends_on_target(self) -> bool {
        !matches!(self, Self::Empty | Self::NotKnown)
    }

    /// True if an entry with this effect in every target can be removed.
    pub fn is_removable(self) -> bool {
        matches!(self, Self::NoMatch | Self::Unused)
    }

    /// True if this effect explains why a step has no effect.
    pub fn explains_no_change(self) -> bool {
        matches!(self, Self::NoMatch | Self::Unchanged | Self::Empty | Self::NotKnown)
    }
}

/// How findings of one rule at one line become one finding of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grouping {
    /// Findings at one line are one finding, even if their messages differ: names differ between
    /// targets.
    Line,
    /// As `Line`, with the number of other resources after the message.
    Resources,
}

/// How a report on a repository lists the findings of a rule, if not each as a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Listing {
    /// Only if the rule is selected: the findings have no remedy in the repository.
    OnRequest,
    /// All of a repository as one row.
    Repository,
    /// Those of one habit as one row: the same field of several resources, the entries of one list,
    /// the same missing file, or patches of one target.
    Habit,
}

/// A row of the registry. A code is never used for another rule.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CodeRule {
    /// `KZ101`
    pub code: &'static str,
    pub severity: Severity,
    pub title: &'static str,
    pub means: &'static str,
    pub action: &'static str,
    /// A page of `tests/cases`; empty if only a program or a catalog can cause it.
    pub example: &'static str,
    pub effect: Option<EntryEffect>,
    pub grouping: Option<Grouping>,
    pub listing: Option<Listing>,
}

/// The code of a diagnostic: a row of the registry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{}", self.as_str())]
pub struct Code(pub(super) &'static CodeRule);

impl Code {
    /// The row of the registry.
    pub fn rule(self) -> &'static CodeRule {
        self.0
    }

    /// The code as text, such as `KZ101`.
    pub fn as_str(self) -> &'static str {
        self.0.code
    }

    /// The severity of the rule; a report may lower it.
    pub fn severity(self) -> Severity {
        self.0.severity
    }

    /// The effect of the entry that the diagnostic is about; `None` if it is not about an entry.
    pub fn effect(self) -> Option<EntryEffect> {
        self.0.effect
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
