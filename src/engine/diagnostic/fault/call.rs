//! Errors of function calls.

use crate::yaml::YamlError;

use super::program::{byte_size, go_duration};
use super::result::{FunctionResult, ResultSeverity};
use super::script::ScriptFault;

/// The error of a function call without a usable result.
#[derive(Clone, Debug, PartialEq)]
pub struct CallFault {
    /// The id of the object that configures the function.
    pub function: String,
    pub cause: CallCause,
}

/// The cause of a failed call.
#[derive(Clone, Debug, PartialEq)]
pub enum CallCause {
    /// The command of the missing container engine.
    NoEngine(String),
    NotFound(String),
    NotExecutable(String),
    /// `reason` is the message of the operating system.
    NotStarted {
        command: String,
        reason: String,
    },
    TimedOut {
        seconds: u64,
    },
    TooMuchOutput {
        /// The limit in bytes.
        limit: usize,
    },
    Script(ScriptFault),
    /// An exit status other than 0.
    Status {
        /// None if a signal ended the function.
        status: Option<i32>,
        /// The signal, if the system reports it.
        signal: Option<i32>,
        results: Vec<FunctionResult>,
        readable: bool,
        messages: Vec<String>,
    },
    InvalidYaml(YamlError),
    /// The output of the function has items that are not objects.
    Objects(ReplyCause),
    NoList,
    /// `results` are the results with the severity `limit` or worse.
    Results {
        limit: ResultSeverity,
        results: Vec<FunctionResult>,
    },
}

/// An error in the output of a function. The name in a variant is that of the item: `items[0]`, or
/// `the document`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplyCause {
    #[error("the ResourceList has no items")]
    NoItems,
    #[error("items is not a list")]
    ItemsNoList,
    #[error("{0} is null")]
    Null(String),
    #[error("{name} is a {found}, expected an object")]
    NoObject { name: String, found: &'static str },
    #[error("{0} has no kind")]
    NoKind(String),
    #[error("{0} ({1}) has no metadata.name")]
    NoName(String, String),
    /// The item and its kind.
    #[error("{0} has kind '{1}', expected ResourceList")]
    UnknownList(String, String),
}

impl std::fmt::Display for CallFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let function = &self.function;
        match &self.cause {
            CallCause::NoEngine(command) => {
                write!(
                    f,
                    "function {function} needs a container runtime: '{command}' not found in PATH"
                )
            }
            CallCause::NotFound(command) => {
                write!(f, "exec function {function}: '{command}' not found")
            }
            CallCause::NotExecutable(command) => {
                write!(f, "exec function {function}: '{command}' is not executable")
            }
            CallCause::NotStarted { command, reason } => {
                write!(f, "exec function {function}: '{command}' cannot be started ({reason})")
            }
            CallCause::TimedOut { seconds } => {
                write!(f, "function {function} timed out after {}", go_duration(*seconds))
            }
            CallCause::TooMuchOutput { limit } => {
                write!(f, "function {function} wrote more than {}", byte_size(*limit))
            }
            CallCause::Script(reason) => write!(f, "starlark function {function} failed: {reason}"),
            CallCause::Status { status, signal, results, readable, messages } => {
                match (status, signal) {
                    (Some(status), _) => {
                        write!(f, "function {function} failed (exit status {status})")?;
                    }
                    (None, Some(signal)) => {
                        write!(f, "function {function} failed (ended by signal {signal})")?;
                    }
                    (None, None) => write!(f, "function {function} failed (ended by a signal)")?,
                }
                results.iter().try_for_each(|result| write!(f, "\n  {result}"))?;
                if !readable {
                    f.write_str("\n  its standard output cannot be read as a ResourceList")?;
                }
                messages.iter().try_for_each(|line| write!(f, "\n  | {line}"))
            }
            CallCause::InvalidYaml(error) => {
                write!(f, "function {function} wrote invalid YAML: ")?;
                if error.line > 0 {
                    write!(f, "line {}: ", error.line)?;
                }
                write!(f, "{error}")
            }
            CallCause::Objects(cause) => write!(f, "function {function}: {cause}"),
            CallCause::NoList => {
                write!(f, "function {function} exited 0 but wrote no ResourceList")
            }
            CallCause::Results { limit, results } => {
                write!(
                    f,
                    "function {function} reported results that --fail-on-result {} does not allow",
                    limit.word()
                )?;
                results.iter().try_for_each(|result| write!(f, "\n  {result}"))
            }
        }
    }
}
