//! A resource, line by line, with the history of a field.

pub(crate) mod state;
pub(crate) mod view;

use std::path::PathBuf;

use crate::model::{EmptyText, Model, Pane, PaneContent, PaneView};
use crate::rows::{Cell, Keep, ListRow};
use crate::screens::steps;
use crate::text::TextLine;
use crate::theme::StyleRole;
use crate::update::{selection, time};

pub(crate) static RESOURCE: PaneView = PaneView {
    title: view::title,
    count: |model| model.resources.lines.len(),
    content: PaneContent::Drawn(view::row),
    text: |model, row| model.resources.lines.get(row).map(TextLine::text),
    empty: EmptyText::Build(|model| Some(view::empty(model))),
    place,
    ..PaneView::LIST
};

pub(crate) static RESOURCES: PaneView = PaneView {
    title: view::resources_title,
    count: |model| model.resources.list.len(),
    content: PaneContent::Cells(|model, index, _| resource(model, index)),
    text: |model, row| {
        model.resources.list.get(row).map(|row| format!("{} {}", row.kind, row.name))
    },
    empty: EmptyText::Build(|model| Some(view::missing_resource_text(model))),
    place: steps::place,
    open: |model| selection::focus(model, Pane::Resource),
    ..PaneView::LIST
};

pub(crate) static HISTORY: PaneView = PaneView {
    title: |model| {
        let path = model.path_under_cursor();
        path.map_or_else(|| "History".to_owned(), |path| format!("History  {path}"))
    },
    count: |model| model.resources.history.len(),
    content: PaneContent::Cells(write),
    text: |model, row| {
        let row = model.resources.history.get(row)?;
        Some(format!("{} {} {}", row.label, row.written(), row.place))
    },
    empty: EmptyText::Build(|model| {
        let words = match model.resources.shown() {
            Some(_) => "no step changed this field",
            None => "no history: the resource is not present at this step",
        };
        Some(words.to_owned())
    }),
    place,
    open: open_write,
    ..PaneView::LIST
};

fn resource(model: &Model, index: usize) -> Option<ListRow> {
    let row = model.resources.list.get(index)?;
    let cells = vec![
        Cell::new(StyleRole::Dim, Keep::Ends, &row.kind),
        Cell::new(StyleRole::Text, Keep::Path, model.resources.short_name(row)),
    ];
    Some(ListRow::new(vec![(StyleRole::Text, " ".to_owned())], cells))
}

/// The columns from which a row of the history contains the step and the earlier value.
const LABEL_COLUMNS: usize = 60;

fn write(model: &Model, index: usize, columns: usize) -> Option<ListRow> {
    let row = model.resources.history.get(index)?;
    let role = if row.step > model.cursor { StyleRole::Dim } else { StyleRole::Text };
    let value = row.written();
    let lead = vec![(StyleRole::Step, format!("{:>4} ", row.step + 1))];
    let place = Cell::right(StyleRole::Place, Keep::Place, &row.place);
    if columns < LABEL_COLUMNS {
        return Some(ListRow::new(lead, vec![Cell::new(role, Keep::Ends, value), place]));
    }
    let value = match &row.before {
        Some(before) if !row.is_equal => format!("{before} {} {value}", model.glyphs().arrow),
        _ => value.to_owned(),
    };
    let label = Cell::new(role, Keep::Begin, &row.label);
    Some(ListRow::new(lead, vec![label, Cell::new(role, Keep::Ends, value), place]))
}

fn place(model: &Model) -> Option<(PathBuf, u32)> {
    let mark = model.resources.lines.get(model.list(Pane::Resource).selected)?.mark;
    Some((PathBuf::from(model.builds.recording.file(mark)?), mark.line))
}

fn open_write(model: &mut Model) {
    let row = model.resources.history.get(model.list(Pane::History).selected);
    if let Some(step) = row.map(|row| row.step) {
        time::jump_to(model, step);
    }
}
