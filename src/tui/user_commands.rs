//! Commands of the user's own config file: their settings, one run, and its result.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;

use super::screen::Screen;

/// A command of the config file. A tree cannot define commands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct UserCommand {
    pub name: String,
    /// The command line of the shell, with placeholders such as `{file}`. Empty for a command that
    /// kzui defines (see [`DEFINED_COMMANDS`]).
    #[serde(default)]
    pub run: String,
    /// A key that no other command has.
    pub key: Option<String>,
    /// The screens with the command, by name; all screens if it is empty.
    #[serde(default)]
    pub screens: Vec<String>,
    #[serde(default)]
    pub show: CommandDisplay,
    pub prompt: Option<String>,
}

/// The place of a command's output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CommandDisplay {
    /// A pane over the screen.
    #[default]
    Pane,
    /// The command gets the terminal, as an editor does.
    Terminal,
}

/// Commands that kzui provides. A user has them only if the config file names them.
pub(crate) const DEFINED_COMMANDS: &[(&str, &str, CommandDisplay)] = &[
    ("pager", "${PAGER:-less} < {diff}", CommandDisplay::Terminal),
    (
        "kubeconform",
        "kubeconform -output json {output} | {kzui} remap --map {map} --format kubeconform -o text -",
        CommandDisplay::Pane,
    ),
    (
        "kube-linter",
        "kube-linter lint --format json {output} | {kzui} remap --map {map} --format kube-linter -o text -",
        CommandDisplay::Pane,
    ),
    (
        "checkov",
        "checkov --quiet --compact -o json -f {output} | {kzui} remap --map {map} --format checkov -o text -",
        CommandDisplay::Pane,
    ),
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserCommandRun {
    pub name: String,
    /// The command line; each value in it is quoted for the shell.
    pub line: String,
    pub directory: PathBuf,
    /// Files for the run, by the environment variable with their path. They are private, and
    /// removed after the run.
    pub files: BTreeMap<&'static str, Arc<[u8]>>,
    pub show: CommandDisplay,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserCommandResult {
    /// Standard output and standard error, in the order in which they were written.
    pub output: Vec<u8>,
    /// The exit status; `None` if a signal ended the command.
    pub status: Option<i32>,
}

impl UserCommand {
    /// Completes a command that kzui defines.
    ///
    /// # Errors
    /// The problem of the setting: no command line, or a screen that does not exist.
    pub(crate) fn complete(mut self) -> Result<Self, String> {
        if self.run.is_empty() {
            let defined = DEFINED_COMMANDS.iter().find(|(name, ..)| *name == self.name);
            let Some((_, run, show)) = defined else {
                return Err(format!("command `{}`: `run` is missing", self.name));
            };
            (*run).clone_into(&mut self.run);
            self.show = *show;
        }
        let is_screen = |name: &String| Screen::ALL.iter().any(|it| is_screen_name(*it, name));
        match self.screens.iter().find(|name| !is_screen(name)) {
            Some(name) => Err(format!("command `{}`: no screen `{name}`", self.name)),
            None => Ok(self),
        }
    }

    pub(crate) fn is_offered_on(&self, screen: Screen) -> bool {
        self.screens.is_empty() || self.screens.iter().any(|name| is_screen_name(screen, name))
    }
}

/// True if the name, in any case of letters, is that of the screen.
fn is_screen_name(screen: Screen, name: &str) -> bool {
    screen.name().eq_ignore_ascii_case(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defined_commands_are_completed_and_unknown_ones_are_refused() {
        let named = |name: &str| UserCommand { name: name.to_owned(), ..UserCommand::default() };
        let pager = named("pager").complete().unwrap();
        assert_eq!(pager.show, CommandDisplay::Terminal);
        assert!(pager.is_offered_on(Screen::Tree));
        assert!(named("other").complete().is_err());
        let screens = vec!["steps".to_owned()];
        let steps = UserCommand { screens, ..named("pager") }.complete().unwrap();
        assert!(steps.is_offered_on(Screen::Steps) && !steps.is_offered_on(Screen::Tree));
        let screens = vec!["nowhere".to_owned()];
        assert!(UserCommand { screens, ..named("pager") }.complete().is_err());
    }
}
