//! A resource, line by line, with the history of a field.

pub(crate) mod keys;
pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod view;

use crate::model::{EmptyText, Pane, PaneContent, PaneView};
use crate::screens::steps;
use crate::text::TextLine;
use crate::update::selection;

pub(crate) static RESOURCE: PaneView = PaneView {
    title: view::title,
    count: |model| model.resources.lines.len(),
    content: PaneContent::Drawn(view::row),
    text: |model, row| model.resources.lines.get(row).map(TextLine::text),
    empty: EmptyText::Build(|model| Some(view::empty(model))),
    place: keys::place,
    ..PaneView::LIST
};

pub(crate) static RESOURCES: PaneView = PaneView {
    title: view::resources_title,
    count: |model| model.resources.list.len(),
    content: PaneContent::Cells(|model, index, _| rows::resource(model, index)),
    text: |model, row| {
        model.resources.list.get(row).map(|row| format!("{} {}", row.kind, row.name))
    },
    empty: EmptyText::Build(|model| Some(view::missing_resource_text(model))),
    place: steps::keys::place,
    open: |model| selection::focus(model, Pane::Resource),
    ..PaneView::LIST
};

pub(crate) static HISTORY: PaneView = PaneView {
    title: |model| {
        let path = model.path_under_cursor();
        path.map_or_else(|| "History".to_owned(), |path| format!("History  {path}"))
    },
    count: |model| model.resources.history.len(),
    content: PaneContent::Cells(rows::write),
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
    place: keys::place,
    open: keys::open_write,
    ..PaneView::LIST
};
