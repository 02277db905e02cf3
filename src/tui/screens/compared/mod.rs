//! Two sides, compared.

pub(crate) mod derive;
pub(crate) mod keys;
pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod view;

use crate::model::{EmptyText, Pane, PaneContent, PaneView};
use crate::update::selection;

pub(crate) static DIFFERENCES: PaneView = PaneView {
    title: view::title,
    count: |model| model.compared.rows.len(),
    content: PaneContent::Cells(|model, index, _| rows::difference(model, index)),
    text: |model, row| {
        model.compared.rows.get(row).map(|row| format!("{} {}", row.label, row.detail))
    },
    empty: EmptyText::Repository(view::empty),
    open: |model| selection::focus(model, Pane::Hunk),
    ..PaneView::LIST
};

pub(crate) static HUNK: PaneView = PaneView {
    title: |model| match model.compared.hunk_title.as_str() {
        "" => "Edit".to_owned(),
        title => title.to_owned(),
    },
    content: PaneContent::Details(|model| (&model.compared.hunk).into()),
    ..PaneView::TEXT
};
