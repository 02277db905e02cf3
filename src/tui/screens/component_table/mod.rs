//! The components of all overlays, as a table.

pub(crate) mod derive;
pub(crate) mod keys;
pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod view;

use crate::model::{EmptyText, Model, Pane, PaneContent, PaneView};
use crate::text::sanitize;
use crate::update::selection;

pub(crate) static COMPONENT_TABLE: PaneView = PaneView {
    title: view::title,
    count: |model| model.table.table().map_or(0, |table| table.overlays.len()),
    content: PaneContent::Drawn(view::row),
    text: |model, row| model.overlay_row(row).map(|row| row.overlay.clone()),
    header: view::header,
    empty: EmptyText::Repository(view::empty),
    place: Model::cell_location,
    open: |model| selection::focus(model, Pane::TableComponents),
    ..PaneView::LIST
};

pub(crate) static TABLE_COMPONENTS: PaneView = PaneView {
    title: |model| match model.selected_overlay() {
        Some(row) => format!("Components of {}", sanitize(&row.overlay)),
        None => "Components".to_owned(),
    },
    count: |model| model.selected_overlay().map_or(0, |overlay| overlay.components.len()),
    content: PaneContent::Cells(|model, index, _| rows::component(model, index)),
    text: |model, row| model.overlay_cell(row).map(|cell| cell.component.clone()),
    place: Model::cell_location,
    ..PaneView::LIST
};

pub(crate) static TABLE_DETAIL: PaneView = PaneView {
    title: |_| "The selected component".to_owned(),
    content: PaneContent::Details(|model| (&model.table.detail).into()),
    place: Model::cell_location,
    ..PaneView::TEXT
};
