//! Explains the selected problem, edit, component, resource or step.

use super::super::keymap::Command;
use super::super::model::{
    ComponentRow, ComponentStatus, Model, Overlay, Pane, Problem, Screen, TreeRow, WhyPane,
    component_changes, component_detail, shown_edit_words, step_label, trial_row,
};
use super::super::rows::change_sign;
use super::super::text::{TextLine, sanitize};
use super::super::theme::StyleRole;
use super::derive::problem_lines;
use super::note;
use crate::answers::failure_words;
use crate::answers::recording::field::WrittenPath;
use crate::engine::evaluate::StepOutcome;
use crate::engine::resource::{PathStep, Slot};
use crate::engine::yaml::Node;
use crate::screens::experiments::state::component_trial;

/// Opens the explanation of the selection, or reports that it has no problem.
pub(crate) fn open_explanation(model: &mut Model) {
    match (model.screen, model.focused()) {
        (Screen::Change, _) => open_edit(model),
        (Screen::ComponentTable, _) => open_overlay_component(model),
        (Screen::Findings, _) => open_finding(model),
        (Screen::Components, _) => {
            if let Some(row) = model.components.rows.get(model.list(Pane::Components).selected) {
                show(model, component_pane(model, row));
            }
        }
        (Screen::Problems, _) => {
            let problem = model.problem(model.list(Pane::Problems).selected).cloned();
            open_problem(model, |it| Some(it) == problem.as_ref());
        }
        (_, Pane::Resource | Pane::History) => {
            open_problem_of_field(model);
        }
        (_, Pane::Resources) => {
            let slot = model.resources.shown().map(|row| row.slot);
            if !slot.is_some_and(|slot| open_problem(model, |it| it.subject == Some(slot))) {
                note(model, of_resource(model));
            }
        }
        (Screen::Tree, _) => explain_tree_row(model),
        _ => explain_steps(model, &[model.cursor]),
    }
}

fn explain_tree_row(model: &mut Model) {
    let row = model.tree.rows.get(model.list(Pane::Tree).selected);
    let path = row.and_then(TreeRow::path_when_off);
    let component = model.components.rows.iter().find(|it| Some(&*it.path) == path);
    if let Some(component) = component {
        return show(model, component_pane(model, component));
    }
    let steps = row.map(|row| row.steps.clone()).unwrap_or_default();
    explain_steps(model, &steps);
}

fn show(model: &mut Model, pane: WhyPane) {
    model.overlay = Some(Overlay::Why(Box::new(pane)));
}

fn open_edit(model: &mut Model) {
    let Some(edit) = model.selected_edit() else { return note(model, "no edits") };
    let place = edit.files.first().map(|change| (change.path.clone(), 1));
    let title = shown_edit_words(&edit.words);
    show(model, WhyPane::of_text(title, model.edit_effect_lines(), None, place.as_ref()));
}

fn open_overlay_component(model: &mut Model) {
    let Some(overlay) = model.selected_overlay() else {
        return note(model, "no overlay lists a component");
    };
    let title = sanitize(&overlay.overlay).into_owned();
    let row = model.selected_row(Pane::TableComponents);
    let lines = component_detail(model, row, space(model));
    show(model, WhyPane::of_text(title, lines, None, model.cell_location().as_ref()));
}

fn open_finding(model: &mut Model) {
    let Some(found) = model.selected_finding() else {
        return note(model, "no problem selected");
    };
    let (title, place) = (found.code.to_string(), model.finding_location());
    show(model, WhyPane::of_text(title, model.finding_texts(), None, place.as_ref()));
}

fn space(model: &Model) -> &str {
    model.look.keymap.first_key(Command::Toggle)
}

/// The explanation of a component of the open target: the reason of its failure, or its effect.
fn component_pane(model: &Model, row: &ComponentRow) -> WhyPane {
    let state = match (row.state, row.order) {
        (ComponentStatus::On, Some(order)) => format!("on, number {order}"),
        (ComponentStatus::On, None) => "on".to_owned(),
        (ComponentStatus::Off, _) => "off: commented out".to_owned(),
        (ComponentStatus::Absent, _) => "not listed".to_owned(),
    };
    let masked = |role, text: &str| TextLine::new(role, model.look.secrets.text(text));
    let mut lines = vec![masked(StyleRole::Text, state.as_str())];
    let recording = &model.builds.recording;
    if let Some(error) = recording.error.as_deref().filter(|_| row.state == ComponentStatus::On) {
        let words = format!("the build fails: {}", failure_words(error));
        lines.push(masked(StyleRole::Error, &words));
    }
    let trial = component_trial(model, &row.path).filter(|_| row.state != ComponentStatus::On);
    lines.extend(trial.and_then(trial_row).map(|row| masked(row.role(), &row.text())));
    if row.state != ComponentStatus::On {
        lines.push(masked(StyleRole::Dim, &format!("{}: switch it on in the draft", space(model))));
    }
    let is_on = row.state == ComponentStatus::On;
    let changes = if is_on { component_changes(recording, row) } else { Vec::new() };
    lines.extend(changes.iter().map(|change| {
        let (role, sign) = change_sign(model, change);
        masked(role, &format!("{sign} {} {}", change.kind, change.name))
    }));
    let place = (row.file.clone(), row.line.max(1));
    WhyPane::of_text(sanitize(&row.text), lines, row.step, Some(&place))
}

fn open_problem(model: &mut Model, is_it: impl Fn(&Problem) -> bool) -> bool {
    let Some(problem) = model.problems.all.iter().find(|it| is_it(it)) else { return false };
    let room = usize::from(model.look.size.0).saturating_sub(8).clamp(20, 136);
    let lines = problem_lines(model, problem, room).into_iter().map(|line| {
        let is_of_diff = matches!(line.role(), StyleRole::Added | StyleRole::Removed);
        TextLine::new(if is_of_diff { line.role() } else { StyleRole::Text }, line.text())
    });
    let place = problem.file.clone().map(|file| (file, problem.line.max(1)));
    let mut pane = WhyPane::of_text(problem.code.to_string(), lines, problem.step, place.as_ref());
    pane.fix = model.offer(problem).cloned();
    show(model, pane);
    true
}

/// Shows the first problem of some steps; without one, reports their effects.
fn explain_steps(model: &mut Model, steps: &[usize]) {
    if open_problem(model, |problem| problem.step.is_some_and(|step| steps.contains(&step))) {
        return;
    }
    let recording = &model.builds.recording;
    let done = steps.iter().filter_map(|step| Some((*step, recording.step(*step)?)));
    let Some((index, step)) = done.clone().next() else {
        return note(model, "no step for this row");
    };
    let effect = match &step.outcome {
        StepOutcome::Applied | StepOutcome::Failed(_) => {
            let counts = step.counts;
            let counted = [
                (counts.added, "added"),
                (counts.modified, "changed"),
                (counts.removed, "removed"),
            ];
            let counted = counted.into_iter().filter(|(count, _)| *count > 0);
            let counted: Vec<String> =
                counted.map(|(count, word)| format!("{count} {word}")).collect();
            if counted.is_empty() { "no change".to_owned() } else { counted.join(", ") }
        }
        StepOutcome::NoChange | StepOutcome::MatchedNothing if step.is_after_pending => {
            "not known until an earlier step runs".to_owned()
        }
        StepOutcome::NoChange if step.changes.is_empty() => "no change".to_owned(),
        StepOutcome::NoChange => "no change: already set".to_owned(),
        StepOutcome::MatchedNothing => "no match".to_owned(),
        StepOutcome::SwitchedOff => "switched off (space: switch on)".to_owned(),
        StepOutcome::Waiting(why) => format!("pending: {why}"),
    };
    let of = match done.count() {
        1 => String::new(),
        several => format!(" in {several} steps"),
    };
    let label = step_label(recording, index);
    note(model, format!("no problem{of}; step {}, {label}: {effect}", index + 1));
}

fn of_resource(model: &Model) -> String {
    let Some(row) = model.resources.shown() else { return "no resource selected".to_owned() };
    let writes = |step: &usize| {
        let step = model.builds.recording.step(*step);
        step.is_some_and(|step| step.changes.iter().any(|change| change.slot == row.slot))
    };
    let steps: Vec<usize> = (0..model.builds.recording.len()).filter(writes).collect();
    let name = format!("{} {}", row.kind, row.name);
    match steps.as_slice() {
        [] => format!("no step wrote {name}"),
        [only] => format!("no problem with {name}: written by step {}", only + 1),
        [first, .., last] => format!(
            "no problem with {name}: written by {} steps from {} to {} (r: show them)",
            steps.len(),
            first + 1,
            last + 1
        ),
    }
}

/// Opens the explanation of the first problem of the selected line's field; false without one.
pub(crate) fn open_problem_of_field(model: &mut Model) -> bool {
    let line = model.resources.lines.get(model.list(Pane::Resource).selected);
    let place = line.zip(model.resources.shown()).and_then(|(line, row)| {
        let path = WrittenPath::parse(&line.path).find(&row.resource.node)?;
        Some((row.slot, row.resource.node.clone(), path))
    });
    let Some((slot, node, path)) = place else { return false };
    open_problem(model, |problem| is_about(problem, slot, &node, &path))
}

/// True for a problem of the field, of a field around it, or of a field inside it.
fn is_about(problem: &Problem, slot: Slot, node: &Node, path: &[PathStep]) -> bool {
    let field = problem.field.as_deref().filter(|_| problem.subject == Some(slot));
    let told = field.and_then(|field| WrittenPath::parse(field).find(node));
    told.is_some_and(|told| path.starts_with(&told) || told.starts_with(path))
}
