//! Checks that all panes show one selection at one step. Tests run the check after every message.

use std::sync::Arc;

use super::layout::{ScreenLayout, layout};
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
    if placed.pane(Pane::History).is_some() {
        history(model, &mut check);
    }
    if placed.pane(Pane::Explanation).is_some() {
        let problem = model.problem(model.list(Pane::Problems).selected);
        let code = problem.map_or_else(String::new, |problem| problem.code.to_string());
        let shown = &model.problems.explanation.title;
        check(*shown == code, &|| format!("selected {code}, explained {shown}"));
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

/// Checks that list and diff belong to the step, or to the draft, and show the same resource.
fn diff(model: &Model, placed: &ScreenLayout, check: &mut Check<'_>) {
    let wanted = differences(model);
    let shown = names(&model.diff.changed);
    check(names(&wanted) == shown, &|| format!("changed: {:?}, listed: {shown:?}", names(&wanted)));
    check_selected_resource(model, Pane::Changed, &model.diff.changed, check);
    let at = model.list(Pane::Changed).selected;
    let Some(row) = wanted.get(at) else { return };
    let fresh = row.diff(&model.look.secrets);
    let texts = |lines: &[TextLine]| lines.iter().map(TextLine::text).collect::<Vec<_>>();
    let whole = model.diff.whole.part(at);
    let same = whole.is_some_and(|diff| {
        texts(&diff.left) == texts(&fresh.left) && texts(&diff.right) == texts(&fresh.right)
    });
    check(same, &|| format!("wrong diff of {}", row.name));
    let heading = title(model, Pane::Diff);
    check(heading.contains(&*row.name), &|| {
        format!("title of the diff of {}: {heading}", row.name)
    });
    if let Some(pane) = placed.pane(Pane::Diff) {
        let (from, rows) = (model.list(Pane::Diff).offset, &model.diff.whole.rows);
        let mut seen = rows.iter().skip(from).take(pane.inner.height.into());
        let is_seen = rows.is_empty() || pane.inner.height == 0 || seen.any(|row| row.part == at);
        check(is_seen, &|| format!("the diff of {} is out of view", row.name));
    }
    if model.compared() == Compare::Step && placed.pane(Pane::Changed).is_some() {
        let (heading, step) = (title(model, Pane::Changed), format!("Step {} ", model.cursor + 1));
        check(heading.starts_with(&step), &|| format!("title of the changes of {step}: {heading}"));
    }
}

/// Checks that the shown resource is the selected one at this step, and that its title matches.
fn resource(model: &Model, check: &mut Check<'_>) {
    let recording = &model.builds.recording;
    let state = recording.trace.state_after(model.cursor);
    let listed = model.resources.list.iter().map(|row| (row.slot, Arc::as_ptr(&row.resource)));
    let fresh = state.iter().map(|(slot, resource)| (*slot, Arc::as_ptr(resource)));
    check(listed.eq(fresh), &|| format!("not the resources after step {}", model.cursor + 1));
    let heading = title(model, Pane::Resource);
    let Some(row) = model.resources.shown() else {
        check(model.resources.lines.is_empty(), &|| format!("{heading}, but the pane has lines"));
        return;
    };
    let selected = model.list(Pane::Resources).selected;
    let is_it = model.resources.list.get(selected).is_some_and(|it| it.key == row.key);
    check(is_it, &|| {
        format!("{heading}: row {} of the resources is a different one", selected + 1)
    });
    let fresh = yaml_lines(&model.look.secrets.masked_node(&row.resource));
    let fresh = fresh.iter().map(TextLine::text);
    let lines = model.resources.lines.iter().map(TextLine::text);
    check(fresh.eq(lines), &|| format!("{heading}: lines of a different resource"));
    let at = model.cursor + 1;
    let ends = at > recording.last_effective_step() && recording.error.is_none();
    let time = if ends { "final state".to_owned() } else { format!("after step {at}") };
    check(heading == format!("{} {}  {time}", row.kind, row.name), &|| {
        format!("title of {} {} {time}: {heading}", row.kind, row.name)
    });
}

/// Checks that the history is that of the field under the cursor.
fn history(model: &Model, check: &mut Check<'_>) {
    let line = model.resources.lines.get(model.list(Pane::Resource).selected);
    let field = line.zip(model.resources.shown()).filter(|(line, _)| !line.path.is_empty());
    let fresh = field.map(|(line, row)| field_history(model, row, &line.path));
    check(fresh.unwrap_or_default() == model.resources.history, &|| {
        format!("{}: history of a different field", title(model, Pane::History))
    });
}
