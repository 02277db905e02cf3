//! Rows of lists of components.

use crate::answers::{Cell as TableCell, ComponentStatus, ComponentTrial, added_twice};
use crate::model::{ComponentRow, Model, effect_or_none, effect_words};
use crate::rows::{Cell, Keep, ListRow};
use crate::screens::experiments::state::component_trial;
use crate::text::sanitize;
use crate::theme::StyleRole;

/// A component of the open target: its state and its effect, or the effect that it would have.
pub(crate) fn of_target(model: &Model, index: usize) -> Option<ListRow> {
    let row = model.components.rows.get(index)?;
    let glyphs = model.glyphs();
    let (role, sign) = match row.state {
        ComponentStatus::On => (StyleRole::Ok, glyphs.on),
        ComponentStatus::Off | ComponentStatus::Absent => (StyleRole::Dim, glyphs.off),
    };
    let order = row.order.map_or_else(String::new, |order| order.to_string());
    let (mut words_role, mut words) = match (row.state, row.effect) {
        (ComponentStatus::On, _) if row.fails => {
            (StyleRole::Error, format!("{} fails", glyphs.failed))
        }
        (ComponentStatus::On, Some(effect)) => (StyleRole::Dim, effect_or_none(model, effect)),
        (ComponentStatus::On, None) => (StyleRole::Warning, "not reached".to_owned()),
        (ComponentStatus::Off, _) => (StyleRole::Dim, "off".to_owned()),
        (ComponentStatus::Absent, _) => (StyleRole::Dim, "not listed".to_owned()),
    };
    if let Some(other) = conflicting_entry(model, row) {
        (words_role, words) = (StyleRole::Error, format!("{} with {other}", glyphs.failed));
    }
    if let Some(trial) = component_trial(model, &row.path).filter(|_| row.order.is_none()) {
        (words_role, words) = trial_words(model, Some(trial));
    }
    let name = if row.state == ComponentStatus::On { StyleRole::Text } else { StyleRole::Dim };
    let lead = vec![(role, format!(" {sign} ")), (StyleRole::Step, format!("{order:>2}  "))];
    let cells = vec![
        Cell::new(name, Keep::Path, row.shown_name(model)),
        Cell::counts(words_role, Keep::All, words),
        Cell::new(StyleRole::Draft, Keep::All, if row.drafted { glyphs.draft } else { "" }),
        Cell::new(StyleRole::YamlComment, Keep::Begin, &row.note),
    ];
    Some(ListRow::new(lead, cells))
}

/// The last part of the entry that adds the same resource as a component, if the build fails for
/// that reason.
fn conflicting_entry(model: &Model, row: &ComponentRow) -> Option<String> {
    let clash = added_twice(model.builds.recording.error.as_deref()?)?;
    let is_second = row.state == ComponentStatus::On && row.text == clash.entries[1];
    clash.other_entry(|entry| entry == row.text).filter(|_| is_second)
}

pub(crate) fn component_sign(model: &Model, cell: &TableCell) -> (StyleRole, &'static str) {
    let glyphs = model.glyphs();
    match cell.state {
        ComponentStatus::On => (StyleRole::Ok, glyphs.on),
        ComponentStatus::Off => (StyleRole::Dim, glyphs.off),
        ComponentStatus::Absent => (StyleRole::Dim, glyphs.bars[0]),
    }
}

/// The result of trying a component, as in `if on +5`; of one that fails with a component that is
/// on, as in `✗ with otel`.
pub(crate) fn trial_words(model: &Model, trial: Option<&ComponentTrial>) -> (StyleRole, String) {
    match trial {
        Some(ComponentTrial { effect: Some(effect), .. }) => {
            let words = match effect_words(model, *effect) {
                words if words.is_empty() => "if on: no effect".to_owned(),
                words => format!("if on {words}"),
            };
            (StyleRole::Dim, words)
        }
        Some(ComponentTrial { with: Some(other), .. }) => {
            (StyleRole::Error, format!("{} with {}", model.glyphs().failed, sanitize(other)))
        }
        Some(ComponentTrial { error: Some(_), .. }) => {
            (StyleRole::Error, format!("{} if on", model.glyphs().failed))
        }
        Some(_) => (StyleRole::Warning, "effect not known".to_owned()),
        None => (StyleRole::Dim, String::new()),
    }
}
