//! The cursor: the current step.

use super::super::keymap::Command;
use super::super::model::{Model, Screen, StepFilter, StepState};
use super::{note, warn};

pub(crate) fn failed_step(model: &Model) -> Option<usize> {
    let steps = &model.builds.recording.trace.steps;
    steps.iter().position(|step| StepState::from_step(step) == StepState::Failed)
}

/// The last step of a tree row that changed something, or else the last step of the row.
pub(crate) fn last_step_in_row(model: &Model, row: usize) -> Option<usize> {
    let steps = &model.tree.rows.get(row)?.steps;
    let acts = |step: &&usize| model.builds.recording.acts(**step);
    steps.iter().rev().find(acts).or(steps.last()).copied()
}

pub(crate) fn move_cursor(model: &mut Model, by: isize) {
    let visible = &model.steps.visible;
    if visible.is_empty() {
        return;
    }
    let here = visible.partition_point(|step| *step < model.cursor);
    let exact = visible.get(here) == Some(&model.cursor);
    // From a step between two listed steps, moving back by one goes to the nearest listed step
    // before.
    let start = if exact || by < 0 { here } else { here.saturating_sub(1) };
    let to = start.saturating_add_signed(by).min(visible.len() - 1);
    model.cursor = visible[to];
}

pub(crate) fn go_to_effective_step(model: &mut Model, forward: bool) {
    let recording = &model.builds.recording;
    let steps: Vec<usize> = (0..recording.len()).filter(|step| recording.acts(*step)).collect();
    let (found, around) = if forward {
        (steps.iter().find(|step| **step > model.cursor), steps.first())
    } else {
        (steps.iter().rfind(|step| **step < model.cursor), steps.last())
    };
    match (found, around) {
        (Some(step), _) => model.cursor = *step,
        (None, Some(step)) if *step != model.cursor => {
            model.cursor = *step;
            let end = if forward { "first" } else { "last" };
            note(model, format!("from the {end} step with changes again"));
        }
        _ => note(model, "no more steps with changes"),
    }
}

/// The request for a letter, with the letters in use and their steps.
pub(crate) fn mark_words(model: &Model) -> String {
    let trace = &model.builds.recording.trace;
    let marks = model.jumps.marks.iter().map(|(letter, (_, step))| {
        let step =
            trace.position(step).map_or_else(|| "gone".to_owned(), |at| format!("step {}", at + 1));
        format!("{letter} {step}")
    });
    let marks: Vec<String> = marks.collect();
    format!("a letter: {}", marks.join("  ")).trim_end().to_owned()
}

pub(crate) fn handle_mark_letter(model: &mut Model, command: Command, letter: char) {
    if command == Command::Mark {
        let Some(step) = model.builds.recording.step(model.cursor) else { return };
        model.jumps.marks.insert(letter, (model.screen, step.id.clone()));
        return note(model, format!("marked {letter} ('{letter} returns here)"));
    }
    let Some((screen, step)) = model.jumps.marks.get(&letter).cloned() else {
        return warn(model, format!("no mark {letter}"));
    };
    let Some(position) = model.builds.recording.trace.position(&step) else {
        return warn(model, format!("the step marked {letter} is no longer in the build"));
    };
    jump_to(model, position);
    model.screen = screen;
}

/// Goes to a step and remembers the position before.
pub(crate) fn jump_to(model: &mut Model, step: usize) {
    remember(model);
    model.cursor = step.min(model.builds.recording.len().saturating_sub(1));
}

pub(crate) fn show_step(model: &mut Model, step: usize) {
    jump_to(model, step);
    model.steps.filter = StepFilter::default();
    model.screen = Screen::Steps;
}

pub(crate) fn remember(model: &mut Model) {
    let place = (model.screen, model.cursor, model.resources.key.clone());
    if model.jumps.back.last() != Some(&place) {
        model.jumps.back.push(place);
    }
    model.jumps.forward.clear();
}

/// Goes back to the position before the last jump, or forward again.
pub(crate) fn jump_back(model: &mut Model, forward: bool) {
    let here = (model.screen, model.cursor, model.resources.key.clone());
    let (from, to) = if forward {
        (&mut model.jumps.forward, &mut model.jumps.back)
    } else {
        (&mut model.jumps.back, &mut model.jumps.forward)
    };
    let Some((screen, cursor, resource)) = from.pop() else {
        return note(model, "no more jumps");
    };
    to.push(here);
    model.screen = screen;
    model.cursor = cursor.min(model.builds.recording.len().saturating_sub(1));
    if let Some(key) = resource {
        model.resources.choose(key);
    }
}
