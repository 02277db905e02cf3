//! What is said of functions, and by them.

use std::path::PathBuf;

use super::oddity::FunctionOddity;
use crate::diagnostic::Code;
use crate::diagnostic::fault::{FunctionResult, ResultSeverity};

/// What a function reports, what is odd about it, and what depends on the machine that runs it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FunctionRemark {
    /// What it reports.
    #[error("{0}")]
    Result(Box<FunctionResult>),
    /// What is odd about it.
    #[error(transparent)]
    Odd(FunctionOddity),
    /// Its program is looked up among those of the machine: the name, and where it is.
    #[error("exec path '{}' is looked up in PATH, {}", .0, is_here(.1.as_ref()))]
    InPath(String, Option<PathBuf>),
    /// Its program is a place of the machine.
    #[error("exec path '{0}' is a place of this machine")]
    OfMachine(String),
    /// Its program lies outside: as it is written, and where that is.
    #[error(
        "exec path '{}' leaves the directory of its kustomization file; it is {}",
        .0,
        .1.display()
    )]
    Outside(String, PathBuf),
    /// A plugin does not get a variable of the environment.
    #[error("{name} is not set for the plugin: it is longer than {limit} bytes")]
    LongVariable {
        /// The variable.
        name: &'static str,
        /// So long it may be.
        limit: usize,
    },
}

impl FunctionRemark {
    pub(super) fn code(&self) -> Code {
        match self {
            Self::Result(result) => match result.severity {
                ResultSeverity::Error => Code::KZ301,
                ResultSeverity::Warning => Code::KZ302,
                ResultSeverity::Info => Code::KZ304,
            },
            Self::Odd(_) => Code::KZ303,
            Self::InPath(..) => Code::KZ510,
            Self::OfMachine(_) | Self::Outside(..) => Code::KZ511,
            Self::LongVariable { .. } => Code::KZ180,
        }
    }
}

fn is_here(found: Option<&PathBuf>) -> String {
    match found {
        Some(found) => format!("and is {} here", found.display()),
        None => "where it is not".to_owned(),
    }
}
