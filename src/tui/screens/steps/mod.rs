//! The steps of the build.

pub(crate) mod state;

use std::path::PathBuf;

use crate::answers::{failure_words, headline};
use crate::engine::evaluate::{Step, StepKind, StepOutcome};
use crate::engine::load::{FileKind, clean};
use crate::model::{
    Compare, EmptyText, Model, Pane, PaneContent, PaneView, Recording, StepState, WORD_CELLS,
    first_pending_reason, pending_reason, step_label, step_problems, steps_width,
};
use crate::rows::{Cell, Keep, ListRow, step_sign};
use crate::screens::experiments::state::entry_of_step;
use crate::text::{fit, fit_distinct, pad, sanitize, width};
use crate::theme::StyleRole;
use crate::update::selection;

pub(crate) static STEPS: PaneView = PaneView {
    title,
    count: |model| model.steps.visible.len(),
    content: PaneContent::Cells(row),
    text: |model, row| {
        let step = *model.steps.visible.get(row)?;
        let recording = &model.builds.recording;
        let words = recording.words(step).map_or("", |words| &words.word);
        let label = step_label(recording, step);
        Some(format!("{} {words} {label}", recording.place_of_step(step)))
    },
    names: Some(header),
    empty: EmptyText::Build(|_| Some("no steps".to_owned())),
    place,
    open: |model| selection::focus(model, Pane::Changed),
    ..PaneView::LIST
};

/// The columns from which the location of a step is shown.
const PLACE_COLUMNS: usize = 44;
const MIN_PLACE_CELLS: usize = 8;
/// The rows around a step from which its layer differs visibly.
const NEAR_ROWS: usize = 12;
/// The columns from which times are shown, if no name is cut for them.
const MILLIS_COLUMNS: usize = 72;

fn sign_cells(model: &Model) -> usize {
    width(model.glyphs().swap) + 1
}

fn header(model: &Model, columns: usize) -> ListRow {
    let place = if columns < PLACE_COLUMNS { "" } else { "layer" };
    let millis = if shows_millis(model, columns) { "ms" } else { "" };
    let lead = format!("     # {}", " ".repeat(sign_cells(model)));
    ListRow::header(&lead, &[place, "step", ""], &["~", "+", model.glyphs().minus, millis])
}

/// Names are more important than times.
fn shows_millis(model: &Model, columns: usize) -> bool {
    columns >= steps_width(model).max(MILLIS_COLUMNS)
}

fn row(model: &Model, index: usize, columns: usize) -> Option<ListRow> {
    let number = *model.steps.visible.get(index)?;
    let recording = &model.builds.recording;
    let (step, words) = recording.step(number).zip(recording.words(number))?;
    let glyphs = model.glyphs();
    let here = if number == model.cursor { glyphs.cursor } else { " " };
    let state = StepState::from_step(step);
    let (sign_role, sign) = sign(model, number, step, state);
    let lead = vec![
        (StyleRole::Focus, here.to_owned()),
        (StyleRole::Step, format!("{:>5} ", number + 1)),
        (sign_role, pad(sign, sign_cells(model))),
    ];
    let role = match state {
        StepState::Failed => StyleRole::Error,
        StepState::Applied | StepState::Warned if Recording::is_effective(step) => StyleRole::Text,
        _ => StyleRole::Dim,
    };
    let word = fit(&words.word, WORD_CELLS);
    let mut cells = vec![
        Cell::new(StyleRole::Place, Keep::All, layer_cell(model, index, columns)),
        Cell::new(role, Keep::All, format!("{} {word}", glyphs.kinds[words.sign])),
    ];
    if let Some(reason) = pending_reason(step) {
        // It has no counts: its reason takes their cells.
        let about = format!("{}  {reason}", words.about);
        cells.push(Cell::new(StyleRole::Warning, Keep::Parts, about));
        return Some(ListRow::new(lead, cells));
    }
    cells.push(Cell::new(role, Keep::Path, &words.about));
    cells.extend(counts(step));
    let millis = step.time.as_millis().to_string();
    let millis = if shows_millis(model, columns) { &*millis } else { "" };
    cells.push(Cell::right(StyleRole::Dim, Keep::All, millis));
    Some(ListRow::new(lead, cells))
}

/// The layer of a step; a long name is cut, so that it leaves room for the argument.
fn layer_cell(model: &Model, index: usize, columns: usize) -> String {
    let of = |row: usize| {
        let step = model.steps.visible.get(row)?;
        Some(model.builds.recording.place_of_step(*step))
    };
    let Some(own) = of(index).filter(|_| columns >= PLACE_COLUMNS) else { return String::new() };
    let cells = (columns / 6).max(MIN_PLACE_CELLS);
    let near = (index.saturating_sub(NEAR_ROWS)..=index + NEAR_ROWS).filter_map(of);
    fit_distinct(own, cells, &near.collect::<Vec<_>>(), fit)
}

/// The numbers of changed, added and removed resources. A merge has none, since its changes are
/// those of earlier steps.
pub(crate) fn counts(step: &Step) -> impl Iterator<Item = Cell> {
    let counts = if step.kind == StepKind::Merge {
        [0, 0, 0]
    } else {
        [step.counts.modified, step.counts.added, step.counts.removed]
    };
    let roles = [StyleRole::Modified, StyleRole::Added, StyleRole::Removed];
    counts.into_iter().zip(roles).map(|(count, role)| match count {
        0 => Cell::right(StyleRole::Dim, Keep::All, "."),
        count => Cell::right(role, Keep::All, count.to_string()),
    })
}

/// The sign for the result of a step; none for a usual one.
fn sign(model: &Model, number: usize, step: &Step, state: StepState) -> (StyleRole, &'static str) {
    let order_matters = || {
        !model.varied.pairs.is_empty()
            && entry_of_step(model, number).is_some_and(|it| !model.pairs_of(&it).is_empty())
    };
    let (role, sign) = match state {
        StepState::Applied if order_matters() => (StyleRole::Warning, model.glyphs().swap),
        StepState::Applied => (StyleRole::Ok, ""),
        // Steps without a selector, such as loading and sorting, are never reported as without a
        // match.
        _ if StepState::is_silent(step) => (StyleRole::Dim, ""),
        _ => step_sign(model, state),
    };
    // The box of an entry that is off is too wide for the column in ASCII.
    (role, if width(sign) >= sign_cells(model) { model.glyphs().minus } else { sign })
}

fn title(model: &Model) -> String {
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
    } else if both[0].output_keys() != recording.output_keys() {
        // The outputs with and without the draft differ only in their order.
        "same resources in a different order"
    } else {
        "no difference between draft and files"
    };
    words.to_owned()
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
        _ => {
            let state = StepState::from_step(step);
            let is_silent = StepState::is_silent(step);
            let mut lines = vec![if is_silent { "no change" } else { state.words() }.to_owned()];
            for problem in step_problems(model, model.cursor) {
                lines.extend([String::new(), format!("{} {}", problem.code, problem.message)]);
                lines.extend(problem.narrowing_and_details().cloned());
            }
            lines.join("\n")
        }
    }
}

/// The file and line of the selected step: those of its patch, or of its entry.
pub(crate) fn place(model: &Model) -> Option<(PathBuf, u32)> {
    let recording = &model.builds.recording;
    let step = recording.step(model.cursor)?;
    if step.field.starts_with("patches")
        && let Some(layer) = recording.trace.layer(step.layer)
    {
        // The patch may have a separate file.
        let path = clean(&PathBuf::from(&*layer.path).join(&*step.argument));
        if let Ok((_, FileKind::File)) = model.opened.disk.resolve(&path) {
            return Some((path, 1));
        }
    }
    Some((PathBuf::from(recording.file(step.mark)?), step.mark.line))
}
