//! The port through which the engine has programs run: helm, plugins, functions, container engines.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub use crate::diagnostic::{ProgramError, go_duration};

/// A complete description of a program to run; the environment is used only if a field asks for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The program: a path, a name in `PATH`, or `{tmp}/` and the name of a temporary file.
    /// [`STARLARK_PROGRAM`](super::STARLARK_PROGRAM) is looked up beside this program first.
    pub command: String,
    /// Its arguments. `{tmp}` is replaced by the directory of the temporary files.
    pub arguments: Vec<String>,
    /// Variables that are set. `{tmp}` as above.
    pub environment: Vec<(String, String)>,
    /// True to pass on the variables of this process as well.
    pub inherits_environment: bool,
    pub directory: PathBuf,
    pub input: Arc<[u8]>,
    /// Files that exist while it runs.
    pub temporary: Vec<TemporaryFile>,
    /// The timeout; `None` for no limit.
    pub timeout: Option<Duration>,
    /// The limit of standard output in bytes; `None` for no limit.
    pub output_limit: Option<usize>,
    /// The name that is reported with its lines of standard error, if a listener receives them.
    pub display_name: Option<String>,
    /// A container of this name is removed when the program is stopped.
    pub container: Option<String>,
    /// Confines the program as far as the system can: it reads only below these paths, cannot write
    /// elsewhere, and has no network. `None`: not confined.
    pub confinement: Option<Confinement>,
}

/// The access rights of a confined program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confinement {
    /// Files and directories that it may read and execute, besides those of the system.
    pub read: Vec<PathBuf>,
    /// Directories that it may write to.
    pub write: Vec<PathBuf>,
    /// Whether it may connect to anything.
    pub network: bool,
    pub cpu_seconds: Option<u64>,
    pub memory_bytes: Option<u64>,
    /// If the system cannot enforce all of that, it does not run.
    pub required: bool,
    /// If the system cannot limit it and its children together, it does not run.
    pub limits_required: bool,
}

/// A file that exists while a program runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemporaryFile {
    /// Its name below `{tmp}`.
    pub name: String,
    pub bytes: Arc<[u8]>,
}

/// How a program ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramResult {
    /// The exit status; none if a signal ended it.
    pub status: Option<i32>,
    /// The signal that ended it, if the system reports it.
    pub signal: Option<i32>,
    pub output: Vec<u8>,
    pub messages: Vec<u8>,
    /// Processes that it started were still there, and were stopped.
    pub left_processes: bool,
    pub stderr_was_forwarded: bool,
    /// The folder of the temporary files, for messages that name them.
    pub temporary: PathBuf,
}

/// Runs programs. Implemented by `host`.
pub trait Programs: Send + Sync {
    /// Runs a program to its end; stops it (and its children, and its container) if `is_cancelled`
    /// returns true.
    fn run(
        &self,
        program: &Program,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<ProgramResult, ProgramError>;
    /// An environment variable that locates plugins or engines (`KUSTOMIZE_PLUGIN_HOME`, `HOME` …).
    fn variable(&self, name: &str) -> Option<String>;
    /// The path of a program in `PATH`.
    fn locate(&self, _name: &str) -> Option<PathBuf> {
        None
    }
    /// The user and group IDs of this process, if the system has them.
    fn user(&self) -> Option<(u32, u32)> {
        None
    }
}

/// Refuses to run programs.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPrograms;

impl Programs for NoPrograms {
    fn run(
        &self,
        program: &Program,
        _is_cancelled: &dyn Fn() -> bool,
    ) -> Result<ProgramResult, ProgramError> {
        Err(ProgramError::NotAsked { command: program.command.clone() })
    }

    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
}
