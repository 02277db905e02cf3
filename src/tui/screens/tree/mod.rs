//! The entries of the build.

pub(crate) mod keys;
pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod view;

use crate::model::{ChangedRow, EmptyText, PaneContent, PaneView, titled};
use crate::screens::diff;
use crate::text::TextLine;

pub(crate) static TREE: PaneView = PaneView {
    title: |_| "Tree".to_owned(),
    count: |model| model.tree.rows.len(),
    content: PaneContent::Cells(|model, index, _| rows::row(model, index)),
    text: |model, row| model.tree.rows.get(row).map(|row| format!("{} {}", row.label, row.detail)),
    empty: EmptyText::Build(|_| Some("no kustomization file here".to_owned())),
    place: keys::place,
    open: keys::open_row,
    ..PaneView::LIST
};

pub(crate) static PREVIEW: PaneView = PaneView {
    title: |model| titled("Preview", &model.detail.preview.title),
    count: |model| model.detail.preview.lines.len(),
    content: PaneContent::Drawn(view::preview),
    text: |model, row| model.detail.preview.lines.get(row).map(TextLine::text),
    empty: EmptyText::Build(|_| {
        Some("no file: this row is a heading or a step of every build".to_owned())
    }),
    place: keys::place,
    ..PaneView::TEXT
};

pub(crate) static EFFECT: PaneView = PaneView {
    title: |model| {
        let of = if model.detail.is_draft_effect { "the draft on the output" } else { "this row" };
        format!("Effect of {of}")
    },
    count: |model| model.detail.effect.len(),
    content: PaneContent::Cells(|model, index, _| {
        diff::rows::resource(model, &model.detail.effect, index)
    }),
    text: |model, row| model.detail.effect.get(row).map(ChangedRow::text),
    empty: EmptyText::Build(|model| Some(view::empty_effect(model).to_owned())),
    place: keys::place,
    open: keys::open_effect,
    ..PaneView::LIST
};
