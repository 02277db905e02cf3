//! Results of a search over all resources and steps.

use ratatui::text::Line;

use crate::display::counted;
use crate::model::Model;
use crate::text::sanitize;
use crate::theme::StyleRole;
use crate::view::line::of_texts;

pub(crate) fn title(model: &Model) -> String {
    let state = &model.search;
    if state.pattern.is_empty() {
        return "Search".to_owned();
    }
    let gone = state.rows.iter().filter(|row| row.last.is_some()).count();
    let gone = if gone > 0 { format!(", {gone} not in the output") } else { String::new() };
    let values = counted(state.rows.len(), "value");
    format!("Search  {}  {values}{gone}", sanitize(&state.pattern))
}

pub(crate) fn header(model: &Model, columns: u16) -> Vec<Line<'static>> {
    vec![of_texts(model, columns.into(), &[(StyleRole::Dim, "   first  last  field")])]
}

pub(crate) fn empty(model: &Model) -> String {
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
