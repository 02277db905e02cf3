//! A resource with the step and the place of every line; the list of resources; the history of a field.

use ratatui::text::Line;

use super::super::model::{Model, Pane};
use super::super::text::{fit, fit_middle, fit_place, width};
use super::super::theme::Role;
use super::line::LineBuilder;

/// The title of the resource.
pub(super) fn title(model: &Model) -> String {
    let at = model.cursor + 1;
    let time = if at > model.recording.last_effective() {
        "final".to_owned()
    } else {
        format!("after step {at}")
    };
    match model.resources.shown() {
        Some(row) => format!("{} {}  {time}", row.kind, row.name),
        None => match &model.resources.key {
            Some(key) => {
                let name = format!("{} {}", key.kind, key.name);
                format!("{} is not there {time}", super::super::text::sanitize(&name))
            }
            None => "Resource".to_owned(),
        },
    }
}

/// The title of the history.
pub(super) fn history_title(model: &Model) -> String {
    let line = model.resources.lines.get(model.list(Pane::Resource).selected);
    match line {
        Some(line) if !line.path.is_empty() => format!("History  {}", fit_middle(&line.path, 24)),
        _ => "History".to_owned(),
    }
}

/// One line: the step that wrote it, where it came from, and the line.
pub(super) fn row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let state = &model.resources;
    let Some(text) = state.lines.get(index) else { return line.finish() };
    let same_as_above = index > 0
        && state.steps.get(index) == state.steps.get(index - 1)
        && state.places.get(index) == state.places.get(index - 1);
    if same_as_above {
        line.column_right(Role::Dim, "·", 4);
    } else {
        let step = state.steps.get(index).copied().flatten();
        let step = step.map_or_else(|| "·".to_owned(), |step| (step + 1).to_string());
        line.column_right(Role::Step, &step, 4);
    }
    line.put(Role::Text, " ");
    let place_cells = match columns {
        0..=44 => 0,
        45..=69 => 20,
        _ => state.places.iter().map(|place| width(place)).max().unwrap_or(0).min(columns * 2 / 5),
    };
    if place_cells > 0 {
        let place = state.places.get(index).map_or("", String::as_str);
        let place = if same_as_above { "" } else { place };
        line.column(Role::Place, &fit_place(place, place_cells), place_cells);
        line.put(Role::Text, " ");
    }
    line.text_line(text);
    line.finish()
}

/// One resource of the list.
pub(super) fn list_row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(row) = model.resources.list.get(index) else { return line.finish() };
    let kind = width(&row.kind).max(11).min(columns / 2);
    line.put(Role::Text, " ").column(Role::Dim, &row.kind, kind).put(Role::Text, " ");
    let room = line.room();
    line.put(Role::Text, &fit_middle(&row.name, room));
    line.finish()
}

/// One step of a field's history.
pub(super) fn history_row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(row) = model.resources.history.get(index) else { return line.finish() };
    let future = row.step > model.cursor;
    let role = if future { Role::Dim } else { Role::Text };
    line.column_right(Role::Step, &(row.step + 1).to_string(), 4).put(Role::Text, " ");
    let value = row.after.as_deref().unwrap_or("gone");
    if columns < 60 {
        let cells = (columns * 2 / 5).saturating_sub(5);
        line.column(role, &fit(value, cells), cells).put(Role::Text, " ");
        let room = line.room();
        line.put(Role::Place, &fit_place(&row.place, room));
        return line.finish();
    }
    let value = match &row.before {
        Some(before) => format!("{before} {} {value}", model.glyphs().arrow),
        None => value.to_owned(),
    };
    let label = (columns / 3).clamp(8, 26);
    line.column(role, &fit(&row.label, label), label).put(Role::Text, " ");
    let room = line.room();
    line.column(role, &value, room.saturating_sub(30)).put(Role::Text, " ");
    let room = line.room();
    line.put(Role::Place, &fit_place(&row.place, room));
    line.finish()
}
