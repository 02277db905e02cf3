//! The results of a search in all fields.

pub(crate) mod keys;
pub(crate) mod state;

use ratatui::text::Line;

use crate::display::counted;
use crate::model::{EmptyText, Model, PaneContent, PaneView, selected_match_lines};
use crate::rows::{Cell, Keep, ListRow};
use crate::text::sanitize;
use crate::theme::StyleRole;
use crate::view::line::of_texts;

pub(crate) static FOUND: PaneView = PaneView {
    title,
    count: |model| model.search.rows.len(),
    content: PaneContent::Cells(|model, index, _| found(model, index)),
    text: |model, row| {
        let row = model.search.rows.get(row)?;
        Some(format!("{} {}: {} {}", row.resource, row.path, row.value, row.place))
    },
    header,
    empty: EmptyText::Repository(empty),
    open: keys::open,
    ..PaneView::LIST
};

pub(crate) static HIT: PaneView = PaneView {
    title: |_| "First and last step".to_owned(),
    content: PaneContent::Text(|model| selected_match_lines(model).into()),
    ..PaneView::TEXT
};

fn found(model: &Model, index: usize) -> Option<ListRow> {
    let row = model.search.rows.get(index)?;
    let end = match row.last {
        Some(last) => (StyleRole::Removed, format!("{:>6}  ", last + 1)),
        None => (StyleRole::Ok, format!("{:>6}  ", "end")),
    };
    let role = if row.last.is_some() { StyleRole::Dim } else { StyleRole::Text };
    let cells = vec![
        Cell::new(role, Keep::Path, &row.resource),
        Cell::new(role, Keep::End, format!("{}:", row.path)),
        Cell::new(role, Keep::Ends, &row.value),
        Cell::right(StyleRole::Place, Keep::Place, &row.place),
    ];
    Some(ListRow::new(vec![(StyleRole::Step, format!("{:>8}", row.first + 1)), end], cells))
}

fn title(model: &Model) -> String {
    let state = &model.search;
    if state.pattern.is_empty() {
        return "Search".to_owned();
    }
    let gone = state.rows.iter().filter(|row| row.last.is_some()).count();
    let gone = if gone > 0 { format!(", {gone} not in the output") } else { String::new() };
    let values = counted(state.rows.len(), "value");
    format!("Search  {}  {values}{gone}", sanitize(&state.pattern))
}

fn header(model: &Model, columns: u16) -> Vec<Line<'static>> {
    vec![of_texts(model, columns.into(), &[(StyleRole::Dim, "   first  last  field")])]
}

fn empty(model: &Model) -> String {
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
