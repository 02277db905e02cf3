//! Checks that all panes show one selection at one step. Tests run the check after every message.

use std::sync::Arc;

use super::layout::{PaneArea, layout};
use super::model::{
    ChangedRow, Compare, Model, Pane, Screen, changed_between, differences, field_history,
    net_changes,
};
use super::text::{TextLine, yaml_lines};
use super::update::header_rows;
use super::view::title;

/// The panes that show another selection or another step than the rest; empty if all agree.
///
/// The expected content is computed from the recording, the draft, the selection and the step, so
/// that outdated state is found.
pub fn disagreements(model: &Model) -> Vec<String> {
    let is_step = model.cursor < model.builds.recording.len().max(1);
    let step = (!is_step).then(|| format!("cursor at step {}", model.cursor + 1));
    let panes = layout(model).panes.into_iter();
    let others = panes.filter(|it| !has_visible_selection(model, it) || !agrees(model, it));
    let others = others.map(|it| format!("{:?}: {}", it.pane, title(model, it.pane)));
    step.into_iter().chain(others).collect()
}

fn has_visible_selection(model: &Model, placed: &PaneArea) -> bool {
    let pane = placed.pane;
    let (list, rows) = (model.list(pane), model.rows(pane));
    let height = usize::from(placed.inner.height).saturating_sub(header_rows(model, pane));
    let is_seen = list.offset <= list.selected && list.selected < list.offset + height;
    list.selected < rows.max(1)
        && list.offset < rows.max(1)
        && (height == 0 || pane.is_text() || rows == 0 || is_seen)
}

fn agrees(model: &Model, placed: &PaneArea) -> bool {
    let (pane, recording) = (placed.pane, &model.builds.recording);
    let selected = model.list(pane).selected;
    let in_time = matches!(model.screen, Screen::Steps | Screen::Diff);
    match pane {
        Pane::Steps => {
            let visible = &model.steps.visible;
            let is_listed = visible.binary_search(&model.cursor).is_ok();
            !is_listed || visible.get(selected) == Some(&model.cursor)
        }
        Pane::Tree => {
            let has_step = |steps: &[usize]| steps.contains(&model.cursor);
            let rows = &model.tree.rows;
            let is_it = |steps: &[usize]| steps.is_empty() || has_step(steps);
            rows.get(selected).is_none_or(|row| is_it(&row.steps))
                || rows.iter().all(|row| !has_step(&row.steps))
        }
        Pane::Effect if model.screen == Screen::Tree => {
            let shown = &model.detail.effect;
            names(&effect(model)) == names(shown) && selects_shown_resource(model, pane, shown)
        }
        Pane::ComponentEffect => selects_shown_resource(model, pane, &model.components.effect),
        Pane::Changed if in_time => {
            let step = format!("Step {} ", model.cursor + 1);
            let changed = &model.diff.changed;
            names(&differences(model)) == names(changed)
                && selects_shown_resource(model, pane, changed)
                && (changed.is_empty()
                    || model.compared() != Compare::Step
                    || title(model, pane).starts_with(&step))
        }
        Pane::Diff if in_time => shows_selected_diff(model, placed),
        Pane::Resource => {
            let fresh =
                model.resources.shown().map(|row| model.look.secrets.masked_node(&row.resource));
            let fresh = fresh.map(|node| yaml_lines(&node)).unwrap_or_default();
            texts(&fresh) == texts(&model.resources.lines)
        }
        Pane::Resources => {
            let state = recording.trace.state_after(model.cursor);
            let fresh = state.iter().map(|(slot, resource)| (*slot, Arc::as_ptr(resource)));
            let list = &model.resources.list;
            let key = model.resources.shown().map(|row| &row.key);
            list.iter().map(|row| (row.slot, Arc::as_ptr(&row.resource))).eq(fresh)
                && key.is_none_or(|key| list.get(selected).is_some_and(|it| it.key == *key))
        }
        Pane::History => {
            let line = model.resources.lines.get(model.list(Pane::Resource).selected);
            let field = line.zip(model.resources.shown()).filter(|(line, _)| !line.path.is_empty());
            let fresh = field.map(|(line, row)| field_history(model, row, &line.path));
            fresh.unwrap_or_default() == model.resources.history
        }
        Pane::Explanation => {
            let problem = model.problem(model.list(Pane::Problems).selected);
            let code = problem.map_or_else(String::new, |problem| problem.code.to_string());
            model.text_in(Pane::Explanation).title == code
        }
        _ => true,
    }
}

fn names(rows: &[ChangedRow]) -> Vec<String> {
    rows.iter().map(|row| format!("{} {} {}", row.sign, row.kind, row.name)).collect()
}

fn texts(lines: &[TextLine]) -> Vec<String> {
    lines.iter().map(TextLine::text).collect()
}

/// The effect of the selected tree row, or of the draft.
fn effect(model: &Model) -> Vec<ChangedRow> {
    let recording = &model.builds.recording;
    if model.detail.is_draft_effect {
        let saved = model.builds.saved.as_ref();
        return saved.map(|saved| changed_between(saved, recording)).unwrap_or_default();
    }
    let row = model.tree.rows.get(model.list(Pane::Tree).selected);
    let steps = row.into_iter().flat_map(|row| &row.steps);
    net_changes(recording, steps.filter_map(|step| recording.step(*step)))
}

/// True if the selected row of a list of resources is the shown resource.
fn selects_shown_resource(model: &Model, pane: Pane, rows: &[ChangedRow]) -> bool {
    let key = rows.get(model.list(pane).selected).and_then(|row| row.key.as_ref());
    key.is_none() || key == model.resources.key.as_ref()
}

/// True if the diff of the selected resource is in view, and compares its present lines.
fn shows_selected_diff(model: &Model, placed: &PaneArea) -> bool {
    let at = model.list(Pane::Changed).selected;
    let Some(row) = model.diff.changed.get(at) else { return true };
    let fresh = row.diff(&model.look.secrets);
    let is_same = model.diff.whole.part(at).is_some_and(|diff| {
        texts(&diff.left) == texts(&fresh.left) && texts(&diff.right) == texts(&fresh.right)
    });
    let (from, rows) = (model.list(Pane::Diff).offset, &model.diff.whole.rows);
    let height = usize::from(placed.inner.height);
    let mut seen = rows.iter().skip(from).take(height);
    is_same && (rows.is_empty() || height == 0 || seen.any(|row| row.part == at))
}
