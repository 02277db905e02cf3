//! Commands of linear mode that change the draft, in rows or in files; the drafts with names, the
//! user's editor, and the log of writes.

use std::io;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::draft::DraftHolder;
use crate::engine::load::clean;
use crate::keymap::Command;
use crate::linear::{LinearSession, numbered, words};
use crate::message::{Effect, Message};
use crate::model::{Overlay, Pane, Screen, all_tree_rows};
use crate::update::{command, draft_text};
use crate::view::words_of_draft;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineEdit {
    Change,
    Insert,
    Remove,
}

impl<W: Write> LinearSession<'_, W> {
    pub(super) fn text(&mut self, name: &str) -> io::Result<()> {
        let Some((path, text)) = self.read(name) else {
            return self
                .print(format!("{name} cannot be read. Usage: text FILE, as in text patch.yaml."));
        };
        let name = self.model.builds.recording.shorten(&path.to_string_lossy());
        let masked = self.model.look.secrets.file(&path, text.as_bytes());
        let text = String::from_utf8_lossy(&masked);
        let lines = (1..).zip(text.lines()).map(|(number, line)| format!("{number}: {line}"));
        let lines: Vec<String> = [format!("{name}:")].into_iter().chain(lines).collect();
        self.print_lines(lines)
    }

    /// Changes a line of a file in the draft: `FILE:LINE TEXT`.
    pub(super) fn change(&mut self, argument: &str, edit: LineEdit) -> io::Result<()> {
        let (place, new) = argument.split_once(' ').unwrap_or((argument, ""));
        let parsed = place.rsplit_once(':').and_then(|(file, line)| {
            let line = line.parse::<usize>().ok()?;
            let (path, text) = self.read(file)?;
            Some((path, text, line))
        });
        let Some((path, text, number)) = parsed else {
            let example = match edit {
                LineEdit::Change => "change patch.yaml:7   replicas: 3",
                LineEdit::Insert => "insert patch.yaml:7   replicas: 3, after line 7",
                LineEdit::Remove => "remove patch.yaml:7",
            };
            return self.print(format!("Usage: FILE:LINE, as in {example}."));
        };
        let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        let is_there = (1..=lines.len()).contains(&number);
        let new = format!("{new}{line_end}");
        match edit {
            LineEdit::Change if is_there => lines[number - 1] = &new,
            LineEdit::Remove if is_there => {
                lines.remove(number - 1);
            }
            LineEdit::Insert if is_there || number == 0 => lines.insert(number, &new),
            _ => return self.print(format!("No such line: the file has {} lines.", lines.len())),
        }
        // If the last line has no line end, an inserted line after it needs one.
        let mut edited = String::new();
        for line in lines {
            if !edited.is_empty() && !edited.ends_with('\n') {
                edited.push_str(line_end);
            }
            edited.push_str(line);
        }
        if !text.is_empty() && !text.ends_with('\n') && edited.ends_with('\n') {
            edited.truncate(edited.len() - line_end.len());
        }
        self.model.status = None;
        let effects = draft_text(&mut self.model, path, Arc::from(edited.into_bytes()));
        self.perform_edit(effects)
    }

    /// Opens the user's editor at a row of `tree`, or at `FILE:LINE`.
    pub(super) fn open_editor(&mut self, argument: &str) -> io::Result<()> {
        if self.model.is_read_only() {
            return self.print("Read-only: started with --read-only.");
        }
        self.model.status = None;
        if self.select_row(argument) {
            return self.edit(Command::Edit);
        }
        let (file, line) = argument.rsplit_once(':').unwrap_or((argument, "1"));
        let place = line.parse::<u32>().ok().and_then(|line| Some((self.read(file)?.0, line)));
        match place {
            Some((path, line)) => self.perform_edit(vec![Effect::OpenEditor(path, line)]),
            None => self.print("Usage: edit ROW, a row number that tree prints, or edit FILE:LINE, as in edit patch.yaml:3."),
        }
    }

    /// Prints the log of writes; with a number, asks whether to revert that write in a draft.
    pub(super) fn log(&mut self, argument: &str) -> io::Result<()> {
        self.run(Command::Log);
        let status = self.model.status.take().map(|status| format!("{}.", status.text));
        let Some(Overlay::Log(log)) = &mut self.model.overlay else {
            return self.print_lines(status);
        };
        if let Some(number) = numbered(argument, log.operations.len()) {
            log.selected = number;
            self.apply_message(Message::Key(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE)));
            if matches!(self.model.overlay, Some(Overlay::Log(_))) {
                self.model.overlay = None;
            }
            return self.ask();
        }
        let lines: Vec<String> = (1..)
            .zip(&log.operations)
            .map(|(number, operation)| {
                let files = operation.files.iter().map(|it| it.path.to_string_lossy());
                let files: Vec<String> =
                    files.map(|file| self.model.builds.recording.shorten(&file)).collect();
                let words = operation.words.join(", ");
                let words = if words.is_empty() { "edited".to_owned() } else { words };
                format!("{number}. {}: {words}. Files: {}.", operation.at, files.join(", "))
            })
            .collect();
        self.model.overlay = None;
        self.print_lines(lines)
    }

    /// Reads a file by its name, relative to the target's folder or to the working directory.
    fn read(&self, name: &str) -> Option<(PathBuf, String)> {
        if name.is_empty() {
            return None;
        }
        let files = self.model.edits.draft.files(self.model.opened.disk.clone());
        let folders = [&self.model.opened.dir, &self.model.board.current];
        folders.into_iter().find_map(|folder| {
            let path = clean(&folder.join(name));
            let text = String::from_utf8(files.read(&path).ok()?.to_vec()).ok()?;
            Some((path, text))
        })
    }

    /// Shows a screen and selects a row of its first pane by its number.
    pub(super) fn select(&mut self, screen: super::Screen, pane: Pane, argument: &str) -> bool {
        self.show(screen);
        self.model.panes.focus[screen as usize] = 0;
        let Some(row) = numbered(argument, self.model.rows(pane)) else { return false };
        self.model.list_mut(pane).selected = row;
        true
    }

    /// Lists the kept drafts; with a name, switches to that draft; also renames, copies and deletes
    /// drafts.
    pub(super) fn drafts(&mut self, argument: &str) -> io::Result<()> {
        let (word, name) = argument.split_once(' ').unwrap_or((argument, ""));
        let act = match (word, name.trim()) {
            ("", _) => return self.list_drafts(),
            ("rename", name) if !name.is_empty() => (Command::RenameDraft, name),
            ("copy", name) if !name.is_empty() => (Command::CopyDraft, name),
            ("delete", name) if !name.is_empty() => (Command::DeleteDraft, name),
            (name, "") => (Command::Drafts, name),
            _ => {
                let words =
                    "Usage: draft NAME, draft rename NAME, draft copy NAME or draft delete NAME.";
                return self.print(words);
            }
        };
        self.edit_with(act.0, act.1)
    }

    fn list_drafts(&mut self) -> io::Result<()> {
        self.run(Command::Drafts);
        let Some(Overlay::Drafts(list)) = self.model.overlay.take() else {
            let status = self.model.status.take().map(|status| format!("{}.", status.text));
            return self.print_lines(status);
        };
        let lines = list.drafts.iter().map(|draft| {
            let name = draft.draft.name.as_deref().unwrap_or("without a name");
            let here = if draft.held_by == DraftHolder::ThisWorkbench { ", open here" } else { "" };
            format!("{name}{here}. {}. Saved at {}.", words_of_draft(&self.model, draft), draft.at)
        });
        self.print_lines(lines.collect::<Vec<_>>())
    }

    pub(super) fn toggle(&mut self, argument: &str) -> io::Result<()> {
        if !self.select_row(argument) {
            return self.print("Usage: toggle ROW, a row number that tree prints, as in toggle 7.");
        }
        self.edit(Command::Toggle)
    }

    pub(super) fn fix(&mut self, argument: &str) -> io::Result<()> {
        let Some(problem) = numbered(argument, self.model.problems.all.len()) else {
            return self.print("Usage: fix NUMBER, the number of a problem, as in fix 2.");
        };
        self.model.screen = Screen::Problems;
        let row = self.model.problems.rows.show_finding(problem);
        self.model.list_mut(Pane::Problems).selected = row.unwrap_or(problem);
        match words::fix_lines(&self.model, problem) {
            None => {
                let rejected = self.model.problems.all.get(problem);
                let no_fix = rejected.and_then(|it| self.model.rejected_fix_reason(it));
                self.print_lines([match no_fix {
                    Some(reason) => format!("No fix: {reason}."),
                    None => "No automatic fix for this problem.".to_owned(),
                }])
            }
            Some(lines) => {
                self.print_lines(lines)?;
                self.edit(Command::Fix)
            }
        }
    }

    /// Moves the entry of a row of `tree` in its list, down for positive numbers.
    pub(super) fn move_row(&mut self, argument: &str, by: &str) -> io::Result<()> {
        let by = by.parse::<i32>().ok().filter(|by| *by != 0);
        let (Some(by), true) = (by, self.select_row(argument)) else {
            let words = "Usage: move ROW COUNT, a row number that tree prints and a count, as in move 7 1 or move 7 -2.";
            return self.print(words);
        };
        let way = if by < 0 { Command::MoveUp } else { Command::MoveDown };
        self.model.status = None;
        let mut effects = Vec::new();
        for _ in 0..by.unsigned_abs() {
            effects = command(&mut self.model, way);
        }
        self.perform_edit(effects)
    }

    /// Switches a listed component on or off; adds an unlisted one to the list.
    pub(super) fn toggle_component(&mut self, argument: &str) -> io::Result<()> {
        let Some(row) = numbered(argument, self.model.components.rows.len()) else {
            return self
                .print("Usage: component NUMBER, the number of a component, as in component 2.");
        };
        self.model.screen = Screen::Components;
        self.model.panes.focus[Screen::Components as usize] = 0;
        self.model.list_mut(Pane::Components).selected = row;
        self.edit(Command::Toggle)
    }

    /// Selects a row of `tree` by its number; false if no row has this number.
    pub(super) fn select_row(&mut self, argument: &str) -> bool {
        let rows = all_tree_rows(&self.model);
        let Some(row) = numbered(argument, rows.len()) else { return false };
        self.model.screen = Screen::Tree;
        self.model.panes.focus[Screen::Tree as usize] = 0;
        self.model.tree.is_folded = false;
        self.model.tree.toggled.clear();
        self.model.tree.set_rows(rows);
        self.model.list_mut(Pane::Tree).selected = row;
        true
    }
}
