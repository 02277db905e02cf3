//! The search over all resources and all steps.

use super::super::message::Effect;
use super::super::model::{Model, Pane, Screen, found_in};
use super::super::theme::Role;
use super::{navigate, say, step_label, time};

/// Looks for a regular expression in every path and every value, at every step.
pub(super) fn find(model: &mut Model, pattern: &str) -> Vec<Effect> {
    pattern.clone_into(&mut model.found_fields.pattern);
    model.derived.found = None;
    model.list_mut(Pane::Found).selected = 0;
    navigate::show(model, Screen::Found);
    derive(model);
    let count = model.found_fields.rows.len();
    match model.found_fields.error.clone() {
        Some(error) => say(model, Role::Error, error.lines().last().unwrap_or_default()),
        None if count == 0 => {
            say(model, Role::Warning, format!("no field has `{pattern}`, at no step"));
        }
        None => {}
    }
    Vec::new()
}

/// Goes to the first step after which the selected value is there.
pub(super) fn open(model: &mut Model) {
    let row = model.found_fields.rows.get(model.list(Pane::Found).selected).cloned();
    let Some(row) = row else { return };
    let Some(key) = row.key else { return };
    time::jump_to(model, row.first);
    navigate::show_resource(model, key);
    super::derive::derive_resources(model);
    // The lines name elements by their numbers, the search by their names: the value tells them apart.
    let last = row.path.rsplit('.').next().unwrap_or_default();
    let last = last.split('[').next().unwrap_or_default();
    let fits = |line: &&super::super::text::TextLine| {
        let text = line.text();
        text.contains(last) && text.contains(row.value.trim_end_matches('…'))
    };
    let line = model.resources.lines.iter().position(|line| fits(&line));
    model.list_mut(Pane::Resource).selected = line.unwrap_or(0);
}

/// Looks again when the build is another one.
pub(super) fn derive(model: &mut Model) {
    if model.screen != Screen::Found {
        return;
    }
    let key = (model.generation, model.secrets.are_masked());
    if model.derived.found == Some(key) {
        return;
    }
    model.derived.found = Some(key);
    let pattern = &model.found_fields.pattern;
    if pattern.is_empty() {
        return;
    }
    match found_in(&model.recording, pattern, &model.secrets) {
        Ok(rows) => (model.found_fields.rows, model.found_fields.error) = (rows, None),
        Err(error) => {
            (model.found_fields.rows, model.found_fields.error) = (Vec::new(), Some(error));
        }
    }
}

/// The selected hit in words: its first and its last step.
pub(in crate::tui) fn hit_words(model: &Model) -> Vec<(Role, String)> {
    let row = model.found_fields.rows.get(model.list(Pane::Found).selected);
    let Some(row) = row.filter(|_| model.screen == Screen::Found) else { return Vec::new() };
    let at = |step: usize| {
        let label = step_label(&model.recording, step);
        format!("step {} {} {label}", step + 1, model.recording.place_of_step(step))
    };
    let mut lines = vec![
        (Role::Title, row.resource.clone()),
        (Role::Text, format!("{}: {}", row.path, row.value)),
    ];
    if !row.place.is_empty() {
        lines.push((Role::Place, format!("written at {}", row.place)));
    }
    lines.push((Role::Step, format!("first there after {}", at(row.first))));
    lines.push(match row.last {
        None => (Role::Ok, "there to the end: it is in the output".to_owned()),
        Some(last) => (Role::Removed, format!("gone after {}", at(last + 1))),
    });
    lines
}
