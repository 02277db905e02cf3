//! Why a text is no regular expression to Go.

/// What is wrong with an expression, and the part of it that Go tells.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("error parsing regexp: {cause}: `{part}`")]
pub struct RegexFault {
    /// What is wrong.
    pub cause: RegexCause,
    /// Where: a part of the expression.
    pub part: String,
}

/// What can be wrong with an expression, in Go's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegexCause {
    /// A class is not closed.
    #[error("missing closing ]")]
    OpenClass,
    /// A class that is none, or from a character to one before it.
    #[error("invalid character class range")]
    Range,
    /// It ends with a backslash.
    #[error("trailing backslash at end of expression")]
    TrailingBackslash,
    /// There is no such escape.
    #[error("invalid escape sequence")]
    Escape,
    /// A group is not closed.
    #[error("missing closing )")]
    OpenGroup,
    /// A group is closed that was not opened.
    #[error("unexpected )")]
    NoGroup,
    /// A group has a name that is none.
    #[error("invalid named capture")]
    GroupName,
    /// There are no such switches.
    #[error("invalid or unsupported Perl syntax")]
    Switches,
    /// A repetition repeats too often, or from more times to fewer.
    #[error("invalid repeat count")]
    Count,
    /// A repetition of a repetition.
    #[error("invalid nested repetition operator")]
    NestedRepetition,
    /// A repetition of nothing.
    #[error("missing argument to repetition operator")]
    RepetitionOfNothing,
    /// It compiles to more than 1 MiB.
    #[error("expression too large")]
    TooLarge,
}

impl RegexCause {
    pub(super) fn at(self, part: &str) -> RegexFault {
        RegexFault { cause: self, part: part.to_owned() }
    }
}
