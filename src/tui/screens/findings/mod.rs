//! The problems of all targets.

pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod view;

use crate::model::{EmptyText, Model, Pane, PaneContent, PaneView};
use crate::update::selection;

pub(crate) static FINDINGS: PaneView = PaneView {
    title: view::title,
    count: |model| model.board.findings.rows.len(),
    content: PaneContent::Cells(|model, index, _| rows::finding(model, index)),
    text: |model, row| {
        let found = model.finding(row)?;
        Some(format!("{} {} {}", found.code, model.board.place_of(found), found.message))
    },
    empty: EmptyText::Repository(view::empty),
    place: Model::finding_location,
    open: |model| selection::focus(model, Pane::FindingDetail),
    ..PaneView::LIST
};

pub(crate) static FINDING_DETAIL: PaneView = PaneView {
    title: |_| "The selected problem".to_owned(),
    content: PaneContent::Details(|model| model.finding_lines().into()),
    place: Model::finding_location,
    ..PaneView::TEXT
};
