//! Draws the list of steps.

use ratatui::text::Line;

use crate::answers::{failure_words, headline};
use crate::engine::evaluate::{Step, StepKind, StepOutcome};
use crate::model::{
    Compare, Model, Pane, ResourceKey, STEP_FIXED_CELLS as FIXED, STEP_MILLIS_CELLS as MILLIS,
    StepState, WORD_CELLS, WorkbenchRecording, first_pending_reason, narrowing_rows,
    pending_reason, step_problems, steps_width,
};
use crate::rows::step_sign;
use crate::screens::experiments::state::entry_of_step;
use crate::text::{fit_distinct, fit_name, sanitize, width};
use crate::theme::StyleRole;
use crate::view::line::LineBuilder;

/// The widths in cells of the columns: location, subject, counts. Milliseconds are shown if they
/// fit.
struct StepColumns {
    place: usize,
    about: usize,
    counts: usize,
    millis: bool,
}

fn columns_of(model: &Model, columns: usize) -> StepColumns {
    let counts = model.builds.recording.count_width.max(3);
    // Names are more important than times.
    let millis = columns >= steps_width(model) && columns >= 72;
    let fixed = FIXED + 3 * counts + if millis { MILLIS } else { 0 };
    let room = columns.saturating_sub(fixed);
    // The location stays in place while the list is scrolled to the right.
    let left = model.list(Pane::Steps).left;
    let place = match columns.saturating_sub(left) {
        0..=43 => 0,
        _ => model.builds.recording.best_place_width(room.saturating_sub(left)),
    };
    StepColumns { place, about: room.saturating_sub(place + 1), counts, millis }
}

/// The cells that stay in place while the list is scrolled to the right: number and location.
pub(crate) fn fixed_cells(model: &Model, columns: usize) -> usize {
    let wide = columns + model.list(Pane::Steps).left;
    match columns_of(model, wide).place {
        0 => NUMBER_CELLS,
        place => NUMBER_CELLS + place + 1,
    }
}

/// The cells of the sign of the current step, its number and a space.
const NUMBER_CELLS: usize = 7;

/// The words of a pending step whose reason does not fit; its details have the reason.
const PENDING: &str = "pending";

/// The width in cells of the sign of a step.
const SIGN_CELLS: usize = 2;

/// The steps listed around a row.
fn near(model: &Model, index: usize) -> impl Iterator<Item = usize> + '_ {
    let rows = (index.saturating_sub(12)..index).chain(index + 1..index + 13);
    rows.filter_map(|row| model.steps.visible.get(row).copied())
}

/// The steps with which a row may be confused: its neighbours and, for a merge, the other merges of
/// its layer, which may be far away because each follows the steps of the merged layers.
fn confusable_steps(model: &Model, index: usize, step: &Step) -> Vec<usize> {
    let recording = &model.builds.recording;
    let is_like = |number: &usize| {
        recording.step(*number).is_some_and(|other| {
            other.kind == StepKind::Merge && other.layer == step.layer && other.mark != step.mark
        })
    };
    let merges = model.steps.visible.iter().copied().filter(|_| step.kind == StepKind::Merge);
    near(model, index).chain(merges.filter(is_like)).collect()
}

/// The title of the list of steps, with its filter or the watched field.
pub(crate) fn title(model: &Model) -> String {
    let filter = &model.steps.filter;
    if let Some(watched) = model.steps.watched.as_ref().filter(|_| filter.is_empty()) {
        format!("Steps  c: next write of {}", watched.words)
    } else if filter.is_empty() {
        "Steps".to_owned()
    } else {
        let (shown, all) = (model.steps.visible.len(), model.builds.recording.len());
        format!("Steps  {shown} of {all}")
    }
}

/// The line with the names of the columns of steps.
pub(crate) fn header(model: &Model, columns: u16) -> Line<'static> {
    let cells = columns_of(model, columns.into());
    let mut line = LineBuilder::new(model, columns.into());
    line.put(StyleRole::Dim, "     # ");
    if cells.place > 0 {
        line.column(StyleRole::Dim, "layer", cells.place).put(StyleRole::Dim, " ");
    }
    line.put(StyleRole::Dim, "   ").column(StyleRole::Dim, "step", WORD_CELLS + 3);
    line.column(StyleRole::Dim, "", cells.about);
    for sign in ["~", "+", model.glyphs().minus] {
        line.push_right_aligned(StyleRole::Dim, sign, cells.counts);
    }
    if cells.millis {
        line.push_right_aligned(StyleRole::Dim, "ms", MILLIS);
    }
    line.finish()
}

/// The line of a step.
pub(crate) fn row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(number) = model.steps.visible.get(index).copied() else { return line.finish() };
    let recording = &model.builds.recording;
    let Some((step, words)) = recording.step(number).zip(recording.words(number)) else {
        return line.finish();
    };
    let cells = columns_of(model, columns);
    let here = number == model.cursor;
    line.put(StyleRole::Focus, if here { model.glyphs().cursor } else { " " });
    line.push_right_aligned(StyleRole::Step, &(number + 1).to_string(), 5)
        .put(StyleRole::Text, " ");
    if cells.place > 0 {
        let place = recording.place_of_step(number);
        let others = near(model, index).map(|step| recording.place_of_step(step));
        let place = fit_distinct(place, cells.place, others.filter(|other| *other != place));
        line.column(StyleRole::Place, &place, cells.place).put(StyleRole::Text, " ");
    }
    let state = StepState::from_step(step);
    let (role, sign) = match (state, step.kind) {
        (StepState::Applied, _) if order_matters(model, number) => {
            (StyleRole::Warning, model.glyphs().swap)
        }
        (StepState::Applied, _) => (StyleRole::Ok, " "),
        // Steps without a selector, such as loading and sorting, are never reported as without a
        // match.
        (StepState::NoChange | StepState::MatchedNothing, _)
            if !WorkbenchRecording::is_expected_to_act(step) =>
        {
            (StyleRole::Dim, " ")
        }
        _ => step_sign(model, state),
    };
    // The box of an entry that is off is too wide for the column in ASCII.
    let sign = if width(sign) > SIGN_CELLS { model.glyphs().minus } else { sign };
    line.column(role, sign, SIGN_CELLS).put(StyleRole::Text, " ");
    let label_role = match state {
        StepState::Failed => StyleRole::Error,
        StepState::Applied | StepState::Warned if WorkbenchRecording::is_effective(step) => {
            StyleRole::Text
        }
        _ => StyleRole::Dim,
    };
    line.put(StyleRole::Dim, model.glyphs().kinds[words.sign]).put(StyleRole::Text, " ");
    line.column(label_role, &words.word, WORD_CELLS).put(StyleRole::Text, " ");
    let others = confusable_steps(model, index, step).into_iter();
    let others = others.filter_map(|step| recording.words(step));
    let others = others.filter(|other| other.word == words.word).map(|other| &*other.about);
    if let Some(waits) = pending_reason(step) {
        put_pending(&mut line, &words.about, &waits, others);
        return line.finish();
    }
    line.column(label_role, &fit_name(&words.about, cells.about, others), cells.about);
    put_counts(&mut line, step, cells.counts);
    if cells.millis {
        line.push_right_aligned(StyleRole::Dim, &step.time.as_millis().to_string(), MILLIS);
    }
    line.finish()
}

/// Adds the subject of a pending step. It has no counts: its reason takes their cells if it fits.
fn put_pending<'t>(
    line: &mut LineBuilder<'_>,
    about: &str,
    reason: &str,
    others: impl Iterator<Item = &'t str>,
) {
    if width(about) + 2 + width(reason) <= line.room() {
        line.put(StyleRole::Text, about).put(StyleRole::Warning, &format!("  {reason}"));
        return;
    }
    let cells = line.room().saturating_sub(width(PENDING) + 2);
    line.column(StyleRole::Text, &fit_name(about, cells, others), cells);
    line.put(StyleRole::Warning, "  ").put(StyleRole::Warning, PENDING);
}

/// Adds the numbers of changed, added and removed resources. A merge has none, since its changes
/// are those of earlier steps.
fn put_counts(line: &mut LineBuilder<'_>, step: &Step, columns: usize) {
    let counts = if step.kind == StepKind::Merge {
        [0, 0, 0]
    } else {
        [step.counts.modified, step.counts.added, step.counts.removed]
    };
    for (count, role) in
        counts.into_iter().zip([StyleRole::Modified, StyleRole::Added, StyleRole::Removed])
    {
        let (role, text) =
            if count == 0 { (StyleRole::Dim, ".".to_owned()) } else { (role, count.to_string()) };
        line.push_right_aligned(role, &text, columns);
    }
}

/// True if the entry of a step has a neighbour for which the order matters.
fn order_matters(model: &Model, step: usize) -> bool {
    entry_of_step(model, step).is_some_and(|entry| !model.pairs_of(&entry).is_empty())
}

/// The text if both outputs are equal or cannot be compared.
pub(crate) fn equal_output_text(model: &Model) -> String {
    let recording = &model.builds.recording;
    if let Some(error) = recording.error.as_ref().filter(|_| !model.is_building()) {
        let reason = headline(&model.look.secrets.text(&failure_words(error)));
        let sign = model.glyphs().failed;
        return format!("{sign} {reason}\n\nno comparison: the draft does not build (gp: why)");
    }
    let both = [model.builds.saved.as_ref().unwrap_or(recording), recording];
    let files_fail = model.builds.saved.as_ref().is_some_and(|saved| saved.error.is_some());
    let words = if model.is_building() {
        "building…"
    } else if first_pending_reason(both.map(|it| &**it)).is_some() {
        "not known: steps of this build are pending (gp: list)"
    } else if files_fail {
        "no comparison: build of the files failed"
    } else if has_reordered_output(model) {
        "same resources in a different order"
    } else {
        "no difference between draft and files"
    };
    words.to_owned()
}

/// True if the outputs with and without the draft differ only in their order.
fn has_reordered_output(model: &Model) -> bool {
    let keys = |recording: &'_ WorkbenchRecording| -> Vec<ResourceKey> {
        recording.output.iter().filter_map(|(slot, _)| recording.key(*slot).cloned()).collect()
    };
    model.builds.saved.as_ref().is_some_and(|saved| keys(saved) != keys(&model.builds.recording))
}

/// The text in place of an empty diff: the notes on a step that changed no resource, or the reason
/// why the compared sides do not differ.
pub(crate) fn unchanged_step_text(model: &Model) -> String {
    match model.compared() {
        Compare::Step => {}
        Compare::Output => return equal_output_text(model),
        Compare::Files => return "no draft".to_owned(),
    }
    let Some(step) = model.builds.recording.step(model.cursor) else { return "no step".to_owned() };
    match &step.outcome {
        StepOutcome::Failed(error) => {
            let place = model.builds.recording.location(error.mark);
            let failure = model.look.secrets.failure(error);
            let mut text = format!("{} {place}\n{}", model.glyphs().failed, failure.message);
            if let Some(hint) = &failure.hint {
                let base = format!("{}/", model.builds.recording.base_dir().to_string_lossy());
                text.push('\n');
                text.push_str(&hint.replace(&base, ""));
            }
            for context in &failure.context {
                text.push_str("\nin ");
                text.push_str(context);
            }
            text
        }
        StepOutcome::Waiting(wait) => sanitize(&wait.to_string()).into_owned(),
        StepOutcome::Applied if step.kind == StepKind::Merge => {
            format!("{} resources join the layer above", step.counts.added)
        }
        StepOutcome::Applied => "no resource changed".to_owned(),
        _ => no_effect_text(model, step),
    }
}

/// The reason why the selected step changed no resource.
fn no_effect_text(model: &Model, step: &Step) -> String {
    let state = StepState::from_step(step);
    let silent = matches!(state, StepState::NoChange | StepState::MatchedNothing)
        && !WorkbenchRecording::is_expected_to_act(step);
    let mut lines = vec![if silent { "no change" } else { state.words() }.to_owned()];
    for problem in step_problems(model, model.cursor) {
        lines.extend([String::new(), format!("{} {}", problem.code, problem.message)]);
        lines.extend(narrowing_rows(problem).into_iter().filter(|line| !line.is_empty()));
        let told = usize::from(!narrowing_rows(problem).is_empty());
        lines.extend(problem.details.iter().skip(told).cloned());
    }
    lines.join("\n")
}
