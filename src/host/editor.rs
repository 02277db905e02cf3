//! The user's editor, at a line.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};

/// A program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditorCommand {
    /// What to start.
    pub program: OsString,
    /// With what.
    pub arguments: Vec<OsString>,
}

impl EditorCommand {
    /// Runs it on this terminal until it ends. The terminal must have been given back before.
    pub fn run(&self) -> io::Result<ExitStatus> {
        Command::new(&self.program).args(&self.arguments).status()
    }
}

/// `$VISUAL`, else `$EDITOR`, else `vi`.
pub fn editor_from_environment() -> String {
    let set = |name| std::env::var(name).ok().filter(|value: &String| !value.trim().is_empty());
    set("VISUAL").or_else(|| set("EDITOR")).unwrap_or_else(|| "vi".to_owned())
}

/// The command that opens a file at a line (1-based) in an editor given as `$EDITOR` gives it: a program, and
/// perhaps arguments, with quotes around those that hold blanks. Editors that would return at once are told to
/// wait. An editor that is not known gets the file alone.
pub fn editor_command(editor: &str, file: &Path, line: u32) -> EditorCommand {
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
    EditorCommand { program: program.into(), arguments }
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
    use super::*;

    #[test]
    fn opens_at_the_line() {
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
            let mut words = vec![command.program];
            words.extend(command.arguments);
            let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
            assert_eq!(words.join("|"), expected);
        }
    }
}
