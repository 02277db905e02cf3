//! The steps of the build.

pub(crate) mod keys;
pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod view;

use crate::model::{EmptyText, Pane, PaneContent, PaneView, step_label};
use crate::update::selection;

pub(crate) static STEPS: PaneView = PaneView {
    title: view::title,
    count: |model| model.steps.visible.len(),
    content: PaneContent::Cells(rows::row),
    text: |model, row| {
        let step = *model.steps.visible.get(row)?;
        let recording = &model.builds.recording;
        let words = recording.words(step).map_or("", |words| &words.word);
        let label = step_label(recording, step);
        Some(format!("{} {words} {label}", recording.place_of_step(step)))
    },
    names: Some(rows::header),
    empty: EmptyText::Build(|_| Some("no steps".to_owned())),
    place: keys::place,
    open: |model| selection::focus(model, Pane::Changed),
    ..PaneView::LIST
};
