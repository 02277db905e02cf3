//! The log of earlier writes with time and files, and drafts that revert one of them.

use crossterm::event::{KeyCode, KeyEvent};

use super::super::model::{Confirm, Confirmation, LogState, Model, Overlay};
use super::questions::{change_item, name_answers, open_question};
use super::{note, warn, what_if};
use crate::draft::{FileChange, PastWrite, state_before};

pub(crate) fn open(model: &mut Model, operations: Vec<PastWrite>) {
    if operations.is_empty() {
        note(model, "no writes yet");
    } else {
        model.overlay = Some(Overlay::Log(Box::new(LogState { operations, selected: 0 })));
    }
}

pub(crate) fn key(model: &mut Model, key: KeyEvent) {
    let Some(Overlay::Log(log)) = &mut model.overlay else { return };
    let last = log.operations.len().saturating_sub(1);
    match key.code {
        KeyCode::Down | KeyCode::Char('j') => log.selected = (log.selected + 1).min(last),
        KeyCode::Up | KeyCode::Char('k') => log.selected = log.selected.saturating_sub(1),
        KeyCode::Home | KeyCode::Char('g') => log.selected = 0,
        KeyCode::End | KeyCode::Char('G') => log.selected = last,
        KeyCode::Enter => ask(model),
        KeyCode::Esc | KeyCode::Char('q') => model.overlay = None,
        _ => {}
    }
}

/// Shows how a revert would change the current files, and asks whether to draft it.
fn ask(model: &mut Model) {
    let Some(Overlay::Log(log)) = model.overlay.take() else { return };
    let number = log.selected;
    let files = model.edits.draft.files(model.opened.disk.clone());
    let changes = state_before(&log.operations, number).into_iter().map(|(path, draft)| {
        let base = files.read(&path).ok();
        FileChange { path, base, draft }
    });
    let changes: Vec<FileChange> = changes.filter(|change| change.base != change.draft).collect();
    if changes.is_empty() {
        note(model, "no change: the files are the same as before this write");
        model.overlay = Some(Overlay::Log(log));
        return;
    }
    let files = changes.iter().map(|change| change_item(model, change, "")).collect();
    let question = match number {
        0 => "revert this write in a draft?".to_owned(),
        1 => "revert this write and the later one in a draft?".to_owned(),
        later => {
            format!("revert this write and the {later} later ones in a draft?")
        }
    };
    open_question(model, question, Confirmation::Restore { number }, changes, files);
    model.edits.listed_writes = log.operations;
}

pub(crate) fn handle_restore_key(
    model: &mut Model,
    confirm: Box<Confirm>,
    number: usize,
    code: KeyCode,
) {
    match code {
        KeyCode::Char('y' | 'Y') => {
            let at = model.edits.listed_writes.get(number).map(|operation| operation.at.clone());
            let words = format!("revert {}", at.unwrap_or_default());
            let files = confirm.changes.into_iter().map(|change| (change.path, change.draft));
            let disk = model.opened.disk.clone();
            model.edits.listed_writes.clear();
            if model.edits.draft.restore(files.collect(), &words, &*disk) {
                return what_if::finish_edit(model, "reverted in the draft (:w writes)");
            }
            warn(model, "conflict with files on disk (:w asks about them)");
        }
        KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc => {
            let operations = std::mem::take(&mut model.edits.listed_writes);
            let log = LogState { operations, selected: number };
            model.overlay = Some(Overlay::Log(Box::new(log)));
        }
        _ => name_answers(model, confirm),
    }
}
