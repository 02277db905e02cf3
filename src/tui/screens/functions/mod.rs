//! The functions of the build.

pub(crate) mod keys;
pub(crate) mod state;
pub(crate) mod view;

use crate::model::{EmptyText, Pane, PaneContent, PaneView, titled};

pub(crate) static FUNCTIONS: PaneView = PaneView {
    title: view::title,
    count: |model| model.functions.rows.len(),
    content: PaneContent::Drawn(view::row),
    text: |model, row| {
        let row = model.functions.rows.get(row)?;
        Some(format!("{} {} {}", row.name, row.runtime, row.program))
    },
    header: view::header,
    empty: EmptyText::Build(|_| Some("no function in this build runs a program".to_owned())),
    place: keys::place,
    open: keys::open_function,
    ..PaneView::LIST
};

pub(crate) static RESULTS: PaneView = PaneView {
    title: |_| "Results".to_owned(),
    count: |model| model.functions.results.len(),
    content: PaneContent::Drawn(view::result_row),
    text: |model, row| {
        let row = model.functions.results.get(row)?;
        Some(format!("{} {} {}", row.resource, row.field, row.text))
    },
    empty: EmptyText::Build(|model| {
        let row = model.functions.rows.get(model.list(Pane::Functions).selected)?;
        let is_pending = row.waits_for.is_some();
        Some(if is_pending { "not run (enter: requirements)" } else { "no results" }.to_owned())
    }),
    place: keys::place,
    open: keys::open_function,
    ..PaneView::LIST
};

pub(crate) static INVOCATION: PaneView = PaneView {
    title: |model| titled("Invocation", &model.functions.invocation.title),
    content: PaneContent::Text(|model| &model.functions.invocation.lines),
    place: keys::place,
    ..PaneView::TEXT
};
