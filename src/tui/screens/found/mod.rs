//! The results of a search in all fields.

pub(crate) mod derive;
pub(crate) mod keys;
pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod view;

use crate::model::{EmptyText, PaneContent, PaneView, selected_match_lines};

pub(crate) static FOUND: PaneView = PaneView {
    title: view::title,
    count: |model| model.search.rows.len(),
    content: PaneContent::Cells(|model, index, _| rows::found(model, index)),
    text: |model, row| {
        let row = model.search.rows.get(row)?;
        Some(format!("{} {}: {} {}", row.resource, row.path, row.value, row.place))
    },
    header: view::header,
    empty: EmptyText::Repository(view::empty),
    open: keys::open,
    ..PaneView::LIST
};

pub(crate) static HIT: PaneView = PaneView {
    title: |_| "First and last step".to_owned(),
    content: PaneContent::Details(|model| selected_match_lines(model).into()),
    ..PaneView::TEXT
};
