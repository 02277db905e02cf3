//! Rules about functions and plugins.

use crate::diagnostic::fault::{FunctionResult, ResultSeverity};

super::rules! {
    /// Results and oddities of a function, and limits of plugins.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum FunctionRemark;

    KZ180 Warning "a variable is too long for a plugin" {
        means: "The configuration of an exec plugin does not fit into the environment variable that Kustomize gives it.",
        action: "The plugin has to read the file that its first argument names.",
        #[error("{name} is not set for the plugin: it is longer than {limit} bytes")]
        #[hint = "the plugin has to read the file that its first argument names"]
        LongVariable { name: &'static str, limit: usize },
    }

    KZ301 Error "a function reports an error" {
        means: "A result of a KRM function with severity error.",
        action: "See the function's own message.",
        | Self::Result(result) if result.severity == ResultSeverity::Error,
    }

    KZ302 Warning "a function reports a warning" {
        means: "A result of a KRM function with severity warning.",
        action: "See the function's own message.",
        | Self::Result(result) if result.severity == ResultSeverity::Warning,
    }

    KZ303 Warning "an unusual function" {
        means: "A function is named, pinned or run in an unusual way.",
        action: "Correct the function or its entry; no action if it is intended.",
        #[error("{0}")]
        Odd(String),
    }

    KZ305 Note "a function writes to standard error" {
        means: "A function succeeded and wrote to standard error.",
        action: "No action. `kzui trace` and the screen Functions show all lines.",
        #[error("{function} wrote to standard error: {first}{}", more_lines(*more))]
        StandardError { function: String, first: String, more: usize },
    }

    KZ304 Note "a function reports information" {
        means: "A result of a KRM function with severity info.",
        action: "No action.",
        #[error("{0}")]
        Result(Box<FunctionResult>),
    }
}

/// The number of further lines, as the end of a message.
fn more_lines(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => " (1 more line)".to_owned(),
        count => format!(" ({count} more lines)"),
    }
}
