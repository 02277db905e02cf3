//! Opens the user's editor at a line of a file.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};

/// Runs an editor at a line of a file (1-based) on this terminal until it ends. The terminal must
/// have been released before. A signal that asks this process to end is passed on to the editor,
/// which blocks the end.
pub fn run_editor(editor: &str, file: &Path, line: u32) -> io::Result<ExitStatus> {
    run_until_signal(&mut editor_command(editor, file, line))
}

/// How often a running editor is checked.
#[cfg(unix)]
const TICK: std::time::Duration = std::time::Duration::from_millis(30);
/// The number of checks before an editor that was asked to end is killed.
#[cfg(unix)]
const MAX_END_CHECKS: u32 = 30;

/// Runs the editor to its end. After a termination signal to kzui, the editor is asked to end, and
/// finally killed.
#[cfg(unix)]
pub(super) fn run_until_signal(command: &mut Command) -> io::Result<ExitStatus> {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    let asked = Arc::new(AtomicBool::new(false));
    let signals = [signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP];
    let listening: Vec<_> = signals
        .into_iter()
        .filter_map(|signal| signal_hook::flag::register(signal, asked.clone()).ok())
        .collect();
    let mut child = command.spawn()?;
    let id = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    let mut since_asked = 0;
    let ended = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if asked.load(Ordering::Relaxed) {
            let signal = match since_asked {
                0 => Some(rustix::process::Signal::TERM),
                MAX_END_CHECKS => Some(rustix::process::Signal::KILL),
                _ => None,
            };
            if let (Some(id), Some(signal)) = (id, signal) {
                // Fails if the editor has just ended.
                let _ = rustix::process::kill_process(id, signal);
            }
            since_asked += 1;
        }
        std::thread::sleep(TICK);
    };
    for id in listening {
        signal_hook::low_level::unregister(id);
    }
    Ok(ended)
}

#[cfg(not(unix))]
pub(super) fn run_until_signal(command: &mut Command) -> io::Result<ExitStatus> {
    command.status()
}

/// `$VISUAL`, else `$EDITOR`, else `vi`.
pub fn editor_from_environment() -> String {
    let set = |name| std::env::var(name).ok().filter(|value: &String| !value.trim().is_empty());
    set("VISUAL").or_else(|| set("EDITOR")).unwrap_or_else(|| "vi".to_owned())
}

/// The command that opens a file at a line (1-based) in an editor given as in `$EDITOR`: a program,
/// and perhaps arguments, quoted if they contain blanks. Editors that return at once get the option
/// that makes them wait. An unknown editor gets the file without a line.
fn editor_command(editor: &str, file: &Path, line: u32) -> Command {
    let mut words = split(editor).into_iter();
    let program = words.next().unwrap_or_else(|| "vi".to_owned());
    let mut arguments: Vec<OsString> = words.map(OsString::from).collect();
    let name = Path::new(&program)
        .file_stem()
        .map_or_else(String::new, |name| name.to_string_lossy().to_lowercase());
    let mut at = file.as_os_str().to_owned();
    at.push(format!(":{line}"));
    let plain = file.as_os_str().to_owned();
    let wait = |arguments: &mut Vec<OsString>| {
        if !arguments.iter().any(|argument| argument == "--wait" || argument == "-w") {
            arguments.push("--wait".into());
        }
    };
    match name.as_str() {
        "code" | "code-insiders" | "codium" | "vscodium" | "cursor" | "windsurf" => {
            wait(&mut arguments);
            arguments.extend(["-g".into(), at]);
        }
        "subl" | "sublime_text" | "zed" | "zeditor" => {
            wait(&mut arguments);
            arguments.push(at);
        }
        "hx" | "helix" | "micro" => arguments.push(at),
        "idea" | "goland" | "pycharm" | "webstorm" | "mate" | "kate" => {
            arguments.extend(["--line".into(), line.to_string().into(), plain]);
        }
        "vi" | "vim" | "nvim" | "gvim" | "view" | "nano" | "emacs" | "emacsclient" | "kak"
        | "joe" | "mg" | "ne" | "pico" | "jed" | "elvis" | "nvi" | "vis" => {
            arguments.extend([format!("+{line}").into(), plain]);
        }
        _ => arguments.push(plain),
    }
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

/// Words as a shell splits them, without any expansion.
fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for sign in text.chars() {
        match (quote, sign) {
            (Some(open), sign) if sign == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(sign);
                word.get_or_insert_default();
            }
            (None, sign) if sign.is_whitespace() => words.extend(word.take()),
            (_, sign) => word.get_or_insert_default().push(sign),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use crate::host::process::editor::*;

    #[test]
    fn each_editor_opens_the_file_at_the_line() {
        let table = [
            ("vi", "vi|+7|/a b.yaml"),
            ("'/opt/my vim/nvim' -u NONE", "/opt/my vim/nvim|-u|NONE|+7|/a b.yaml"),
            ("code -w", "code|-w|-g|/a b.yaml:7"),
            ("code", "code|--wait|-g|/a b.yaml:7"),
            ("hx", "hx|/a b.yaml:7"),
            ("ed", "ed|/a b.yaml"),
            ("", "vi|+7|/a b.yaml"),
        ];
        for (editor, expected) in table {
            let command = editor_command(editor, Path::new("/a b.yaml"), 7);
            let words = std::iter::once(command.get_program()).chain(command.get_args());
            let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
            assert_eq!(words.join("|"), expected);
        }
    }
}
