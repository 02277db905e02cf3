//! Commands of linear mode that change files, in the draft or with the user's editor, and the log
//! of writes.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::super::keymap::Command;
use super::super::message::{Effect, Message};
use super::super::model::{Overlay, Pane};
use super::super::update::draft_text;
use super::{LinearSession, numbered};
use crate::engine::load::clean;

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
}
