//! Opens a component: its entry, its step, and the resources that it changes.

use std::path::PathBuf;

use crate::model::{Compare, Model, Pane, Screen};
use crate::update::selection::show_screen;
use crate::update::{note, time};

pub(crate) fn place(model: &Model) -> Option<(PathBuf, u32)> {
    let row = model.components.rows.get(model.list(Pane::Components).selected)?;
    Some((row.file.clone(), row.line.max(1)))
}

pub(crate) fn open(model: &mut Model) {
    let row = model.components.rows.get(model.list(Pane::Components).selected);
    match row.and_then(|row| row.step) {
        Some(step) => {
            time::jump_to(model, step);
            model.screen = Screen::Steps;
        }
        None => note(model, "switched off (space: switch on)"),
    }
}

pub(crate) fn open_effect(model: &mut Model) {
    model.diff.compare = Compare::Output;
    let row = model.components.effect.get(model.list(Pane::ComponentEffect).selected);
    if let Some(key) = row.and_then(|row| row.key.clone()) {
        model.resources.choose(key);
    }
    show_screen(model, Screen::Diff);
}
