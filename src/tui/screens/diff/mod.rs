//! The changes of a step or of the draft.

pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod view;

use crate::model::{ChangedRow, EmptyText, Pane, PaneContent, PaneView, Screen};
use crate::screens::steps;
use crate::update::{selection, shown_step_notes};
use crate::view::line;

pub(crate) static CHANGED: PaneView = PaneView {
    title: view::changed_title,
    count: |model| model.diff.changed.len(),
    content: PaneContent::Cells(|model, index, _| {
        rows::resource(model, &model.diff.changed, index)
    }),
    text: |model, row| model.diff.changed.get(row).map(ChangedRow::text),
    header: |model, columns| {
        let lines = shown_step_notes(model).into_iter();
        lines.map(|line| line::of_pieces(model, &line, columns.into())).collect()
    },
    empty: EmptyText::Build(|model| Some(steps::unchanged_step_text(model))),
    place: steps::place,
    open: |model| match model.screen {
        Screen::Diff => selection::focus(model, Pane::Diff),
        _ => selection::show_screen(model, Screen::Diff),
    },
    ..PaneView::LIST
};

pub(crate) static DIFF: PaneView = PaneView {
    title: view::title,
    count: |model| model.diff.whole.rows.len(),
    content: PaneContent::Drawn(view::row),
    text: rows::diff_text,
    place: steps::place,
    open: |model| selection::show_screen(model, Screen::Diff),
    ..PaneView::TEXT
};
