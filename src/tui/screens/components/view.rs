//! The components: on, off, and not listed.

use crate::model::{Model, Pane, trial_row};
use crate::screens::experiments::state::component_trial;

/// The effect that the selected component would have, or how to try it.
pub(crate) fn effect_when_on(model: &Model) -> String {
    let row = model.components.rows.get(model.list(Pane::Components).selected);
    let trial = row.and_then(|row| component_trial(model, &row.path)).and_then(trial_row);
    match trial {
        Some(trial) => format!("off; {}", trial.text),
        None => "off (space: try it)".to_owned(),
    }
}
