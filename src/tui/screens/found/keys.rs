//! The search over all resources and all steps.

use crate::model::{Model, Pane, Screen};
use crate::update::derive::{derive_found, derive_resources};
use crate::update::{say_error, selection, time, warn};

/// Searches every path and every value for a regular expression, at every step.
pub(crate) fn find(model: &mut Model, pattern: &str) {
    pattern.clone_into(&mut model.search.pattern);
    model.derived.invalidate(&[Pane::Found]);
    model.list_mut(Pane::Found).selected = 0;
    selection::show_screen(model, Screen::Found);
    derive_found(model);
    let count = model.search.rows.len();
    match model.search.error.clone() {
        Some(error) => say_error(model, error.lines().last().unwrap_or_default()),
        None if count == 0 => warn(model, format!("no field matches `{pattern}` at any step")),
        None => {}
    }
}

pub(crate) fn open(model: &mut Model) {
    let row = model.search.rows.get(model.list(Pane::Found).selected).cloned();
    let Some(row) = row else { return };
    let Some(key) = row.key else { return };
    time::jump_to(model, row.first);
    selection::show_resource(model, key);
    derive_resources(model);
    // Lines identify list elements by index, the search by name: so the line is recognized by key
    // and value.
    let last = row.path.rsplit('.').next().unwrap_or_default();
    let last = last.split('[').next().unwrap_or_default();
    let fits = |line: &&crate::text::TextLine| {
        let text = line.text();
        text.contains(last) && text.contains(row.value.trim_end_matches('…'))
    };
    let line = model.resources.lines.iter().position(|line| fits(&line));
    model.list_mut(Pane::Resource).selected = line.unwrap_or(0);
}
