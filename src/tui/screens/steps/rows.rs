//! Rows of the list of steps.

use crate::engine::evaluate::{Step, StepKind};
use crate::model::{Model, Recording, StepState, WORD_CELLS, pending_reason, steps_width};
use crate::rows::{Cell, Keep, ListRow, step_sign};
use crate::screens::experiments::state::entry_of_step;
use crate::text::{fit, fit_distinct, pad, width};
use crate::theme::StyleRole;

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

pub(crate) fn header(model: &Model, columns: usize) -> ListRow {
    let name = |text: &str| Cell::new(StyleRole::Dim, Keep::All, text);
    let number = |text: &str| Cell::right(StyleRole::Dim, Keep::All, text);
    let place = if columns < PLACE_COLUMNS { "" } else { "layer" };
    let mut cells = vec![name(place), name("step"), name("")];
    cells.extend(["~", "+", model.glyphs().minus].map(number));
    cells.push(number(if shows_millis(model, columns) { "ms" } else { "" }));
    let lead = format!("     # {}", " ".repeat(sign_cells(model)));
    ListRow::new(vec![(StyleRole::Dim, lead)], cells)
}

/// Names are more important than times.
fn shows_millis(model: &Model, columns: usize) -> bool {
    columns >= steps_width(model).max(MILLIS_COLUMNS)
}

pub(crate) fn row(model: &Model, index: usize, columns: usize) -> Option<ListRow> {
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
        Cell::new(StyleRole::Place, Keep::All, place(model, index, columns)),
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
fn place(model: &Model, index: usize, columns: usize) -> String {
    let of = |row: usize| {
        let step = model.steps.visible.get(row)?;
        Some(model.builds.recording.place_of_step(*step))
    };
    let Some(own) = of(index).filter(|_| columns >= PLACE_COLUMNS) else { return String::new() };
    let cells = (columns / 6).max(MIN_PLACE_CELLS);
    let near = (index.saturating_sub(NEAR_ROWS)..=index + NEAR_ROWS).filter_map(of);
    fit_distinct(own, cells, &near.collect::<Vec<_>>())
}

/// The numbers of changed, added and removed resources. A merge has none, since its changes are
/// those of earlier steps.
fn counts(step: &Step) -> impl Iterator<Item = Cell> {
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
