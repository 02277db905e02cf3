//! Rows of the tree.

use crate::model::{EntryState, Model, StepState, TreeRow, TreeSubject};
use crate::rows::{Cell, Keep, ListRow, trial_words};
use crate::screens::experiments::state::{component_trial, pair_effect_text};
use crate::theme::StyleRole;

pub(crate) fn row(model: &Model, index: usize) -> Option<ListRow> {
    let row = model.tree.rows.get(index)?;
    let glyphs = model.glyphs();
    let fold = match (row.has_children, row.open) {
        (true, true) => glyphs.open,
        (true, false) => glyphs.closed,
        _ => " ",
    };
    let indent = " ".repeat(1 + row.depth * 2);
    let mut lead = vec![(StyleRole::Dim, format!("{indent}{fold} "))];
    let is_component = match &row.subject {
        TreeSubject::Entry { entry, .. } => entry.field == "components",
        TreeSubject::Unlisted { .. } => true,
        _ => false,
    };
    let (role, sign) = sign(model, row.state, is_component);
    if !sign.is_empty() {
        lead.push((role, format!("{sign} ")));
    }
    if let Some(order) = row.order {
        lead.push((StyleRole::Dim, format!("{:>2} ", order + 1)));
    }
    let label_role = match row.state {
        EntryState::Off | EntryState::Unlisted | EntryState::NotReached => StyleRole::Dim,
        EntryState::Broken | EntryState::Ended(StepState::Failed) => StyleRole::Error,
        _ if row.depth == 0 => StyleRole::Title,
        _ => StyleRole::Text,
    };
    let cells = vec![Cell::new(label_role, Keep::Path, &row.label), effect(model, row)];
    Some(ListRow::new(lead, cells))
}

/// The effect of a row; that of a component that is off or not listed, once the
/// Components screen tried it.
fn effect(model: &Model, row: &TreeRow) -> Cell {
    if let Some(trial) = row.path_when_off().and_then(|path| component_trial(model, path)) {
        let (role, words) = trial_words(model, Some(trial));
        return Cell::counts(role, Keep::Parts, words);
    }
    if let Some(mark) = order_mark(model, row) {
        let words = format!("{mark}  {}", row.detail);
        return Cell::counts(StyleRole::Warning, Keep::Begin, words.trim_end());
    }
    let role = match row.state {
        EntryState::Ended(StepState::MatchedNothing | StepState::Failed) => StyleRole::Error,
        EntryState::Ended(
            StepState::NoChange | StepState::Waiting | StepState::Unknown | StepState::Warned,
        ) => StyleRole::Warning,
        _ => StyleRole::Dim,
    };
    let keep = match row.state {
        EntryState::Broken | EntryState::Ended(StepState::Failed | StepState::Waiting) => {
            Keep::Begin
        }
        _ => Keep::Parts,
    };
    Cell::counts(role, keep, &row.detail)
}

/// The field in which the order of the entry and its neighbour matters, once the order was tried.
fn order_mark(model: &Model, row: &TreeRow) -> Option<String> {
    let TreeSubject::Entry { entry, .. } = &row.subject else { return None };
    let pair = model.pairs_of(entry).into_iter().next()?;
    Some(format!("{} {}", model.glyphs().swap, pair_effect_text(pair)))
}

fn sign(model: &Model, state: EntryState, is_component: bool) -> (StyleRole, &'static str) {
    let glyphs = model.glyphs();
    match state {
        EntryState::On => (StyleRole::Ok, glyphs.on),
        EntryState::Off | EntryState::Unlisted => (StyleRole::Dim, glyphs.off),
        EntryState::Broken if is_component => (StyleRole::Error, glyphs.on),
        EntryState::Broken | EntryState::Ended(StepState::Failed) => {
            (StyleRole::Error, glyphs.failed)
        }
        EntryState::NotReached => (StyleRole::Dim, glyphs.waiting),
        EntryState::Plain => (StyleRole::Text, ""),
        EntryState::Ended(state) => step_sign(model, state),
    }
}

pub(crate) fn step_sign(model: &Model, state: StepState) -> (StyleRole, &'static str) {
    let glyphs = model.glyphs();
    match state {
        StepState::Applied => (StyleRole::Ok, glyphs.applied),
        StepState::Warned => (StyleRole::Warning, glyphs.warning),
        StepState::NoChange => (StyleRole::Warning, glyphs.no_change),
        StepState::MatchedNothing | StepState::Failed => (StyleRole::Error, glyphs.failed),
        StepState::Off => (StyleRole::Dim, glyphs.off),
        StepState::Waiting | StepState::Unknown => (StyleRole::Warning, glyphs.waiting),
    }
}
