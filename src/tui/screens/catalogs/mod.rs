//! The catalogs of functions, and trust.

pub(crate) mod keys;
pub(crate) mod state;
pub(crate) mod view;

use crate::model::{EmptyText, Pane, PaneContent, PaneView, TextAbout, titled};
use crate::update::selection;

pub(crate) static CATALOGS: PaneView = PaneView {
    title: |_| "Catalogs".to_owned(),
    count: |model| model.catalogs.rows.len(),
    content: PaneContent::Cells(|model, index, _| view::row(model, index)),
    text: |model, row| {
        let row = model.catalogs.rows.get(row)?;
        Some(format!("{} {} {}", row.label, row.detail, row.standing.word()))
    },
    empty: EmptyText::Build(|_| {
        Some("no catalogs (`catalogs:`) in this build; `:catalog REF` shows one".to_owned())
    }),
    place: keys::place,
    open: |model| selection::focus(model, Pane::Review),
    ..PaneView::LIST
};

pub(crate) static REVIEW: PaneView = PaneView {
    title: |model| titled("Review", &model.text_in(Pane::Review).title),
    content: PaneContent::About(TextAbout {
        list: |_| Pane::Catalogs,
        edition: |model| (model.builds.generation, 0),
        make: state::catalog_detail,
    }),
    place: keys::place,
    ..PaneView::TEXT
};
