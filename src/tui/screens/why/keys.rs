//! The pane that explains a field: opens it, and handles its keys, also for other subjects.

use crossterm::event::{KeyCode, KeyEvent};

use crate::keymap::Command;
use crate::message::Effect;
use crate::model::{Model, Overlay, Screen, why_pane};
use crate::screens::targets;
use crate::update::availability::disabled;
use crate::update::{editor, explain, note, time, warn, what_if};

pub(crate) fn open(model: &mut Model) {
    crate::update::derive::derive_resources(model);
    match why_pane(model) {
        Some(pane) => model.overlay = Some(Overlay::Why(Box::new(pane))),
        None => note(model, "no field written by a step: select a line of the resource"),
    }
}

/// Opens the explanation of a problem of the field under the cursor; without a problem, that of the
/// field.
pub(crate) fn ask(model: &mut Model) {
    if !explain::open_problem_of_field(model) {
        open(model);
    }
}

pub(crate) fn key(model: &mut Model, key: KeyEvent) {
    let Some(Overlay::Why(pane)) = &mut model.overlay else { return };
    let last = pane.rows.len().saturating_sub(1);
    match key.code {
        KeyCode::Down | KeyCode::Char('j') => pane.selected = (pane.selected + 1).min(last),
        KeyCode::Up | KeyCode::Char('k') => pane.selected = pane.selected.saturating_sub(1),
        KeyCode::Home | KeyCode::Char('g') => pane.selected = 0,
        KeyCode::End | KeyCode::Char('G') => pane.selected = last,
        KeyCode::Esc | KeyCode::Left | KeyCode::Char('q' | 'h' | 'w') => model.overlay = None,
        KeyCode::Enter | KeyCode::Right | KeyCode::Char('l') => show_selected_step(model),
        KeyCode::Char('f') => fix(model),
        KeyCode::Char('e') => edit(model, Command::Edit),
        KeyCode::Char('E') => edit(model, Command::EditHere),
        _ => {}
    }
}

fn fix(model: &mut Model) {
    let Some(Overlay::Why(pane)) = model.overlay.take() else { return };
    match pane.fix {
        Some(offer) => what_if::apply_fix(model, &offer.words, &offer.changes),
        None => match disabled(model, Command::Fix) {
            None if model.screen == Screen::Findings => targets::keys::fix_finding(model),
            reason => warn(model, reason.unwrap_or("no automatic fix here")),
        },
    }
}

fn show_selected_step(model: &mut Model) {
    let Some(Overlay::Why(pane)) = &model.overlay else { return };
    let Some(step) = pane.rows.get(pane.selected).and_then(|row| row.step) else { return };
    model.overlay = None;
    time::show_step(model, step);
}

fn edit(model: &mut Model, command: Command) {
    let Some(Overlay::Why(pane)) = &model.overlay else { return };
    let place = pane.rows.get(pane.selected).and_then(|row| row.file.clone());
    if let Some(reason) = disabled(model, command) {
        return warn(model, reason);
    }
    let Some((file, line)) = place else {
        return note(model, "no file contains this value: a step creates it");
    };
    model.overlay = None;
    if command == Command::Edit {
        return model.request(Effect::OpenEditor(file, line));
    }
    editor::open_builtin_editor_at(model, file, line);
}
