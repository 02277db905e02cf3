//! Linear mode: the workbench as a dialogue of lines, for screen readers and dumb terminals. Lines
//! are appended, no screen is drawn.

mod files;
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
use super::model::{Confirmation, Model, Overlay, Screen, all_tree_rows};
use super::ports::{Work, WorkNews, WorkReports, WorkbenchOptions, WorkbenchPorts};
use super::runtime::RunError;
use super::text::sanitize;
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
    mut output: impl Write,
) -> Result<usize, RunError> {
    let mut model = Model::new(options, outside.files())?;
    let watched = outside.watch().unwrap_or_else(never);
    let effects = open(&mut model);
    let builder = Builder::new(outside.evaluator());
    let mut talk = LinearSession { model, outside, builder, left: false, tour: None };
    talk.perform(effects);
    print(&mut output, talk.greet())?;
    talk.listen(&lines_of(input), watched, &mut output)?;
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

/// Prints lines, without control characters and with words in place of keys.
fn print(output: &mut dyn Write, lines: Vec<String>) -> io::Result<()> {
    for line in lines {
        let line = KEYS_IN_MESSAGES.iter().fold(line, |line, (key, word)| {
            if line.contains(key) { line.replace(key, word) } else { line }
        });
        writeln!(output, "{}", sanitize(line.trim_end()))?;
    }
    Ok(())
}

struct LinearSession<'a> {
    model: Model,
    outside: &'a dyn WorkbenchPorts,
    builder: Builder,
    left: bool,
    tour: Option<LineTour>,
}

/// The lines that answer a command; as an error its usage, or the reason why there is no answer.
type Answer = Result<Vec<String>, String>;

fn usage(words: &str) -> String {
    format!("Usage: {words}.")
}

/// The index of the row with this number, of so many rows.
fn numbered(argument: &str, rows: usize) -> Option<usize> {
    let row = argument.parse::<usize>().ok()?.checked_sub(1)?;
    (row < rows).then_some(row)
}

/// True for a line that is not an answer to a yes-or-no question.
fn is_command(line: &str) -> bool {
    !matches!(line.trim().to_lowercase().as_str(), "" | "y" | "yes" | "n" | "no" | "esc")
}

impl LinearSession<'_> {
    fn greet(&mut self) -> Vec<String> {
        if !self.model.opened.has_target {
            return self.greet_repository();
        }
        let (target, build) = (&self.model.opened.target, words::build(&self.model));
        let mut lines = vec![
            format!("kzui {}. {target}. {build}", env!("CARGO_PKG_VERSION")),
            "Type a command, help for help.".to_owned(),
        ];
        if let Some(kept) = self.outside.kept_draft() {
            self.apply_message(Message::KeptDraft(Box::new(kept)));
            lines.extend(self.ask());
        }
        if self.model.tour.take().is_some() {
            lines.extend(self.begin_or_leave_tour());
        }
        lines
    }

    /// Lists the targets below a folder that is none itself.
    fn greet_repository(&mut self) -> Vec<String> {
        let folder = self.model.opened.target.clone();
        let mut builds = self.outside.board();
        if let Err(error) = builds.find() {
            return vec![format!("{folder}: {error}")];
        }
        builds.read();
        let repository = builds.with_deployment_objects();
        let scope = self.model.board.scope.clone();
        let targets = repository.targets_covered_by(std::slice::from_ref(&scope));
        let count = match targets.len() {
            0 => "no targets".to_owned(),
            count => counted(count, "target"),
        };
        let name = scope.file_name().map_or(folder, |name| name.to_string_lossy().into_owned());
        let mut lines = vec![format!("kzui {}. {name}: {count}.", env!("CARGO_PKG_VERSION"))];
        lines.extend(targets.iter().map(|it| relative_path(&self.model.board.current, it)));
        lines.push("help: open one of them with kzui --linear TARGET".to_owned());
        self.left = true;
        lines
    }

    fn listen(
        &mut self,
        lines: &Receiver<io::Result<String>>,
        mut watched: Receiver<Vec<PathBuf>>,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        let mut has_prompt = false;
        while !self.left {
            if !std::mem::replace(&mut has_prompt, true) {
                write!(output, "> ")?;
                output.flush()?;
            }
            let said = select! {
                recv(lines) -> line => {
                    let Ok(line) = line else { return Ok(()) };
                    let line = line?;
                    has_prompt = false;
                    [self.answer(&line), self.follow_tour(&line)].concat()
                }
                recv(watched) -> paths => {
                    let Ok(paths) = paths else {
                        watched = never();
                        continue;
                    };
                    let said = self.rebuild_after_disk_change(&paths);
                    has_prompt = said.is_empty();
                    if !has_prompt {
                        // Ends the line of the prompt, where the cursor is.
                        writeln!(output)?;
                    }
                    said
                }
            };
            print(output, said)?;
        }
        Ok(())
    }

    fn rebuild_after_disk_change(&mut self, paths: &[PathBuf]) -> Vec<String> {
        let before = self.model.builds.recording.clone();
        self.model.status = None;
        let bytes = self.model.read_drafted(&*self.outside.files(), paths);
        self.apply_message(Message::FilesChanged(bytes));
        let status = self.status();
        words::rebuild_report(&self.model, &before, status)
    }

    /// Takes the message that a screen would show.
    fn status(&mut self) -> Option<String> {
        self.model.status.take().map(|status| status.text)
    }

    fn answer(&mut self, line: &str) -> Vec<String> {
        let mut lines = match &self.model.overlay {
            // A command instead of an answer: the kept draft is left for later.
            Some(Overlay::Confirm(asked))
                if matches!(asked.asked, Confirmation::Resume(_)) && is_command(line) =>
            {
                self.confirm("esc")
            }
            Some(Overlay::Confirm(_)) => return self.confirm(line),
            Some(Overlay::Trust(_) | Overlay::Fetch(_)) => return self.decide(line),
            _ => Vec::new(),
        };
        lines.extend(self.run_line(line).unwrap_or_else(|reason| vec![reason]));
        lines
    }

    fn run_line(&mut self, line: &str) -> Answer {
        use Command as C;
        let mut parts = line.split_whitespace();
        let Some(word) = parts.next() else { return Ok(Vec::new()) };
        let argument = parts.next().unwrap_or_default();
        // A name may contain blanks, and a line of a file may begin with them.
        let behind = line.trim_start().strip_prefix(word).unwrap_or_default();
        let (rest, text) = (behind.trim(), behind.strip_prefix(' ').unwrap_or_default());
        let model = &self.model;
        Ok(match word {
            "help" | "h" | "?" => words::help(),
            "tree" => words::tree(model),
            "problems" => words::problems(model),
            "steps" => return words::steps(model, argument),
            "step" => return words::of_step(model, argument, words::step),
            "diff" => return words::of_step(model, argument, words::diff),
            "why" if argument.contains('/') => return words::why_field(model, rest),
            "why" => return words::of_step(model, argument, words::step_problem_lines),
            "resources" => words::resources(model),
            "resource" => return self.resource(rest),
            "components" => words::components(model),
            "watch" => return words::watch(model, rest),
            "toggle" | "component" => return self.toggle(word, argument),
            "fix" => return self.fix(argument),
            "move" => return self.move_row(argument, parts.next().unwrap_or_default()),
            "order" => return self.order(argument),
            "matrix" => return self.matrix(argument),
            "compare" => return self.compare(rest),
            "reach" => return self.reach(),
            "users" => return self.users(),
            "find" => return self.find(rest),
            "text" => return self.text(rest),
            "change" => return self.change(text, LineEdit::Change),
            "insert" => return self.change(text, LineEdit::Insert),
            "remove" => return self.change(text, LineEdit::Remove),
            "edit" => return self.open_editor(rest),
            "log" => self.log(argument),
            "draft" | "drafts" => return self.drafts(rest),
            "catalogs" | "catalog" => return Ok(self.catalogs(rest)),
            "trust" => return self.trust(argument, C::Trust),
            "revoke" => return self.trust(argument, C::Revoke),
            "fetch" => return self.fetch(argument),
            "functions" => return self.functions(""),
            "run" => return self.functions(if argument.is_empty() { "0" } else { argument }),
            "pipeline" => return self.pipeline(),
            "override" => return self.fill_in_override(rest),
            _ => return self.run_session_command(word, argument),
        })
    }

    /// Runs a command about the draft as a whole, or about the session.
    fn run_session_command(&mut self, word: &str, argument: &str) -> Answer {
        use Command as C;
        let edit = match word {
            "discard" => C::Discard,
            "undo" => C::Undo,
            "redo" => C::Redo,
            "secrets" => C::ShowSecrets,
            "quit" | "q" if self.model.has_draft() && self.model.kept_files() == 0 => {
                return Err("The draft is not written. Type write to write it, quit! to discard it and quit.".to_owned());
            }
            "quit" | "q" => C::Quit,
            "quit!" => C::QuitAnyway,
            "like" if argument.is_empty() => {
                let name = self.model.like.profile().name();
                return Ok(vec![format!("Version profile: {name}.")]);
            }
            "like" => C::Like,
            "write" => {
                self.run(C::Write, "");
                return Ok(self.ask());
            }
            "rebuild" => {
                self.show(Screen::Tree);
                let mut lines = self.edit(C::Rebuild, "");
                lines.push(words::build(&self.model));
                return Ok(lines);
            }
            "tour" => return Ok(self.begin_or_leave_tour()),
            "next" => return Ok(self.next_stop()),
            _ => return Err(format!("Unknown command {word}. Type help for a list of commands.")),
        };
        Ok(self.edit(edit, if edit == C::Like { argument } else { "" }))
    }

    fn resource(&mut self, argument: &str) -> Answer {
        if argument.is_empty() {
            return Err(usage(
                "resource KIND/NAME, a name that resources prints, as in resource Deployment/web",
            ));
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

    /// Selects the row with a number in the first pane of a screen; false without such a row.
    fn select(&mut self, screen: Screen, argument: &str) -> bool {
        let pane = screen.panes()[0];
        match screen {
            // The rows of these lists are derived for every screen.
            Screen::Components | Screen::Problems => self.model.screen = screen,
            _ => self.show(screen),
        }
        if screen == Screen::Tree {
            self.model.tree.is_folded = false;
            self.model.tree.toggled.clear();
            let rows = all_tree_rows(&self.model);
            self.model.tree.set_rows(rows);
        }
        self.model.panes.focus[screen as usize] = 0;
        let row = numbered(argument, self.model.rows(pane));
        self.model.select_found(pane, row);
        row.is_some()
    }

    /// The effects of a command, whose message replaces the last one.
    fn effects_of(&mut self, run: Command, argument: &str) -> Vec<Effect> {
        self.model.status = None;
        match argument {
            "" => command(&mut self.model, run),
            argument => run_command_with_argument(&mut self.model, run, argument),
        }
    }

    fn run(&mut self, run: Command, argument: &str) {
        let effects = self.effects_of(run, argument);
        self.perform(effects);
    }

    /// Shows a screen, so that its rows are up to date. The last message stays.
    fn show(&mut self, screen: Screen) {
        let effects = command(&mut self.model, Command::Show(screen));
        self.perform(effects);
    }

    fn edit(&mut self, edit: Command, argument: &str) -> Vec<String> {
        let effects = self.effects_of(edit, argument);
        self.report(effects)
    }

    /// Performs effects; the lines are their message, and the effect on the draft.
    fn report(&mut self, effects: Vec<Effect>) -> Vec<String> {
        let before = self.model.builds.generation;
        self.perform(effects);
        let said = self.status().into_iter();
        said.chain(self.draft_report_after(before)).collect()
    }

    fn draft_report_after(&self, generation: u64) -> Vec<String> {
        let is_built = self.model.builds.generation != generation;
        if is_built { words::draft_report(&self.model) } else { Vec::new() }
    }

    /// The message, and the open question.
    fn ask(&mut self) -> Vec<String> {
        let question = match &self.model.overlay {
            Some(Overlay::Confirm(confirm)) => words::confirm(&self.model, confirm),
            _ => self.question(),
        };
        self.status().into_iter().chain(question).collect()
    }

    /// Handles a line as the answer to the open question.
    fn confirm(&mut self, line: &str) -> Vec<String> {
        self.model.status = None;
        let Some(Overlay::Confirm(confirm)) = &self.model.overlay else { return Vec::new() };
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
        self.press(code, KeyModifiers::NONE);
        let mut lines = self.ask();
        if self.model.has_draft() {
            lines.extend(self.draft_report_after(before));
        }
        lines
    }

    fn press(&mut self, code: KeyCode, modifiers: KeyModifiers) {
        self.apply_message(Message::Key(KeyEvent::new(code, modifiers)));
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
