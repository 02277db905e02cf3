//! Why a command ends without its answer.

use super::Exit;

/// The exit status of a command, or why it has none.
pub(super) type CommandResult = Result<Exit, Failure>;

#[derive(Debug)]
pub(super) enum Failure {
    /// A message that is not printed yet.
    Message(String, Exit),
    Printed(Exit),
    /// Standard output or standard error cannot be written.
    Stream(std::io::Error),
}

impl Failure {
    #[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
    pub(super) fn new(words: impl ToString, exit: Exit) -> Self {
        Self::Message(words.to_string(), exit)
    }

    pub(super) fn usage(words: impl ToString) -> Self {
        Self::new(words, Exit::USAGE)
    }

    pub(super) fn failed(words: impl ToString) -> Self {
        Self::new(words, Exit::FAILED)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Stream(error)
    }
}

/// Most messages are about the command line, or about files that it names.
impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::usage(message)
    }
}
