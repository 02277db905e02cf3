//! Linear mode: the workbench as a dialogue of lines, for screen readers and dumb terminals. Lines
//! are appended, no screen is drawn.

mod files;
mod other_builds;
mod plugins;
mod tour;
mod words;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, bounded, never, select};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::keymap::Command;
use super::message::{Effect, Message, variant_name};
use super::model::{Confirmation, Model, Overlay, Screen};
use super::ports::{Work, WorkNews, WorkReports, WorkbenchOptions, WorkbenchPorts};
use super::runtime::RunError;
use super::tree_files::Builder;
use crate::display::counted;
use crate::engine::evaluate::NoCancel;
use crate::engine::load::relative_path;

use super::update::{command, open, run_command_with_argument, update};
use files::LineEdit;
use tour::LineTour;

/// Opens a target and answers commands, one line each, until `quit` or the end of the input.
/// Changed files are reported. Returns the number of files of a draft that is kept for the next
/// time.
///
/// # Errors
/// The theme does not exist, or the output cannot be written.
pub fn run_linear(
    options: WorkbenchOptions,
    outside: &dyn WorkbenchPorts,
    input: impl Read + Send + 'static,
    output: impl Write,
) -> Result<usize, RunError> {
    let mut model = Model::new(options, outside.files())?;
    let watched = outside.watch().unwrap_or_else(never);
    let effects = open(&mut model);
    let builder = Builder::new(outside.evaluator());
    let mut talk = LinearSession { model, outside, builder, output, left: false, tour: None };
    talk.perform(effects);
    talk.greet()?;
    talk.listen(&lines_of(input), watched)?;
    Ok(talk.model.kept_files())
}

/// Keys in messages of the screens, and the words of linear mode for them.
const KEYS_IN_MESSAGES: [(&str, &str); 3] = [
    ("gp: why", "problems: why"),
    ("z undoes", "undo reverts"),
    ("(space: add)", "(toggle and the number of its row: add)"),
];

const MAX_INPUT_LINE_BYTES: usize = 1 << 20;
const MAX_QUEUED_LINES: usize = 1000;

/// The lines of an input, read on another thread. The channel closes at the end of the input.
fn lines_of(input: impl Read + Send + 'static) -> Receiver<io::Result<String>> {
    let (sender, lines) = bounded(MAX_QUEUED_LINES);
    std::thread::spawn(move || {
        let mut input = BufReader::new(input);
        loop {
            let mut line = Vec::new();
            let mut next = (&mut input).take(MAX_INPUT_LINE_BYTES as u64 + 1);
            let read = next.read_until(b'\n', &mut line).and_then(|read| {
                let words = || format!("a line has more than {} MiB", MAX_INPUT_LINE_BYTES >> 20);
                if read > MAX_INPUT_LINE_BYTES { Err(io::Error::other(words())) } else { Ok(read) }
            });
            // A line that is not UTF-8 is an unknown command; it does not end the session.
            let line = read.map(|read| {
                (read > 0).then(|| String::from_utf8_lossy(&line).trim_end().to_owned())
            });
            let Some(line) = line.transpose() else { return };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

struct LinearSession<'a, W> {
    model: Model,
    outside: &'a dyn WorkbenchPorts,
    builder: Builder,
    output: W,
    left: bool,
    tour: Option<LineTour>,
}

/// The index of the row with this number, of so many rows.
fn numbered(argument: &str, rows: usize) -> Option<usize> {
    let row = argument.parse::<usize>().ok()?.checked_sub(1)?;
    (row < rows).then_some(row)
}

/// The text after a word and one blank: the text may begin with more blanks.
fn text_after_word<'l>(line: &'l str, word: &str) -> &'l str {
    let line = line.trim_start();
    line.strip_prefix(word).and_then(|rest| rest.strip_prefix(' ')).unwrap_or_default()
}

/// True for a line that is not an answer to a yes-or-no question.
fn is_command(line: &str) -> bool {
    !matches!(line.trim().to_lowercase().as_str(), "" | "y" | "yes" | "n" | "no" | "esc")
}

impl<W: Write> LinearSession<'_, W> {
    fn greet(&mut self) -> io::Result<()> {
        if !self.model.opened.has_target {
            return self.greet_repository();
        }
        let (target, build) = (&self.model.opened.target, words::build(&self.model));
        self.print(format!("kzui {}. {target}. {build}", env!("CARGO_PKG_VERSION")))?;
        self.print("Type a command, help for help.")?;
        if let Some(kept) = self.outside.kept_draft() {
            self.apply_message(Message::KeptDraft(Box::new(kept)));
            self.ask()?;
        }
        if self.model.tour.take().is_some() {
            self.begin_or_leave_tour()?;
        }
        self.prompt()
    }

    /// Lists the targets below a folder that is none itself.
    fn greet_repository(&mut self) -> io::Result<()> {
        let folder = self.model.opened.target.clone();
        let mut builds = self.outside.board();
        if let Err(error) = builds.find() {
            return self.print(format!("{folder}: {error}"));
        }
        builds.read();
        let repository = builds.with_deployment_objects();
        let scope = self.model.board.scope.clone();
        let targets = repository.targets_covered_by(std::slice::from_ref(&scope));
        let names = targets.iter().map(|it| relative_path(&self.model.board.current, it));
        let names: Vec<String> =
            names.map(|name| super::text::sanitize(&name).into_owned()).collect();
        let count = match names.len() {
            0 => "no targets".to_owned(),
            count => counted(count, "target"),
        };
        let name = scope.file_name().map_or(folder, |name| name.to_string_lossy().into_owned());
        self.print(format!("kzui {}. {name}: {count}.", env!("CARGO_PKG_VERSION")))?;
        self.print_lines(names)?;
        self.print("help: open one of them with kzui --linear TARGET")?;
        self.left = true;
        Ok(())
    }

    fn listen(
        &mut self,
        lines: &Receiver<io::Result<String>>,
        mut watched: Receiver<Vec<PathBuf>>,
    ) -> io::Result<()> {
        while !self.left {
            select! {
                recv(lines) -> line => match line {
                    Ok(line) => {
                        let line = line?;
                        self.answer(&line)?;
                        self.follow_tour(&line)?;
                    }
                    Err(_) => return Ok(()),
                },
                recv(watched) -> paths => {
                    let Ok(paths) = paths else {
                        watched = never();
                        continue;
                    };
                    if !self.rebuild_after_disk_change(&paths)? {
                        continue;
                    }
                }
            }
            if !self.left {
                self.prompt()?;
            }
        }
        Ok(())
    }

    fn rebuild_after_disk_change(&mut self, paths: &[PathBuf]) -> io::Result<bool> {
        let before = self.model.builds.recording.clone();
        self.model.status = None;
        let bytes = self.model.read_drafted(&*self.outside.files(), paths);
        self.apply_message(Message::FilesChanged(bytes));
        let status = self.model.status.take().map(|status| status.text);
        let lines = words::rebuild_report(&self.model, &before, status);
        let says = !lines.is_empty();
        if says {
            // Ends the line of the prompt, where the cursor is.
            writeln!(self.output)?;
        }
        self.print_lines(lines)?;
        Ok(says)
    }

    fn prompt(&mut self) -> io::Result<()> {
        write!(self.output, "> ")?;
        self.output.flush()
    }

    fn print(&mut self, line: impl Into<String>) -> io::Result<()> {
        self.print_lines([line.into()])
    }

    fn print_status(&mut self) -> io::Result<()> {
        let status = self.model.status.take().map(|status| status.text);
        self.print_lines(status)
    }

    /// Prints lines, without control characters and with words in place of keys.
    fn print_lines(&mut self, lines: impl IntoIterator<Item = String>) -> io::Result<()> {
        for line in lines {
            let line = KEYS_IN_MESSAGES.iter().fold(line, |line, (key, word)| {
                if line.contains(key) { line.replace(key, word) } else { line }
            });
            writeln!(self.output, "{}", super::text::sanitize(line.trim_end()))?;
        }
        Ok(())
    }

    fn answer(&mut self, line: &str) -> io::Result<()> {
        match &self.model.overlay {
            // A command instead of an answer: the kept draft is left for later.
            Some(Overlay::Confirm(asked))
                if matches!(asked.asked, Confirmation::Resume(_)) && is_command(line) =>
            {
                self.confirm("esc")?;
            }
            Some(Overlay::Confirm(_)) => return self.confirm(line),
            Some(Overlay::Trust(_) | Overlay::Fetch(_)) => return self.decide(line),
            _ => {}
        }
        let mut parts = line.split_whitespace();
        let Some(word) = parts.next() else { return Ok(()) };
        let argument = parts.next().unwrap_or_default();
        // A name may contain blanks.
        let rest = line.trim().strip_prefix(word).unwrap_or_default().trim();
        let one = |line: String| vec![line];
        let lines = match word {
            "help" | "h" | "?" => words::help(),
            "tree" => words::tree(&self.model),
            "problems" => words::problems(&self.model),
            "steps" => words::steps(&self.model, argument),
            "step" => words::of_step(&self.model, argument, words::step),
            "diff" => words::of_step(&self.model, argument, words::diff),
            "why" if argument.contains('/') => {
                words::why_field(&self.model, rest).unwrap_or_else(one)
            }
            "why" => words::of_step(&self.model, argument, words::step_problem_lines),
            "resources" => words::resources(&self.model),
            "resource" => self.resource(rest).unwrap_or_else(one),
            "toggle" => return self.toggle(argument),
            "fix" => return self.fix(argument),
            "move" => return self.move_row(argument, parts.next().unwrap_or_default()),
            "components" => words::components(&self.model),
            "component" => return self.toggle_component(argument),
            "watch" => words::watch(&self.model, rest).unwrap_or_else(one),
            "discard" => return self.edit(Command::Discard),
            "undo" => return self.edit(Command::Undo),
            "redo" => return self.edit(Command::Redo),
            "write" => return self.write(),
            "quit" | "q" if self.model.has_draft() && self.model.kept_files() == 0 => {
                return self.print("The draft is not written. Type write to write it, quit! to discard it and quit.");
            }
            "quit" | "q" => return self.edit(Command::Quit),
            "quit!" => return self.edit(Command::QuitAnyway),
            _ => return self.answer_more(line, word, argument, rest),
        };
        self.print_lines(lines)
    }

    /// Answers commands about other builds, files, functions and catalogs.
    fn answer_more(
        &mut self,
        line: &str,
        word: &str,
        argument: &str,
        rest: &str,
    ) -> io::Result<()> {
        match word {
            "order" => self.order(argument),
            "matrix" => self.matrix(argument),
            "compare" => self.compare(rest),
            "reach" => self.reach(),
            "users" => self.users(),
            "find" => self.find(rest),
            "text" => self.text(rest),
            "change" => self.change(text_after_word(line, word), LineEdit::Change),
            "insert" => self.change(text_after_word(line, word), LineEdit::Insert),
            "remove" => self.change(text_after_word(line, word), LineEdit::Remove),
            "edit" => self.open_editor(rest),
            "log" => self.log(argument),
            "tour" => self.begin_or_leave_tour(),
            "next" => self.next_stop(),
            "draft" | "drafts" => self.drafts(rest),
            "rebuild" => self.rebuild(),
            "catalogs" | "catalog" => self.catalogs(rest),
            "trust" => self.trust(argument, Command::Trust),
            "revoke" => self.trust(argument, Command::Revoke),
            "fetch" => self.fetch(argument),
            "functions" => self.functions(""),
            "run" => self.functions(if argument.is_empty() { "0" } else { argument }),
            "pipeline" => self.print_pipeline(),
            "override" => self.fill_in_override(rest),
            "like" => self.like(argument),
            "secrets" => self.edit(Command::ShowSecrets),
            _ => self.print(format!("Unknown command {word}. Type help for a list of commands.")),
        }
    }

    /// Reads the files again and builds.
    fn rebuild(&mut self) -> io::Result<()> {
        self.show(Screen::Tree);
        self.edit(Command::Rebuild)?;
        self.print(words::build(&self.model))
    }

    /// Builds with another version profile, and reports the changes.
    fn like(&mut self, name: &str) -> io::Result<()> {
        if name.is_empty() {
            return self.print(format!("Version profile: {}.", self.model.like.profile().name()));
        }
        self.edit_with(Command::Like, name)
    }

    fn edit_with(&mut self, edit: Command, argument: &str) -> io::Result<()> {
        self.model.status = None;
        let effects = run_command_with_argument(&mut self.model, edit, argument);
        self.perform_edit(effects)
    }

    fn resource(&mut self, argument: &str) -> Result<Vec<String>, String> {
        if argument.is_empty() {
            return Err("Usage: resource KIND/NAME, a name that resources prints, as in resource Deployment/web.".to_owned());
        }
        let recording = &self.model.builds.recording;
        let slot = recording.find(argument).map_err(|why| format!("{why}."))?;
        let removed = words::removed(&self.model, slot);
        let last = recording.len().saturating_sub(1);
        let by = recording.identity.last_state(slot).and_then(|last| last.removed_by);
        self.model.resources.key = recording.key(slot).cloned();
        self.model.cursor = by.map_or(last, |step| step.saturating_sub(1));
        self.show(Screen::Resource);
        Ok(removed.into_iter().chain(words::resource(&self.model)).collect())
    }

    /// Runs a command, whose message replaces the last one.
    fn run(&mut self, run: Command) {
        self.model.status = None;
        let effects = command(&mut self.model, run);
        self.perform(effects);
    }

    fn run_with(&mut self, run: Command, argument: &str) {
        self.model.status = None;
        let effects = run_command_with_argument(&mut self.model, run, argument);
        self.perform(effects);
    }

    /// Shows a screen, so that its rows are up to date. The last message stays.
    fn show(&mut self, screen: Screen) {
        let effects = command(&mut self.model, Command::Show(screen));
        self.perform(effects);
    }

    fn edit(&mut self, edit: Command) -> io::Result<()> {
        self.model.status = None;
        let effects = command(&mut self.model, edit);
        self.perform_edit(effects)
    }

    fn perform_edit(&mut self, effects: Vec<Effect>) -> io::Result<()> {
        let before = self.model.builds.generation;
        self.perform(effects);
        self.print_status()?;
        self.report_draft_after(before)
    }

    fn report_draft_after(&mut self, generation: u64) -> io::Result<()> {
        if self.model.builds.generation == generation {
            return Ok(());
        }
        self.print_lines(words::draft_report(&self.model))
    }

    fn write(&mut self) -> io::Result<()> {
        self.run(Command::Write);
        self.ask()
    }

    /// Prints the status and the open question.
    fn ask(&mut self) -> io::Result<()> {
        self.print_status()?;
        let lines = match &self.model.overlay {
            Some(Overlay::Confirm(confirm)) => words::confirm(&self.model, confirm),
            _ => self.question(),
        };
        self.print_lines(lines)
    }

    /// Handles a line as the answer to the open question.
    fn confirm(&mut self, line: &str) -> io::Result<()> {
        self.model.status = None;
        let Some(Overlay::Confirm(confirm)) = &self.model.overlay else { return Ok(()) };
        let keys = confirm.asked.keys();
        let is_anyway = confirm.is_write() && line.trim() == "Y";
        let typed = line.trim().to_lowercase();
        let key = keys.iter().map(|(key, _)| *key).find(|key| {
            *key == typed || key.len() == 1 && !typed.is_empty() && typed.starts_with(key)
        });
        let code = match key.and_then(|key| key.chars().next()) {
            _ if is_anyway => KeyCode::Char('Y'),
            Some(key) if typed != "esc" => KeyCode::Char(key),
            // Any other answer cancels the question.
            _ => KeyCode::Esc,
        };
        let before = self.model.builds.generation;
        self.apply_message(Message::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        self.ask()?;
        if self.model.has_draft() { self.report_draft_after(before) } else { Ok(()) }
    }

    fn apply_message(&mut self, message: Message) {
        tracing::debug!(name = variant_name(&message), "message");
        let effects = update(&mut self.model, message);
        self.perform(effects);
    }

    /// Performs effects, one after the other. Each one blocks until it ends.
    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            tracing::debug!(name = variant_name(&effect), "effect");
            for answer in self.answers(effect) {
                self.apply_message(answer);
            }
        }
        self.model.deferred_drops.clear();
    }

    fn answers(&mut self, effect: Effect) -> Vec<Message> {
        match effect {
            Effect::Evaluate(request, order) => {
                let mut answers = Vec::new();
                let report = &mut |message| answers.push(message);
                self.builder.report_build(request, &order, &|| Duration::ZERO, report);
                return answers;
            }
            // Linear mode leaves commands to the shell. No build runs while the user types, so that
            // none can be cancelled. Linear mode has one target, no Board and no screen.
            Effect::Work(_, Work::RunCommand(_))
            | Effect::CancelEvaluation
            | Effect::Board(_)
            | Effect::Copy(_)
            | Effect::CaptureMouse(_)
            | Effect::Suspend
            | Effect::Redraw
            | Effect::RetakeTerminal => {}
            Effect::Work(request, work) => {
                let reports = WorkReports::new(drop);
                let result = self.outside.work(work, Arc::new(NoCancel), &reports);
                return vec![Message::Work(request, WorkNews::Ended(result))];
            }
            Effect::Watch(paths) => self.outside.set_watched(&paths),
            Effect::OpenEditor(path, line) => {
                let ended = self.outside.edit(&path, line);
                let read = self.model.read_drafted(&*self.outside.files(), &[path]);
                return vec![Message::FilesChanged(read), Message::EditorClosed(ended)];
            }
            Effect::Quit => self.left = true,
            Effect::Store(order) => {
                let answers = self.outside.store(order).into_iter();
                return answers.map(Message::Stored).collect();
            }
        }
        Vec::new()
    }
}
