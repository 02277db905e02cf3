//! Writing the draft: shown first, asked once, never over a file that changed meanwhile.

use std::path::Path;

use crossterm::event::{KeyCode, KeyEvent};

use super::super::message::Effect;
use super::super::model::{ChangedRow, Confirm, Model, Overlay, Running};
use super::super::ports::WriteError;
use super::super::text::Split;
use super::super::theme::Role;
use super::{answers, say};

/// Shows the exact difference of every file and asks.
pub(super) fn ask(model: &mut Model, then_quit: bool) -> Vec<Effect> {
    if model.changes.is_empty() {
        return if then_quit { vec![Effect::Quit] } else { Vec::new() };
    }
    let files = model.changes.iter().map(|change| {
        let name = model.recording.shorten(&change.path.to_string_lossy());
        let diff = ChangedRow::file(change, name.clone()).diff();
        let rows = diff.rows(Split::Unified, 2);
        (name, diff, rows)
    });
    let files: Vec<_> = files.collect();
    let question = match files.as_slice() {
        [(name, ..)] => format!("write {name}?"),
        files => format!("write {} files?", files.len()),
    };
    let confirm = Confirm { question, changes: model.changes.clone(), files, offset: 0, then_quit };
    model.overlay = Some(Overlay::Confirm(Box::new(confirm)));
    Vec::new()
}

/// A key while the question is asked.
pub(super) fn key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Some(Overlay::Confirm(confirm)) = &mut model.overlay else { return Vec::new() };
    match key.code {
        KeyCode::Char('y' | 'Y') => {
            model.writing = confirm.changes.len();
            model.quit_after_write = confirm.then_quit;
            let effects = confirm.changes.iter().map(|change| Effect::Write {
                path: change.path.clone(),
                base: change.base.clone(),
                bytes: change.draft.clone(),
            });
            let effects = effects.collect();
            model.overlay = None;
            effects
        }
        KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc => {
            model.overlay = None;
            say(model, Role::Dim, "nothing written");
            Vec::new()
        }
        KeyCode::Down | KeyCode::Char('j') => {
            confirm.offset += 1;
            Vec::new()
        }
        KeyCode::Up | KeyCode::Char('k') => {
            confirm.offset = confirm.offset.saturating_sub(1);
            Vec::new()
        }
        _ => Vec::new(),
    }
}

/// A write ended.
pub(super) fn written(
    model: &mut Model,
    path: &Path,
    result: Result<(), WriteError>,
) -> Vec<Effect> {
    model.writing = model.writing.saturating_sub(1);
    let name = model.recording.shorten(&path.to_string_lossy());
    match result {
        Ok(()) => {
            model.session.written(path);
            answers::refresh_draft(model);
            if !model.has_draft() && model.running == Running::Idle {
                model.saved = Some(model.recording.clone());
            }
            say(model, Role::Ok, format!("wrote {name}"));
        }
        Err(error) => {
            model.quit_after_write = false;
            let words = match &error {
                WriteError::Conflict { disk, .. } => {
                    model.session.disk_changed(path, disk.clone());
                    answers::refresh_draft(model);
                    format!(
                        "{name} changed on disk meanwhile: nothing was written there; :diff shows both"
                    )
                }
                WriteError::Io { reason, .. } => format!("{name}: {reason}"),
            };
            say(model, Role::Error, words);
        }
    }
    if model.quit_after_write && model.writing == 0 {
        return vec![Effect::Quit];
    }
    Vec::new()
}
