//! Command lines of the user's own config file, in a shell.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use crate::engine::plugin::Program;

use super::editor::run_until_signal;
use super::ending::temporary_folder;
use super::{run_command, signal_of};

const MAX_OUTPUT_BYTES: usize = 8 << 20;

/// A command line with the files that it reads.
#[derive(Clone, Copy, Debug)]
pub struct ShellCommand<'a> {
    pub line: &'a str,
    pub directory: &'a Path,
    /// The contents of the files, each by the name of the environment variable that is set to the
    /// path of its file.
    pub files: &'a BTreeMap<&'static str, Arc<[u8]>>,
}

impl ShellCommand<'_> {
    /// The command, and the private folder with its files, which is removed when the `TempDir` is
    /// dropped.
    fn prepare(&self, line: &str) -> Result<(Command, tempfile::TempDir), String> {
        let folder = temporary_folder().map_err(|error| error.to_string())?;
        let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
        let mut command = Command::new(shell);
        command.args([flag, line]).current_dir(self.directory);
        command.env("KZUI", std::env::current_exe().unwrap_or_else(|_| "kzui".into()));
        for (variable, content) in self.files {
            let path = folder.path().join(variable.to_lowercase()).with_extension("yaml");
            std::fs::write(&path, content).map_err(|error| error.to_string())?;
            command.env(variable, path);
        }
        Ok((command, folder))
    }

    /// Runs the command without a terminal; returns its exit status, and both of its streams in one.
    ///
    /// # Errors
    /// The message to show if it cannot be run, wrote too much, or was cancelled.
    pub fn run(&self, is_cancelled: &dyn Fn() -> bool) -> Result<(Option<i32>, Vec<u8>), String> {
        let (mut command, _folder) = self.prepare(&format!("{{ {}\n}} 2>&1", self.line))?;
        command.env("TERM", "dumb").env("NO_COLOR", "1");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let program = Program {
            command: self.line.to_owned(),
            output_limit: Some(MAX_OUTPUT_BYTES),
            ..Program::default()
        };
        let ended = run_command(&mut command, &program, is_cancelled);
        let ended = ended.map_err(|error| error.to_string())?;
        Ok((ended.status, ended.output))
    }

    /// Runs the command on this terminal until it ends. The terminal must have been released before.
    ///
    /// # Errors
    /// The message to show if it cannot be run or fails.
    pub fn run_on_terminal(&self) -> Result<(), String> {
        let (mut command, _folder) = self.prepare(self.line)?;
        let ended = run_until_signal(&mut command).map_err(|error| error.to_string())?;
        match ended.code() {
            Some(0) => Ok(()),
            Some(status) => Err(format!("exit status {status}")),
            None => Err(format!("ended by signal {}", signal_of(ended).unwrap_or_default())),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn command_reads_its_private_files_which_are_removed() {
        let files = BTreeMap::from([("KZUI_OUTPUT", Arc::from(&b"a: b\n"[..]))]);
        let here = Path::new("/");
        let line = "cat \"$KZUI_OUTPUT\"; echo \"$KZUI_OUTPUT\" >&2; exit 3";
        let run = ShellCommand { line, directory: here, files: &files };
        let (status, output) = run.run(&|| false).unwrap();
        let output = String::from_utf8(output).unwrap();
        let (content, path) = output.split_once('\n').unwrap();
        assert_eq!((status, content), (Some(3), "a: b"));
        assert!(!Path::new(path.trim()).exists(), "{path}");
    }

    #[test]
    fn cancelled_command_is_ended() {
        let files = BTreeMap::new();
        let run = ShellCommand { line: "sleep 60", directory: Path::new("/"), files: &files };
        assert!(run.run(&|| true).is_err());
    }
}
