//! The components: on, off, and not listed.

use super::super::model::experiments::component_trial;
use super::super::model::{Model, Pane, trial_row};

/// The effect that the selected component would have, or how to try it.
pub(super) fn effect_when_on(model: &Model) -> String {
    let row = model.components.rows.get(model.list(Pane::Components).selected);
    let trial = row.and_then(|row| component_trial(model, &row.path)).and_then(trial_row);
    match trial {
        Some(trial) => format!("off; {}", trial.text),
        None => "off (space: try it)".to_owned(),
    }
}
