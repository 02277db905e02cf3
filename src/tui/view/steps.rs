//! The timeline.

use ratatui::text::Line;

use crate::engine::evaluate::{Outcome, Step, StepKind};

use super::super::model::{
    Compare, Model, Recording, ResourceKey, StepState, about_step, funnel, need_of, step_notes,
};
use super::super::text::{fit_middle, sanitize, width};
use super::super::theme::Role;
use super::super::update::step_label;
use super::line::LineBuilder;
use super::tree::step_sign;

/// Cells of the columns: number, counts, and place; milliseconds where there is room.
struct Columns {
    place: usize,
    label: usize,
    counts: usize,
    millis: bool,
}

fn columns_of(model: &Model, columns: usize) -> Columns {
    let millis = columns >= 72;
    let counts = model.recording.count_width.max(3);
    let fixed = 7 + 3 + 3 * counts + if millis { 5 } else { 0 };
    let room = columns.saturating_sub(fixed);
    let place = if columns < 44 { 0 } else { model.recording.place_width.min(room / 3).max(8) };
    Columns { place, label: room.saturating_sub(place + 1), counts, millis }
}

/// A place such as `dev › ldap` in so many cells: what is inside says more.
fn fit_place_of_step(place: &str, cells: usize, inside: &str) -> String {
    let inner = place.rsplit(" › ").next().unwrap_or(place);
    if width(place) <= cells || inner == place {
        return fit_middle(place, cells);
    }
    fit_middle(&format!("{inside} {inner}"), cells)
}

/// The title of the list.
pub(super) fn title(model: &Model) -> String {
    let filter = &model.steps.filter;
    if filter.is_empty() {
        "Steps".to_owned()
    } else {
        let (shown, all) = (model.steps.visible.len(), model.recording.len());
        format!("Steps  {} ({shown} of {all}, esc: all)", filter.words())
    }
}

/// The names of the columns.
pub(super) fn header(model: &Model, columns: u16) -> Line<'static> {
    let cells = columns_of(model, columns.into());
    let mut line = LineBuilder::new(model, columns.into());
    line.put(Role::Dim, "     # ");
    if cells.place > 0 {
        line.column(Role::Dim, "where", cells.place).put(Role::Dim, " ");
    }
    line.column(Role::Dim, "   step", cells.label + 3);
    for sign in ["~", "+", model.glyphs().minus] {
        line.column_right(Role::Dim, sign, cells.counts);
    }
    if cells.millis {
        line.column_right(Role::Dim, "ms", 5);
    }
    line.finish()
}

/// One step.
pub(super) fn row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(number) = model.steps.visible.get(index).copied() else { return line.finish() };
    let Some(step) = model.recording.step(number) else { return line.finish() };
    let cells = columns_of(model, columns);
    let here = number == model.cursor;
    line.put(Role::Focus, if here { model.glyphs().cursor } else { " " });
    line.column_right(Role::Step, &(number + 1).to_string(), 5).put(Role::Text, " ");
    if cells.place > 0 {
        let place = model.recording.place_of_step(number);
        let place = fit_place_of_step(place, cells.place, model.glyphs().inside);
        line.column(Role::Place, &place, cells.place).put(Role::Text, " ");
    }
    let state = StepState::of(step);
    let (role, sign) = match (state, step.kind) {
        (StepState::Applied, _) => (Role::Ok, " "),
        // What loads and orders has nothing to match.
        (StepState::NoChange | StepState::MatchedNothing, _)
            if !Recording::is_expected_to_act(step) =>
        {
            (Role::Dim, " ")
        }
        _ => step_sign(model, state),
    };
    line.column(role, sign, 2).put(Role::Text, " ");
    let label = step_label(&model.recording, number, model.glyphs());
    if let Some(need) = need_of(step) {
        // It has no counts: what it needs takes their cells.
        line.put(Role::Text, &label).put(Role::Warning, &format!("  waits: {need}"));
        return line.finish();
    }
    let label_role = match state {
        StepState::Failed => Role::Error,
        StepState::Applied | StepState::Warned if Recording::is_effective(step) => Role::Text,
        _ => Role::Dim,
    };
    line.column(label_role, &label, cells.label);
    let counts = if step.kind == StepKind::Merge {
        [0, 0, 0]
    } else {
        [step.counts.modified, step.counts.added, step.counts.removed]
    };
    for (count, role) in counts.into_iter().zip([Role::Modified, Role::Added, Role::Removed]) {
        let (role, text) =
            if count == 0 { (Role::Dim, ".".to_owned()) } else { (role, count.to_string()) };
        line.column_right(role, &text, cells.counts);
    }
    if cells.millis {
        line.column_right(Role::Dim, &step.time.as_millis().to_string(), 5);
    }
    line.finish()
}

/// What there is to know about the step whose changes are listed below, a line each.
pub(super) fn notes(model: &Model, columns: u16) -> Vec<Line<'static>> {
    let notes = step_notes(model).into_iter().map(|problem| {
        let mut line = LineBuilder::new(model, columns.into());
        let (role, sign) = super::problems::sign(model, problem.severity);
        line.put(Role::Text, " ").put(role, sign).put(Role::Text, " ");
        line.put(role, problem.code.as_str())
            .put(Role::Text, " ")
            .put(Role::Text, &problem.message);
        line.finish()
    });
    notes.collect()
}

/// Why there is no difference between the outputs.
pub(super) fn same_output(model: &Model) -> &'static str {
    let files_fail = model.saved.as_ref().is_some_and(|saved| saved.error.is_some());
    if model.recording.error.is_some() {
        "the draft does not build: nothing to compare (9: problems)"
    } else if files_fail {
        "the files did not build: nothing to compare with"
    } else if in_another_order(model) {
        "the draft builds the same resources in another order"
    } else {
        "the draft builds what the files build"
    }
}

/// True when the draft's output has what the files' has, one before the other in another way.
fn in_another_order(model: &Model) -> bool {
    let keys = |recording: &'_ Recording| -> Vec<ResourceKey> {
        recording.output.iter().filter_map(|(slot, _)| recording.key(*slot).cloned()).collect()
    };
    model.saved.as_ref().is_some_and(|saved| keys(saved) != keys(&model.recording))
}

/// What the step under the cursor says when it changed nothing.
pub(super) fn nothing_changed(model: &Model) -> String {
    match model.compared() {
        Compare::Step => {}
        Compare::Output => return same_output(model).to_owned(),
        Compare::Files => return "the draft is what the files say".to_owned(),
    }
    let Some(step) = model.recording.step(model.cursor) else { return "no step".to_owned() };
    match &step.outcome {
        Outcome::Failed(error) => {
            let place = model.recording.location(error.mark);
            let mut text = format!("{} {place}\n{}", model.glyphs().failed, error.message);
            if let Some(hint) = &error.hint {
                text.push_str("\nto do: ");
                text.push_str(hint);
            }
            for context in &error.context {
                text.push_str("\nin ");
                text.push_str(context);
            }
            text
        }
        Outcome::Waiting(reason) => sanitize(reason).into_owned(),
        Outcome::Applied if step.kind == StepKind::Merge => {
            format!("{} resources join the layer above", step.counts.added)
        }
        Outcome::Applied => "nothing to see: no resource changed".to_owned(),
        _ => without_effect(model, step),
    }
}

/// Why the step under the cursor changed nothing.
fn without_effect(model: &Model, step: &Step) -> String {
    let state = StepState::of(step);
    let silent = matches!(state, StepState::NoChange | StepState::MatchedNothing)
        && !Recording::is_expected_to_act(step);
    let mut lines = vec![if silent { "nothing to do" } else { state.words() }.to_owned()];
    for problem in about_step(model, model.cursor) {
        lines.extend([String::new(), format!("{} {}", problem.code, problem.message)]);
        lines.extend(funnel(problem).into_iter().filter(|line| !line.is_empty()));
        let told = usize::from(!funnel(problem).is_empty());
        lines.extend(problem.details.iter().skip(told).cloned());
    }
    lines.join("\n")
}
