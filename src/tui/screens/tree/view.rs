//! The text of the selected row's file, and the diffs of the resources that the row changes.

use ratatui::text::Line;

use crate::model::{Model, Pane, StepState, first_pending_reason};
use crate::theme::StyleRole;
use crate::view::dialog::folded_diff_line;
use crate::view::line::LineBuilder;

pub(crate) fn preview(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(text) = model.detail.preview.lines.get(index) else { return line.finish() };
    let here = model.detail.preview.at == Some(index);
    let mark = if here { model.glyphs().cursor } else { " " };
    line.put(StyleRole::Focus, mark);
    let role = if here { StyleRole::Step } else { StyleRole::Dim };
    line.push_right_aligned(role, &(index + 1).to_string(), 4);
    line.put(StyleRole::Text, "  ").text_line(text);
    line.finish()
}

pub(crate) fn effect_diffs(model: &Model, columns: usize) -> impl Iterator<Item = Line<'static>> {
    model.detail.diffs.iter().flat_map(move |(diff, rows)| {
        let lines = rows.iter().flat_map(move |row| folded_diff_line(model, diff, *row, columns));
        std::iter::once(Line::default()).chain(lines)
    })
}

pub(crate) fn empty_effect(model: &Model) -> &'static str {
    let recording = &model.builds.recording;
    let both = [model.builds.saved.as_deref().unwrap_or(recording), recording];
    if recording.error.is_some() {
        "not known: build failed (gp: why)"
    } else if is_pending(model) {
        "not known: a step is pending (gp: why)"
    } else if !model.has_draft() {
        "no change"
    } else if first_pending_reason(both).is_some() {
        "no change; effect of the draft not known (gp: why)"
    } else {
        "no change, and no change by the draft"
    }
}

fn is_pending(model: &Model) -> bool {
    let row = model.tree.rows.get(model.list(Pane::Tree).selected);
    let steps = row.map(|row| row.steps.as_slice()).unwrap_or_default();
    let steps = steps.iter().filter_map(|step| model.builds.recording.step(*step));
    steps.map(StepState::from_step).any(|it| matches!(it, StepState::Waiting | StepState::Unknown))
}
