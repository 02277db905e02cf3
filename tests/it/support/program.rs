//! The program under test, without a terminal.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a run left behind.
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
    /// Its standard output; fails unless it ended well.
    #[track_caller]
    pub(crate) fn built(self) -> String {
        assert_eq!(self.status, Some(0), "it failed: {}", self.err);
        self.out
    }

    /// Its standard error; fails unless it failed as a program should: a status, nothing printed, no crash.
    #[track_caller]
    pub(crate) fn refused(self) -> String {
        assert!(matches!(self.status, Some(1 | 2)), "status {:?}: {}", self.status, self.err);
        assert_eq!(self.out, "", "a failed run prints nothing to standard output");
        self.err
    }
}

/// Runs the program in the repository.
pub(crate) fn kzui<A: AsRef<OsStr>>(arguments: &[A]) -> Answer {
    kzui_in(Path::new(env!("CARGO_MANIFEST_DIR")), arguments)
}

/// Runs the program in a directory.
pub(crate) fn kzui_in<A: AsRef<OsStr>>(directory: &Path, arguments: &[A]) -> Answer {
    let home = tempfile::tempdir().expect("a scratch home");
    let output = Command::new(env!("CARGO_BIN_EXE_kzui"))
        .args(arguments)
        .current_dir(directory)
        .env("HOME", home.path())
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("XDG_DATA_HOME")
        .env_remove("XDG_CACHE_HOME")
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    Answer {
        status: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
