//! Errors of Starlark scripts.

use crate::yaml::YamlError;

use super::program::{ProgramError, byte_size, go_duration};

/// The error of a script without a usable result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptFault {
    #[error("this build of kzui has no Starlark")]
    NoInterpreter,
    #[error("there is no input")]
    NoInput,
    /// The input cannot be read or passed on.
    #[error(transparent)]
    Input(YamlError),
    /// The same, in the words of the JSON parser.
    #[error("{0}")]
    InputJson(String),
    /// In the words of the interpreter, or of the process that runs it.
    #[error("{0}")]
    Interpreter(String),
    /// The output cannot be read.
    #[error(transparent)]
    Output(YamlError),
    #[error(
        "it was stopped: it nests too deep, or it needs more than {} of memory",
        byte_size(*.0)
    )]
    Stopped(usize),
    #[error("what it left cannot be read: {0}")]
    Answer(String),
    #[error("{}", not_ended(.0))]
    Process(ProgramError),
}

fn not_ended(error: &ProgramError) -> String {
    match error {
        ProgramError::TimedOut { seconds, .. } => {
            format!("timed out after {}", go_duration(*seconds))
        }
        ProgramError::TooMuchOutput { limit, .. } => {
            format!("it left more than {}", byte_size(*limit))
        }
        other => other.to_string(),
    }
}
