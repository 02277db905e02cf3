//! The port through which the engine runs programs: helm, plugins, functions, container engines.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use crate::diagnostic::{ProgramError, go_duration};

/// A complete description of a program to run. The program inherits nothing from this process
/// unless a field requires it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The program: a path, a name in `PATH`, or the name of a temporary file after `{tmp}/`.
    /// [`STARLARK_PROGRAM`](super::STARLARK_PROGRAM) is searched beside the running executable
    /// first.
    pub command: String,
    /// The arguments. `{tmp}` is replaced by the directory of the temporary files.
    pub arguments: Vec<String>,
    /// The environment variables to set; `{tmp}` is replaced as in the arguments.
    pub environment: Vec<(String, String)>,
    /// True to pass on the variables of this process as well.
    pub inherits_environment: bool,
    pub directory: PathBuf,
    pub input: Arc<[u8]>,
    pub temporary: Vec<TemporaryFile>,
    /// The timeout; `None` for no limit.
    pub timeout: Option<Duration>,
    /// The limit of standard output in bytes; `None` for no limit.
    pub output_limit: Option<usize>,
    /// The function that the program runs; `None` for any other program.
    pub function: Option<String>,
    /// The name with which lines on standard error are reported, if a listener receives them.
    pub display_name: Option<String>,
    /// A container of this name is removed when the program is stopped.
    pub container: Option<String>,
    /// The confinement, as far as the system supports it; `None` if the program is not confined.
    pub confinement: Option<Confinement>,
}

impl Program {
    /// True for the check whether a container engine works, which runs no function.
    pub fn is_engine_check(&self) -> bool {
        self.function.is_none() && self.arguments == ["version"] && self.container.is_none()
    }
}

/// The access rights of a confined program. It has no network.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Confinement {
    /// Files and directories that the program may read and execute, besides those of the system.
    pub read: Vec<PathBuf>,
    /// Directories to which the program may write.
    pub write: Vec<PathBuf>,
    pub cpu_seconds: Option<u64>,
    pub memory_bytes: Option<u64>,
    /// True if the program must not run unless the system can enforce the confinement.
    pub required: bool,
    /// True if the program must not run unless the system can limit it together with its children.
    pub limits_required: bool,
}

/// A file that exists while a program runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemporaryFile {
    /// The file name below `{tmp}`.
    pub name: String,
    pub bytes: Arc<[u8]>,
}

/// The output and the exit status of a program that ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramResult {
    /// The exit status; `None` if a signal ended the program.
    pub status: Option<i32>,
    /// The signal that ended the program, if the system reports it.
    pub signal: Option<i32>,
    pub output: Vec<u8>,
    pub messages: Vec<u8>,
    /// True if processes that the program started were still running, and were stopped.
    pub left_processes: bool,
    pub stderr_was_forwarded: bool,
    /// The folder of the temporary files, for messages that name them.
    pub temporary: PathBuf,
}

impl ProgramResult {
    /// The exit status in Go's words.
    pub(super) fn end_text(&self) -> String {
        self.status
            .map_or_else(|| "signal: killed".to_owned(), |status| format!("exit status {status}"))
    }
}

/// Runs programs. Implemented by `host`.
pub trait Programs: Send + Sync {
    /// Runs a program to its end; stops it (and its children, and its container) if `is_cancelled`
    /// returns true. Without an implementation, no program runs.
    fn run(
        &self,
        program: &Program,
        _is_cancelled: &dyn Fn() -> bool,
    ) -> Result<ProgramResult, ProgramError> {
        Err(ProgramError::NotAsked { command: program.command.clone() })
    }
    /// The port that answers the other questions; `None` if they have no answer here.
    fn inner(&self) -> Option<&dyn Programs> {
        None
    }
    /// An environment variable that locates plugins or engines (`KUSTOMIZE_PLUGIN_HOME`, `HOME` …).
    fn variable(&self, name: &str) -> Option<String> {
        self.inner()?.variable(name)
    }
    /// The path of a program in `PATH`.
    fn locate(&self, name: &str) -> Option<PathBuf> {
        self.inner()?.locate(name)
    }
    /// The user and group IDs of this process, if the system has them.
    fn user(&self) -> Option<(u32, u32)> {
        self.inner()?.user()
    }
}

/// An implementation of [`Programs`] that refuses to run any.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPrograms;

impl Programs for NoPrograms {}
