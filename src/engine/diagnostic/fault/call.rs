//! Errors of function calls.

use super::result::{FunctionResult, ResultSeverity};

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
    /// A program that does not start.
    #[error(": {0}")]
    Exec(String),
    #[error(" failed: {0}")]
    Script(String),
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
    /// `results` are the results with the severity `limit` or worse.
    #[error(
        " reported results that --fail-on-result {} does not allow{}",
        limit.word(),
        lines("  ", results)
    )]
    Results { limit: ResultSeverity, results: Vec<FunctionResult> },
    /// Any other cause; the text begins with the separator, a space or `: `.
    #[error("{0}")]
    Other(String),
}

impl std::fmt::Display for CallFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { function, cause } = self;
        let kind = match cause {
            CallCause::Exec(_) => "exec ",
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
