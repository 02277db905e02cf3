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

/// The cause of a failed call. Its text follows the name of the function.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CallCause {
    /// The command of the missing container engine.
    #[error(" needs a container runtime: '{0}' not found in PATH")]
    NoEngine(String),
    #[error(": '{0}' not found")]
    NotFound(String),
    #[error(": '{0}' is not executable")]
    NotExecutable(String),
    /// `reason` is the message of the operating system.
    #[error(": '{command}' cannot be started ({reason})")]
    NotStarted { command: String, reason: String },
    #[error(" timed out after {}", go_duration(*seconds))]
    TimedOut { seconds: u64 },
    /// The limit in bytes.
    #[error(" wrote more than {}", byte_size(*limit))]
    TooMuchOutput { limit: usize },
    #[error(" failed: {0}")]
    Script(ScriptFault),
    #[error(
        " failed ({}){}{}{}",
        end_text(*status, *signal),
        lines("  ", results),
        if *readable { "" } else { "\n  its standard output cannot be read as a ResourceList" },
        lines("  | ", messages)
    )]
    Status {
        /// None if a signal ended the function.
        status: Option<i32>,
        /// The signal, if the system reports it.
        signal: Option<i32>,
        results: Vec<FunctionResult>,
        readable: bool,
        messages: Vec<String>,
    },
    #[error(
        " wrote invalid YAML: {}{}",
        if .0.line > 0 { format!("line {}: ", .0.line) } else { String::new() },
        .0
    )]
    InvalidYaml(YamlError),
    /// The output of the function has items that are not objects.
    #[error(": {0}")]
    Objects(ReplyCause),
    #[error(" exited 0 but wrote no ResourceList")]
    NoList,
    /// `results` are the results with the severity `limit` or worse.
    #[error(
        " reported results that --fail-on-result {} does not allow{}",
        limit.word(),
        lines("  ", results)
    )]
    Results { limit: ResultSeverity, results: Vec<FunctionResult> },
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
        let Self { function, cause } = self;
        let kind = match cause {
            CallCause::NotFound(_) | CallCause::NotExecutable(_) | CallCause::NotStarted { .. } => {
                "exec "
            }
            CallCause::Script(_) => "starlark ",
            _ => "",
        };
        write!(f, "{kind}function {function}{cause}")
    }
}

fn end_text(status: Option<i32>, signal: Option<i32>) -> String {
    match (status, signal) {
        (Some(status), _) => format!("exit status {status}"),
        (None, Some(signal)) => format!("ended by signal {signal}"),
        (None, None) => "ended by a signal".to_owned(),
    }
}

fn lines(start: &str, items: &[impl ToString]) -> String {
    items.iter().map(|item| ["\n", start, &item.to_string()].concat()).collect()
}
