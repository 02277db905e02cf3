//! Results of a search over all resources and steps.

use ratatui::text::Line;

use super::super::model::{FoundRow, Model};
use super::super::text::{fit_location_distinct, fit_middle_distinct, near, sanitize, width};
use super::super::theme::StyleRole;
use super::line::LineBuilder;

/// The title of the list of results, with the pattern and their number.
pub(super) fn title(model: &Model) -> String {
    let state = &model.search;
    if state.pattern.is_empty() {
        return "Found".to_owned();
    }
    let gone = state.rows.iter().filter(|row| row.last.is_some()).count();
    let gone = if gone > 0 { format!(", {gone} not in the output") } else { String::new() };
    let values = match state.rows.len() {
        1 => "1 value".to_owned(),
        many => format!("{many} values"),
    };
    format!("Found  {}  {values}{gone}", sanitize(&state.pattern))
}

/// The line with the names of the columns of results.
pub(super) fn header(model: &Model, columns: u16) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns.into());
    line.put(StyleRole::Dim, "   first  last  field");
    line.finish()
}

/// A matching field: its first and last step, its text, its location.
pub(super) fn row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(row) = model.search.rows.get(index) else { return line.finish() };
    line.put(StyleRole::Text, "  ").push_right_aligned(
        StyleRole::Step,
        &(row.first + 1).to_string(),
        6,
    );
    match row.last {
        Some(last) => line.push_right_aligned(StyleRole::Removed, &(last + 1).to_string(), 6),
        None => line.push_right_aligned(StyleRole::Ok, "end", 6),
    };
    line.put(StyleRole::Text, "  ");
    let place = row.place.as_str();
    let cells = width(place).min(columns / 3);
    let told = |row: &FoundRow| format!("{}  {}: {}", row.resource, row.path, row.value);
    let text = told(row);
    let room = line.room().saturating_sub(cells + 2);
    let role = if row.last.is_some() { StyleRole::Dim } else { StyleRole::Text };
    let rows = || near(index, &model.search.rows);
    let others: Vec<String> = rows().map(told).collect();
    line.column(role, &fit_middle_distinct(&text, room, others.iter().map(String::as_str)), room);
    let places = rows().map(|other| other.place.as_str());
    line.put(StyleRole::Text, " ")
        .put(StyleRole::Place, &fit_location_distinct(place, cells, places));
    line.finish()
}

/// The text of a list of results without rows: an error, or the reason.
pub(super) fn empty(model: &Model) -> String {
    let state = &model.search;
    match &state.error {
        Some(error) => format!("{} {error}", model.glyphs().failed),
        None if state.pattern.is_empty() => {
            "`:find PATTERN` searches paths and values at every step with a regular expression"
                .to_owned()
        }
        None => format!("no field matches {} at any step", state.pattern),
    }
}
