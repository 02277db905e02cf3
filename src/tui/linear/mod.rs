//! The workbench as a conversation, for screen readers and dumb terminals: lines are appended, nothing is drawn.

mod words;

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::engine::evaluate::Cancel;

use super::keymap::Command;
use super::message::{Effect, Message};
use super::model::{Model, Overlay, Pane, Screen, all_tree_rows};
use super::ports::{Evaluator, Order, Outside, WorkbenchOptions};
use super::runtime::RunError;
use super::survey::answer;
use super::update::{command, open, update};

/// Opens a tree and answers commands, one line each, until `quit` or the end of the input.
///
/// # Errors
/// When the theme is not one, or the output refuses.
pub fn run_linear(
    options: WorkbenchOptions,
    outside: &dyn Outside,
    input: impl BufRead,
    output: impl Write,
) -> Result<(), RunError> {
    let mut model = Model::new(options, outside.files())?;
    let effects = open(&mut model);
    let mut talk = Talk { model, outside, evaluator: outside.evaluator(), output, left: false };
    talk.perform(effects);
    let found = outside.discover();
    talk.tell(Message::Discovered(found));
    talk.greet()?;
    for line in input.lines() {
        talk.answer(&line?)?;
        if talk.left {
            return Ok(());
        }
        talk.prompt()?;
    }
    Ok(())
}

struct Talk<'a, W> {
    model: Model,
    outside: &'a dyn Outside,
    evaluator: Evaluator,
    output: W,
    left: bool,
}

/// Builds are waited for: nobody else could ask for another one meanwhile.
struct Never;

impl Cancel for Never {
    fn is_cancelled(&self) -> bool {
        false
    }
}

impl<W: Write> Talk<'_, W> {
    fn greet(&mut self) -> io::Result<()> {
        let target = super::text::sanitize(&self.model.target).into_owned();
        let build = words::build(&self.model);
        let version = env!("CARGO_PKG_VERSION");
        self.say([format!("kzui {version}. {target}. {build}")])?;
        self.say(["Type a command, help for help.".to_owned()])?;
        self.prompt()
    }

    fn prompt(&mut self) -> io::Result<()> {
        write!(self.output, "> ")?;
        self.output.flush()
    }

    fn say(&mut self, lines: impl IntoIterator<Item = String>) -> io::Result<()> {
        for line in lines {
            writeln!(self.output, "{}", super::text::sanitize(line.trim_end()))?;
        }
        Ok(())
    }

    fn answer(&mut self, line: &str) -> io::Result<()> {
        if matches!(self.model.overlay, Some(Overlay::Confirm(_))) {
            return self.confirm(line);
        }
        let mut parts = line.split_whitespace();
        let Some(word) = parts.next() else { return Ok(()) };
        let argument = parts.next().unwrap_or_default();
        let lines = match word {
            "help" | "h" | "?" => words::help(),
            "tree" => words::tree(&self.model),
            "problems" => words::problems(&self.model),
            "steps" => words::steps(&self.model, argument),
            "step" => words::of_step(&self.model, argument, words::step),
            "diff" => words::of_step(&self.model, argument, words::diff),
            "why" => words::of_step(&self.model, argument, words::why),
            "toggle" => return self.toggle(argument),
            "undo" => return self.edit(Command::Undo),
            "redo" => return self.edit(Command::Redo),
            "write" => return self.write(),
            "quit" | "q" if self.model.has_draft() => {
                vec![
                    "The draft is not written. Type write to save it, quit! to leave it."
                        .to_owned(),
                ]
            }
            "quit" | "q" | "quit!" => {
                self.left = true;
                return Ok(());
            }
            _ => vec![format!("There is no command {word}. Type help for those that there are.")],
        };
        self.say(lines)
    }

    /// Switches what a row of `tree` names off or on.
    fn toggle(&mut self, argument: &str) -> io::Result<()> {
        let rows = all_tree_rows(&self.model);
        let row = argument.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let Some(row) = row.filter(|row| *row < rows.len()) else {
            return self.say(["Say which by its number in tree: toggle 7.".to_owned()]);
        };
        self.model.screen = Screen::Tree;
        self.model.focus[Screen::Tree as usize] = 0;
        self.model.tree.closed.clear();
        self.model.tree.rows = rows;
        self.model.list_mut(Pane::Tree).selected = row;
        self.edit(Command::Toggle)
    }

    fn edit(&mut self, edit: Command) -> io::Result<()> {
        self.model.status = None;
        let before = self.model.generation;
        let effects = command(&mut self.model, edit);
        self.perform(effects);
        let status = self.model.status.take().map(|status| status.text);
        self.say(status)?;
        if self.model.generation == before {
            return Ok(());
        }
        let lines = words::drafted(&self.model);
        self.say(lines)
    }

    /// Shows what would be written and asks.
    fn write(&mut self) -> io::Result<()> {
        self.model.status = None;
        let effects = command(&mut self.model, Command::Write);
        self.perform(effects);
        let lines = match &self.model.overlay {
            Some(Overlay::Confirm(confirm)) => words::confirm(confirm),
            _ => self.model.status.take().map(|status| status.text).into_iter().collect(),
        };
        self.say(lines)
    }

    fn confirm(&mut self, line: &str) -> io::Result<()> {
        self.model.status = None;
        let yes = matches!(line.trim(), "y" | "yes");
        let key = KeyCode::Char(if yes { 'y' } else { 'n' });
        self.tell(Message::Key(KeyEvent::new(key, KeyModifiers::NONE)));
        let status = self.model.status.take().map(|status| status.text);
        self.say(status)
    }

    fn tell(&mut self, message: Message) {
        let effects = update(&mut self.model, message);
        self.perform(effects);
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Evaluate { request, files, again, catalogs, may_run } => {
                    let again = again.into_iter().collect();
                    let cancel = Arc::new(Never);
                    let order = Order { files: files.clone(), cancel, again, catalogs, may_run };
                    let built = (self.evaluator)(order);
                    let directory = self.model.target_dir.clone();
                    let answer = answer(request, built, &*files, &directory, Duration::ZERO);
                    self.tell(Message::Evaluated(Box::new(answer)));
                }
                Effect::Write { path, base, bytes } => {
                    let result = self.outside.write(&path, base.as_deref(), &bytes);
                    self.tell(Message::Written(path, result));
                }
                Effect::Quit => self.left = true,
                // There is no screen, no mouse and no editor here, and nothing is watched.
                _ => {}
            }
        }
    }
}
