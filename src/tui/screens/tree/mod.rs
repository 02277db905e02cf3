//! The entries of the build.

pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod view;

use std::path::PathBuf;

use crate::model::{
    ChangedRow, EmptyText, Model, Pane, PaneContent, PaneView, TreeSubject, titled,
};
use crate::screens::diff;
use crate::text::TextLine;
use crate::update::selection::{focus, select, show_resource};
use crate::update::time;

pub(crate) static TREE: PaneView = PaneView {
    title: |_| "Tree".to_owned(),
    count: |model| model.tree.rows.len(),
    content: PaneContent::Cells(|model, index, _| rows::row(model, index)),
    text: |model, row| model.tree.rows.get(row).map(|row| format!("{} {}", row.label, row.detail)),
    empty: EmptyText::Build(|_| Some("no kustomization file here".to_owned())),
    place,
    open: open_row,
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
    place,
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
    place,
    open: open_effect,
    ..PaneView::LIST
};

fn place(model: &Model) -> Option<(PathBuf, u32)> {
    let row = model.tree.rows.get(model.list(Pane::Tree).selected)?;
    match &row.subject {
        TreeSubject::Layer { file } => Some((file.clone(), 1)),
        TreeSubject::Field { file, line } | TreeSubject::Scalar { file, line, .. } => {
            Some((file.clone(), *line))
        }
        TreeSubject::Entry { entry, line, names } => match names {
            Some(path) if model.opened.sources.keys().all(|file| file.parent() != Some(path)) => {
                Some((path.clone(), 1))
            }
            _ => Some((entry.file.clone(), *line)),
        },
        TreeSubject::Unlisted { path, .. } => Some((path.join("kustomization.yaml"), 1)),
        TreeSubject::Step => {
            let step = model.builds.recording.step(*row.steps.first()?)?;
            Some((PathBuf::from(model.builds.recording.file(step.mark)?), step.mark.line))
        }
        TreeSubject::Heading => None,
    }
}

fn open_row(model: &mut Model) {
    let Some(row) = model.tree.rows.get(model.list(Pane::Tree).selected).cloned() else { return };
    if row.has_children && row.open {
        // As in other trees, only `h` closes a row.
        select(model, Pane::Tree, model.list(Pane::Tree).selected + 1);
    } else if row.has_children {
        model.tree.toggle(&row);
        model.derived.invalidate(&[Pane::Tree]);
    } else if let Some(step) = time::last_step_in_row(model, model.list(Pane::Tree).selected) {
        time::show_step(model, step);
    } else if let TreeSubject::Entry { .. } | TreeSubject::Unlisted { .. } = row.subject {
        focus(model, Pane::Preview);
    }
}

fn open_effect(model: &mut Model) {
    let row = model.detail.effect.get(model.list(Pane::Effect).selected);
    if let Some(key) = row.and_then(|row| row.key.clone()) {
        show_resource(model, key);
    }
}
