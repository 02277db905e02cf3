//! A question about files, with their diffs; the log of earlier writes, and drafts that revert one of
//! them.

use crossterm::event::{KeyCode, KeyEvent};

use crate::draft::{FileChange, PastWrite, state_before};
use crate::model::{ChangedRow, Confirm, Confirmation, LogState, Model, Overlay};
use crate::text::{DiffRow, LineDiff, Split};
use crate::update::{note, warn, what_if};

/// The name of a changed file for a question, its diff, and the rows of the diff.
pub(crate) fn change_item(
    model: &Model,
    change: &FileChange,
    what: &str,
) -> (String, LineDiff, Vec<DiffRow>) {
    let name = model.shown_file(&change.path);
    let diff = ChangedRow::file(change, name.clone()).diff(&model.look.secrets);
    let rows = diff.rows(Split::Unified, 2);
    let gone = if change.draft.is_none() { "  (removed)" } else { "" };
    (format!("{name}{what}{gone}"), diff, rows)
}

pub(crate) fn open_question(
    model: &mut Model,
    question: String,
    asked: Confirmation,
    changes: Vec<FileChange>,
    files: Vec<(String, LineDiff, Vec<DiffRow>)>,
) {
    let confirm = Confirm { question, asked, changes, files, offset: 0 };
    model.overlay = Some(Overlay::Confirm(Box::new(confirm)));
}

/// Keeps a question open after a key that is not an answer, and names the answers.
pub(crate) fn name_answers(model: &mut Model, confirm: Box<Confirm>) {
    let answers = confirm.asked.keys().iter().map(|(key, effect)| format!("{key}: {effect}"));
    note(model, format!("not an answer ({})", answers.collect::<Vec<_>>().join(", ")));
    model.overlay = Some(Overlay::Confirm(confirm));
}

pub(crate) fn open_log(model: &mut Model, operations: Vec<PastWrite>) {
    if operations.is_empty() {
        note(model, "no writes yet");
    } else {
        model.overlay = Some(Overlay::Log(Box::new(LogState { operations, selected: 0 })));
    }
}

pub(crate) fn log_key(model: &mut Model, log_key: KeyEvent) {
    let Some(Overlay::Log(log)) = &mut model.overlay else { return };
    let last = log.operations.len().saturating_sub(1);
    match log_key.code {
        KeyCode::Down | KeyCode::Char('j') => log.selected = (log.selected + 1).min(last),
        KeyCode::Up | KeyCode::Char('k') => log.selected = log.selected.saturating_sub(1),
        KeyCode::Home | KeyCode::Char('g') => log.selected = 0,
        KeyCode::End | KeyCode::Char('G') => log.selected = last,
        KeyCode::Enter => ask_to_revert(model),
        KeyCode::Esc | KeyCode::Char('q') => model.overlay = None,
        _ => {}
    }
}

/// Shows how a revert would change the current files, and asks whether to draft it.
fn ask_to_revert(model: &mut Model) {
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
