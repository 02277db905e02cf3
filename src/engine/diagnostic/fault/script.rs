//! Why a script in Starlark failed.

use serde::Deserialize;

use crate::yaml::YamlError;

use super::program::{ProgramError, byte_size, go_duration, signal_name};

/// Why a script has no output.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptFault {
    #[error("the input is missing")]
    NoInput,
    /// The input of the script cannot be read, or cannot be written as JSON.
    #[error(transparent)]
    Input(YamlError),
    /// The input of the script cannot be read or written as JSON, in the words of the JSON library.
    #[error("{0}")]
    InputJson(String),
    /// The script cannot be read or evaluated: the message of the interpreter.
    #[error("{0}")]
    Interpreter(String),
    /// The script exceeded a limit: the limit, and its size.
    #[error("{} limit exceeded: {text}", .0.word(), text = .1)]
    Limit(ScriptLimit, String),
    /// The output of the script is not a tree.
    #[error(transparent)]
    Output(YamlError),
    #[error("kzui-starlark crashed ({})", .0.map_or_else(|| "unknown signal".to_owned(), signal_name))]
    Crashed(Option<i32>),
    #[error("kzui-starlark ended with exit status {status}: {message}")]
    Ended {
        status: i32,
        /// The last line that the interpreter wrote to standard error.
        message: String,
    },
    #[error("the answer of kzui-starlark cannot be read: {0}")]
    Answer(String),
    #[error("{}", process_error_text(.0))]
    Process(ProgramError),
}

/// The limits at which a script is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ScriptLimit {
    /// Function calls and rounds of loops.
    Steps,
    Memory,
    Calls,
    /// The number of printed bytes.
    Printed,
    /// Nesting of the script or of its values.
    Stack,
}

impl ScriptLimit {
    fn word(self) -> &'static str {
        match self {
            Self::Steps => "step",
            Self::Memory => "memory",
            Self::Calls => "call depth",
            Self::Printed => "print",
            Self::Stack => "stack",
        }
    }
}

fn process_error_text(error: &ProgramError) -> String {
    match error {
        ProgramError::TimedOut { seconds, .. } => {
            format!("timed out after {}", go_duration(*seconds))
        }
        ProgramError::TooMuchOutput { limit, .. } => {
            format!("output limit exceeded: more than {}", byte_size(*limit))
        }
        other => other.to_string(),
    }
}
