//! Why a script in Starlark failed.

use crate::yaml::YamlError;

use super::program::{ProgramError, byte_size, go_duration};

/// Why a script left nothing that can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptFault {
    /// Nothing here runs scripts.
    #[error("this build of kzui has no Starlark")]
    NoInterpreter,
    /// There is nothing that it could work on.
    #[error("there is no input")]
    NoInput,
    /// What it is to work on cannot be read, or not be handed over.
    #[error(transparent)]
    Input(YamlError),
    /// The same in the words of who reads JSON for it.
    #[error("{0}")]
    InputJson(String),
    /// It cannot be read or evaluated: in the words of the interpreter, or of the process that had it.
    #[error("{0}")]
    Interpreter(String),
    /// What it left is no tree.
    #[error(transparent)]
    Output(YamlError),
    /// Its process was ended: how many bytes of memory that may use.
    #[error(
        "it was stopped: it nests too deep, or it needs more than {} of memory",
        byte_size(*.0)
    )]
    Stopped(usize),
    /// What its process left cannot be read: in the words of who reads JSON.
    #[error("what it left cannot be read: {0}")]
    Answer(String),
    /// Its process did not run to its end.
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
