//! Checks that all panes show one selection at one step. Tests run the check after every message.

use std::sync::Arc;

use super::layout::{ScreenLayout, layout};
use super::model::{ChangedRow, Model, Pane, Screen, changed_between, differences, net_changes};
use super::text::yaml_lines;
use super::update::header_rows;

/// The panes that show another selection or another step than the rest; empty if all agree.
///
/// The expected content is computed from the recording, the draft, the selection and the step, so
/// that outdated state is found.
pub fn disagreements(model: &Model) -> Vec<String> {
    let mut found = Vec::new();
    let placed = layout(model);
    let mut check = |is_so: bool, words: &dyn Fn() -> String| {
        if !is_so {
            found.push(words());
        }
    };
    let steps = model.builds.recording.len();
    check(model.cursor < steps.max(1), &|| {
        format!("cursor at step {} of {steps}", model.cursor + 1)
    });
    check_selections(model, &placed, &mut check);
    if placed.pane(Pane::Steps).is_some() {
        check_listed_steps(model, &mut check);
    }
    if placed.pane(Pane::Tree).is_some() {
        tree(model, &mut check);
    }
    if placed.pane(Pane::Effect).is_some() && model.screen == Screen::Tree {
        effect(model, &mut check);
    }
    if matches!(model.screen, Screen::Steps | Screen::Diff) {
        diff(model, &placed, &mut check);
    }
    if placed.pane(Pane::ComponentEffect).is_some() {
        check_selected_resource(model, Pane::ComponentEffect, &model.components.effect, &mut check);
    }
    if [Pane::Resource, Pane::Resources].iter().any(|pane| placed.pane(*pane).is_some()) {
        resource(model, &mut check);
    }
    found
}

type Check<'c> = dyn FnMut(bool, &dyn Fn() -> String) + 'c;

/// Checks that every selection is an existing, visible row.
fn check_selections(model: &Model, placed: &ScreenLayout, check: &mut Check<'_>) {
    for pane in &placed.panes {
        let (list, rows) = (model.list(pane.pane), model.rows(pane.pane));
        let height = usize::from(pane.inner.height);
        let height = height.saturating_sub(header_rows(model, pane.pane));
        let what = || format!("{:?}: {list:?} of {rows} rows in {height}", pane.pane);
        check(list.selected < rows.max(1) && list.offset < rows.max(1), &what);
        let is_seen = list.offset <= list.selected && list.selected < list.offset + height;
        check(height == 0 || pane.pane.is_text() || rows == 0 || is_seen, &what);
    }
}

/// Checks that the selected row is the current step, if the step is listed.
fn check_listed_steps(model: &Model, check: &mut Check<'_>) {
    let selected = model.steps.visible.get(model.list(Pane::Steps).selected);
    let is_listed = model.steps.visible.binary_search(&model.cursor).is_ok();
    check(!is_listed || selected == Some(&model.cursor), &|| {
        format!("cursor at step {}, selected {selected:?}", model.cursor + 1)
    });
}

/// Checks that the selected row contains the current step, unless no visible row contains it.
fn tree(model: &Model, check: &mut Check<'_>) {
    let Some(row) = model.tree.rows.get(model.list(Pane::Tree).selected) else { return };
    let has = |steps: &[usize]| steps.contains(&model.cursor);
    let nobody = model.tree.rows.iter().all(|row| !has(&row.steps));
    check(row.steps.is_empty() || has(&row.steps) || nobody, &|| {
        format!("tree at {}, cursor at step {}", row.label, model.cursor + 1)
    });
}

fn names(rows: &[ChangedRow]) -> Vec<String> {
    rows.iter().map(|row| format!("{} {} {}", row.sign, row.kind, row.name)).collect()
}

/// Checks that the effect next to the tree is that of the selected row.
fn effect(model: &Model, check: &mut Check<'_>) {
    let Some(row) = model.tree.rows.get(model.list(Pane::Tree).selected) else { return };
    let recording = &model.builds.recording;
    let wanted = if model.detail.is_draft_effect {
        let saved = model.builds.saved.as_ref();
        saved.map(|saved| changed_between(saved, recording)).unwrap_or_default()
    } else {
        net_changes(recording, row.steps.iter().filter_map(|step| recording.step(*step)))
    };
    let (wanted, shown) = (names(&wanted), names(&model.detail.effect));
    check(wanted == shown, &|| format!("effect of {}: {wanted:?}, shown: {shown:?}", row.label));
    check_selected_resource(model, Pane::Effect, &model.detail.effect, check);
}

/// Checks that the selected row of a list of resources is the shown resource.
fn check_selected_resource(model: &Model, pane: Pane, rows: &[ChangedRow], check: &mut Check<'_>) {
    let Some(key) = rows.get(model.list(pane).selected).and_then(|row| row.key.as_ref()) else {
        return;
    };
    let shown = &model.resources.key;
    check(shown.as_ref() == Some(key), &|| {
        format!("selected in {pane:?}: {} {}, shown: {shown:?}", key.kind, key.name)
    });
}

/// Checks that the listed changes are those of the step, or of the draft, and the diff is in view.
fn diff(model: &Model, placed: &ScreenLayout, check: &mut Check<'_>) {
    let wanted = differences(model);
    let shown = names(&model.diff.changed);
    check(names(&wanted) == shown, &|| format!("changed: {:?}, listed: {shown:?}", names(&wanted)));
    check_selected_resource(model, Pane::Changed, &model.diff.changed, check);
    let at = model.list(Pane::Changed).selected;
    if let Some(pane) = placed.pane(Pane::Diff).filter(|_| at < wanted.len()) {
        let (from, rows) = (model.list(Pane::Diff).offset, &model.diff.whole.rows);
        let mut seen = rows.iter().skip(from).take(pane.inner.height.into());
        let is_seen = rows.is_empty() || pane.inner.height == 0 || seen.any(|row| row.part == at);
        check(is_seen, &|| format!("the diff of {} is out of view", wanted[at].name));
    }
}

/// Checks that the shown resource is the selected one at this step.
fn resource(model: &Model, check: &mut Check<'_>) {
    let recording = &model.builds.recording;
    let state = recording.trace.state_after(model.cursor);
    let listed = model.resources.list.iter().map(|row| (row.slot, Arc::as_ptr(&row.resource)));
    let fresh = state.iter().map(|(slot, resource)| (*slot, Arc::as_ptr(resource)));
    check(listed.eq(fresh), &|| format!("not the resources after step {}", model.cursor + 1));
    let Some(row) = model.resources.shown() else {
        check(model.resources.lines.is_empty(), &|| "lines of no resource".to_owned());
        return;
    };
    let selected = model.list(Pane::Resources).selected;
    let is_it = model.resources.list.get(selected).is_some_and(|it| it.key == row.key);
    check(is_it, &|| {
        format!("{}: row {} of the resources is a different one", row.name, selected + 1)
    });
    let fresh = yaml_lines(&model.look.secrets.masked_node(&row.resource));
    check(fresh.len() == model.resources.lines.len(), &|| {
        format!("{}: lines of a different resource", row.name)
    });
}
