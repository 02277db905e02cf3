//! Finished and pending functions: opens their results, and the screen on which the user decides
//! about a pending one.

use std::path::PathBuf;

use crate::model::{Decider, Model, Pane, Screen, catalog_rows, decider, function_rows};
use crate::update::derive::derive_resources;
use crate::update::note;
use crate::update::selection::{focus, show_resource, show_screen};

pub(crate) fn decide(model: &mut Model, decider: Decider) {
    let (screen, pane, row) = match decider {
        Decider::Catalog(catalog) => {
            let rows = catalog_rows(&model.builds.recording);
            let row = rows.iter().position(|row| row.catalog == catalog && row.entry.is_none());
            (Screen::Catalogs, Pane::Catalogs, row)
        }
        Decider::Function(step) => {
            let rows = function_rows(&model.builds.recording);
            (Screen::Functions, Pane::Functions, rows.iter().position(|row| row.step == step))
        }
    };
    show_screen(model, screen);
    focus(model, pane);
    model.list_mut(pane).selected = row.unwrap_or(0);
}

/// Opens the selection: from a function whose catalog is not trusted, the Catalogs screen; from any
/// other function, its results; from a result, its resource.
pub(crate) fn open_function(model: &mut Model) {
    let row = model.functions.rows.get(model.list(Pane::Functions).selected);
    let waits = row.filter(|row| row.waits_for.is_some()).map(|row| row.step);
    match waits.and_then(|step| decider(&model.builds.recording, step)) {
        Some(catalog @ Decider::Catalog(_)) => decide(model, catalog),
        _ if model.focused() == Pane::Results => open_result(model),
        _ => focus(model, Pane::Results),
    }
}

fn open_result(model: &mut Model) {
    let row = model.functions.results.get(model.list(Pane::Results).selected).cloned();
    let step = model.functions.rows.get(model.list(Pane::Functions).selected).map(|row| row.step);
    let Some(key) = row.as_ref().and_then(|row| row.key.clone()) else {
        return note(
            model,
            "the resource of this result is neither in the input nor in the output",
        );
    };
    if let Some(step) = step {
        model.cursor = step;
    }
    show_resource(model, key);
    derive_resources(model);
    let field = row.map(|row| row.field).unwrap_or_default();
    let lines = &model.resources.lines;
    let line = lines.iter().position(|line| *line.path == *field).or_else(|| {
        let written = crate::model::with_brackets(&field);
        lines.iter().position(|line| *line.path == *written)
    });
    model.list_mut(Pane::Resource).selected = line.unwrap_or(0);
}

pub(crate) fn place(model: &Model) -> Option<(PathBuf, u32)> {
    let row = model.functions.rows.get(model.list(Pane::Functions).selected)?;
    let step = model.builds.recording.step(row.step)?;
    Some((PathBuf::from(model.builds.recording.file(step.mark)?), step.mark.line))
}
