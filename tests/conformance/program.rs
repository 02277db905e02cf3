//! The program under test.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::environment::foreign_variables;

const TIME_LIMIT: Duration = Duration::from_secs(60);

/// What a run left behind.
pub(crate) struct Answer {
    /// The exit status; `None` when a signal ended it, or when it had to be stopped.
    pub(crate) status: Option<i32>,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl Answer {
    /// A failure that the program meant, with Kustomize's exit status: not a panic, a signal or a hang.
    pub(crate) fn refused(&self) -> bool {
        self.status == Some(1)
    }
}

/// Runs `kzui` with a command and its arguments in a directory.
pub(crate) fn run<A: AsRef<OsStr>>(directory: &Path, command: &str, arguments: &[A]) -> Answer {
    let streams = tempfile::tempdir().expect("a scratch directory");
    let file = |name| fs_err::File::create(streams.path().join(name)).expect("a scratch file");
    let mut program = Command::new(env!("CARGO_BIN_EXE_kzui"));
    for name in foreign_variables() {
        program.env_remove(name);
    }
    let mut child = program
        .env("HOME", streams.path())
        .arg(command)
        .args(arguments)
        .current_dir(directory)
        .env_remove("KZUI_LIKE")
        .stdin(Stdio::null())
        .stdout(file("out").into_parts().0)
        .stderr(file("err").into_parts().0)
        .spawn()
        .expect("the program starts");
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = child.try_wait().expect("the program's state") {
            break status.code();
        }
        if start.elapsed() > TIME_LIMIT {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    let text = |name| {
        let bytes = fs_err::read(streams.path().join(name)).expect("what it wrote");
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Answer { status, out: text("out"), err: text("err") }
}

/// Whether expectations are rewritten instead of checked.
pub(crate) fn is_updating() -> bool {
    std::env::var_os("UPDATE").is_some_and(|value| value == "1")
}

/// The difference of two texts, for people.
pub(crate) fn difference(wanted: &str, found: &str) -> String {
    similar::TextDiff::from_lines(wanted, found)
        .unified_diff()
        .context_radius(3)
        .header("expected", "found")
        .to_string()
}
