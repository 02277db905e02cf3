//! Order and combinations: results of experiments.

pub(crate) mod derive;
pub(crate) mod keys;
pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod view;

use crate::model::{EmptyText, Pane, PaneContent, PaneView};
use crate::update::selection;

pub(crate) static PAIRS: PaneView = PaneView {
    title: view::pairs_title,
    count: |model| model.varied.pairs.len(),
    content: PaneContent::Cells(|model, index, _| rows::pair(model, index)),
    text: |model, row| {
        let pair = model.pair(row)?;
        let (first, second) = (&pair.first.text, &pair.second.text);
        Some(format!("{} {} {first} {second}", pair.file, pair.field))
    },
    empty: EmptyText::Build(|model| Some(view::empty_pairs_text(model))),
    place: keys::place,
    open: |model| selection::focus(model, Pane::Varied),
    ..PaneView::LIST
};

pub(crate) static CASES: PaneView = PaneView {
    title: view::cases_title,
    count: |model| model.varied.cases.len(),
    content: PaneContent::Cells(rows::case),
    text: crate::model::Model::case_search_text,
    header: view::combinations_header,
    empty: EmptyText::Build(|model| Some(view::empty_cases_text(model))),
    place: keys::place,
    open: |model| selection::focus(model, Pane::Varied),
    ..PaneView::LIST
};

pub(crate) static VARIED: PaneView = PaneView {
    title: |_| "Result".to_owned(),
    content: PaneContent::Details(|model| (&model.varied.detail).into()),
    place: keys::place,
    ..PaneView::TEXT
};
