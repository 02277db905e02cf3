//! The entries of a Composition.

pub(crate) mod derive;
pub(crate) mod keys;
pub(crate) mod state;
pub(crate) mod view;

use crate::model::{EmptyText, Pane, PaneContent, PaneView, titled};
use crate::update::selection;

pub(crate) static PIPELINE: PaneView = PaneView {
    title: view::title,
    count: |model| model.composition.rows.len(),
    content: PaneContent::Drawn(view::row),
    text: |model, row| {
        let row = model.composition.rows.get(row)?;
        Some(format!("{} {} {}", row.name, row.object, row.from))
    },
    header: view::header,
    empty: EmptyText::Build(|model| Some(view::empty_pipeline_text(model))),
    place: keys::place,
    open: |model| selection::focus(model, Pane::Entry),
    ..PaneView::LIST
};

pub(crate) static IMPORTS: PaneView = PaneView {
    title: |_| "Imports".to_owned(),
    content: PaneContent::Text(|model| &model.composition.imports),
    place: keys::place,
    ..PaneView::TEXT
};

pub(crate) static ENTRY: PaneView = PaneView {
    title: |model| titled("Entry", &model.composition.entry.title),
    content: PaneContent::Text(|model| &model.composition.entry.lines),
    place: keys::place,
    ..PaneView::TEXT
};
