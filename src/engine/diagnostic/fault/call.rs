//! Why the call of a function failed.

use crate::yaml::YamlError;

use super::program::{byte_size, go_duration};
use super::result::{FunctionResult, ResultSeverity};
use super::script::ScriptFault;

/// Why a function left nothing that can be used.
#[derive(Clone, Debug, PartialEq)]
pub struct CallFault {
    /// The function: the id of the object that configures it.
    pub function: String,
    /// The cause.
    pub cause: CallCause,
}

/// What went wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub enum CallCause {
    /// The engine that runs containers is not there: its command.
    NoEngine(String),
    /// The program is not there: its command.
    NotFound(String),
    /// The file of the program may not be executed: its command.
    NotExecutable(String),
    /// The system cannot start the program.
    NotStarted {
        /// Its command.
        command: String,
        /// In the system's words.
        reason: String,
    },
    /// It took longer than it may.
    TimedOut {
        /// The limit in seconds.
        seconds: u64,
    },
    /// It wrote more than it may.
    TooMuchOutput {
        /// The limit in bytes.
        limit: usize,
    },
    /// A script failed.
    Script(ScriptFault),
    /// It ended with another status than 0.
    Status {
        /// The exit status; nothing when a signal ended it.
        status: Option<i32>,
        /// What it reports.
        results: Vec<FunctionResult>,
        /// Whether its output can be read.
        readable: bool,
        /// The last lines of standard error.
        messages: Vec<String>,
    },
    /// Its output is no YAML.
    InvalidYaml(YamlError),
    /// Its output holds something other than objects.
    Objects(ReplyCause),
    /// It wrote nothing at all.
    NoList,
    /// It reports what the limit does not allow.
    Results {
        /// The least that is not allowed.
        limit: ResultSeverity,
        /// What it reports of that, and of what is worse.
        results: Vec<FunctionResult>,
    },
}

/// What is wrong in the output of a function. A *name* is that of an item: `items[0]`, `the document`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplyCause {
    /// The list has no `items`.
    #[error("the ResourceList has no items")]
    NoItems,
    /// `items` is something else.
    #[error("items is not a list")]
    ItemsNoList,
    /// An item is null: its name.
    #[error("{0} is null")]
    Null(String),
    /// An item is a `list` or a `scalar`.
    #[error("{name} is a {found}, expected an object")]
    NoObject {
        /// The item.
        name: String,
        /// What it is.
        found: &'static str,
    },
    /// An item has no kind: its name.
    #[error("{0} has no kind")]
    NoKind(String),
    /// An item has no name: what it is called here, and its kind.
    #[error("{0} ({1}) has no metadata.name")]
    NoName(String, String),
}

impl std::fmt::Display for CallFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let who = &self.function;
        match &self.cause {
            CallCause::NoEngine(command) => {
                write!(f, "function {who} needs a container runtime: '{command}' not found in PATH")
            }
            CallCause::NotFound(command) => write!(f, "exec function {who}: '{command}' not found"),
            CallCause::NotExecutable(command) => {
                write!(f, "exec function {who}: '{command}' is not executable")
            }
            CallCause::NotStarted { command, reason } => {
                write!(f, "exec function {who}: '{command}' cannot be started ({reason})")
            }
            CallCause::TimedOut { seconds } => {
                write!(f, "function {who} timed out after {}", go_duration(*seconds))
            }
            CallCause::TooMuchOutput { limit } => {
                write!(f, "function {who} wrote more than {}", byte_size(*limit))
            }
            CallCause::Script(reason) => write!(f, "starlark function {who} failed: {reason}"),
            CallCause::Status { status, results, readable, messages } => {
                match status {
                    Some(status) => write!(f, "function {who} failed (exit status {status})")?,
                    None => write!(f, "function {who} failed (ended by a signal)")?,
                }
                results.iter().try_for_each(|result| write!(f, "\n  {result}"))?;
                if !readable {
                    f.write_str("\n  its standard output cannot be read as a ResourceList")?;
                }
                messages.iter().try_for_each(|line| write!(f, "\n  | {line}"))
            }
            CallCause::InvalidYaml(error) => {
                write!(f, "function {who} wrote invalid YAML: ")?;
                if error.line > 0 {
                    write!(f, "line {}: ", error.line)?;
                }
                write!(f, "{error}")
            }
            CallCause::Objects(cause) => write!(f, "function {who}: {cause}"),
            CallCause::NoList => {
                write!(f, "function {who} exited 0 but wrote no ResourceList")
            }
            CallCause::Results { limit, results } => {
                write!(
                    f,
                    "function {who} reported results that --fail-on-result {} does not allow",
                    limit.word()
                )?;
                results.iter().try_for_each(|result| write!(f, "\n  {result}"))
            }
        }
    }
}
