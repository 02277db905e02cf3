//! The program under test, without a terminal.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::environment::foreign_variables;

/// The result of a run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The exit status; `None` when a signal ended it.
    pub(crate) status: Option<i32>,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl Answer {
    /// The result of an ended process.
    pub(crate) fn of(output: &Output) -> Self {
        Self {
            status: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// The standard output; panics if the program failed.
    #[track_caller]
    pub(crate) fn built(self) -> String {
        assert_eq!(self.status, Some(0), "it failed: {}", self.err);
        self.out
    }

    /// The standard error; panics unless the program failed with the exit status 1 or 2 and without
    /// output.
    #[track_caller]
    pub(crate) fn refused(self) -> String {
        assert!(matches!(self.status, Some(1 | 2)), "status {:?}: {}", self.status, self.err);
        assert_eq!(self.out, "", "a failed run prints nothing to standard output");
        self.err
    }
}

/// The program for a user with this home, and without variables that could change its behaviour.
pub(crate) fn program(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kzui"));
    for name in foreign_variables() {
        command.env_remove(name);
    }
    command.env("HOME", home).stdin(Stdio::null());
    command
}

/// The same as [`program`], with the folder `bin` of the home first in `PATH`.
pub(crate) fn program_with_bin(home: &Path) -> Command {
    let mut command = program(home);
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{}:{path}", home.join("bin").display()));
    command
}

/// Runs a command line in the shell, which finds the program in `PATH`.
#[cfg(unix)]
pub(crate) fn shell(home: &Path, line: &str) -> Command {
    let folder = Path::new(env!("CARGO_BIN_EXE_kzui")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("sh");
    for name in foreign_variables() {
        command.env_remove(name);
    }
    command.env("PATH", format!("{}:{path}", folder.display()));
    command.env("HOME", home).args(["-c", line]).stdin(Stdio::null());
    command
}

/// Runs the program in the repository.
pub(crate) fn kzui<A: AsRef<OsStr>>(arguments: &[A]) -> Answer {
    kzui_in(Path::new(env!("CARGO_MANIFEST_DIR")), arguments)
}

/// Runs the program in a directory.
pub(crate) fn kzui_in<A: AsRef<OsStr>>(directory: &Path, arguments: &[A]) -> Answer {
    let home = tempfile::tempdir().expect("a scratch home");
    let output = program(home.path()).args(arguments).current_dir(directory).output();
    Answer::of(&output.expect("the program starts"))
}
