//! Explains the selected problem, field, resource or step.

use super::super::model::{Model, Pane, Problem, step_label};
use super::super::theme::StyleRole;
use super::say;
use super::selection::{focus, go_to_problem};
use crate::answers::recording::field::WrittenPath;
use crate::engine::evaluate::StepOutcome;
use crate::engine::resource::{PathStep, Slot};
use crate::engine::yaml::Node;

/// Goes to the explanation of the selection, or reports that it has no problem.
pub(super) fn open_explanation(model: &mut Model) {
    match model.focused() {
        Pane::Problems | Pane::Explanation => focus(model, Pane::Explanation),
        Pane::Resource | Pane::History => {
            select_problem_of_field(model);
        }
        Pane::Resources => {
            let slot = model.resources.shown().map(|row| row.slot);
            if !slot.is_some_and(|slot| select_problem(model, |it| it.subject == Some(slot))) {
                say(model, StyleRole::Dim, of_resource(model));
            }
        }
        Pane::Tree => {
            let row = model.tree.rows.get(model.list(Pane::Tree).selected);
            let steps = row.map(|row| row.steps.clone()).unwrap_or_default();
            explain_steps(model, &steps);
        }
        _ => explain_steps(model, &[model.cursor]),
    }
}

/// Selects the first matching problem; false without one.
fn select_problem(model: &mut Model, is_it: impl Fn(&Problem) -> bool) -> bool {
    let found = model.problems.all.iter().position(is_it);
    if let Some(problem) = found {
        go_to_problem(model, problem);
    }
    found.is_some()
}

/// Shows the first problem of some steps; without one, reports their effects.
fn explain_steps(model: &mut Model, steps: &[usize]) {
    if select_problem(model, |problem| problem.step.is_some_and(|step| steps.contains(&step))) {
        return;
    }
    let done = steps.iter().filter_map(|step| Some((*step, model.builds.recording.step(*step)?)));
    let mut sentences: Vec<String> = done
        .map(|(index, step)| {
            let counts = step.counts;
            let effect = match &step.outcome {
                StepOutcome::Applied | StepOutcome::Failed(_) => {
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
            format!("step {}, {}: {effect}", index + 1, step_label(&model.builds.recording, index))
        })
        .collect();
    let more = sentences.len().saturating_sub(1);
    let first = if sentences.is_empty() { None } else { Some(sentences.swap_remove(0)) };
    let sentence = match (first, more) {
        (None, _) => "no step for this row".to_owned(),
        (Some(first), 0) => format!("no problem; {first}"),
        (Some(first), _) => format!("no problem in {} steps; {first}", more + 1),
    };
    say(model, StyleRole::Dim, sentence);
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

/// Selects the first problem of the selected line's field; false without one.
pub(super) fn select_problem_of_field(model: &mut Model) -> bool {
    let line = model.resources.lines.get(model.list(Pane::Resource).selected);
    let place = line.zip(model.resources.shown()).and_then(|(line, row)| {
        let path = WrittenPath::parse(&line.path).find(&row.resource.node)?;
        Some((row.slot, row.resource.node.clone(), path))
    });
    let Some((slot, node, path)) = place else { return false };
    select_problem(model, |problem| is_about(problem, slot, &node, &path))
}

/// True for a problem of the field, of a field around it, or of a field inside it.
fn is_about(problem: &Problem, slot: Slot, node: &Node, path: &[PathStep]) -> bool {
    let field = problem.field.as_deref().filter(|_| problem.subject == Some(slot));
    let told = field.and_then(|field| WrittenPath::parse(field).find(node));
    told.is_some_and(|told| path.starts_with(&told) || told.starts_with(path))
}
