//! The problems of the target.

pub(crate) mod keys;
pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod view;

use crate::model::{EmptyText, PaneContent, PaneView, titled};

pub(crate) static PROBLEMS: PaneView = PaneView {
    title: view::title,
    count: |model| model.problems.rows.len(),
    content: PaneContent::Cells(|model, index, _| rows::problem(model, index)),
    text: |model, row| {
        model.problem(row).map(|row| format!("{} {} {}", row.code, row.place, row.message))
    },
    empty: EmptyText::Build(|model| Some(format!("{} no problems", model.glyphs().applied))),
    place: keys::place,
    open: keys::open,
    ..PaneView::LIST
};

pub(crate) static EXPLANATION: PaneView = PaneView {
    title: |model| titled("Why", &model.problems.explanation.title),
    content: PaneContent::Text(|model| &model.problems.explanation.lines),
    place: keys::place,
    ..PaneView::TEXT
};
