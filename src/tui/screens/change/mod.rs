//! The edits of the draft, with their effect.

pub(crate) mod keys;
pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod view;

use crate::model::{EmptyText, Pane, PaneContent, PaneView};
use crate::text::sanitize;
use crate::update::selection;

pub(crate) static EDITS: PaneView = PaneView {
    title: |model| match model.edits.name.as_deref() {
        Some(name) => format!("Edits of the draft {}", sanitize(name)),
        None => "Edits of the draft".to_owned(),
    },
    count: |model| model.edits.list.len(),
    content: PaneContent::Cells(|model, index, _| rows::edit(model, index)),
    text: |model, row| model.edits.list.get(row).map(|edit| edit.words.clone()),
    empty: EmptyText::Repository(|_| {
        "no edits: space in a target's tree switches an entry off or on".to_owned()
    }),
    place: keys::place,
    open: |model| selection::focus(model, Pane::EditDiff),
    ..PaneView::LIST
};

pub(crate) static EDIT_EFFECT: PaneView = PaneView {
    title: |_| "Effect of the selected edit".to_owned(),
    content: PaneContent::Effects(|model| model.edit_effect_lines().into()),
    place: keys::place,
    ..PaneView::TEXT
};

pub(crate) static EDIT_DIFF: PaneView = PaneView {
    title: |_| "Diff of the selected edit".to_owned(),
    count: |model| model.edits.shown.len(),
    content: PaneContent::Drawn(view::diff_row),
    text: |model, row| match model.edits.shown.row(row)? {
        Ok((diff, row)) => diff.shown(row, usize::MAX).map(|shown| shown.text.text()),
        Err(name) => Some(name.to_owned()),
    },
    place: keys::place,
    ..PaneView::TEXT
};
