//! The components: on, off, and not listed.

use crate::model::{Model, Pane, Screen, trial_row};
use crate::screens::experiments::state::component_trial;
use crate::screens::{composition, steps};

pub(crate) fn empty_effect(model: &Model) -> Option<String> {
    if model.has_draft() && !model.selects_component_to_try() {
        return Some(steps::view::equal_output_text(model));
    }
    match model.screen {
        Screen::Composition => Some(composition::view::missing_effect_text(model).to_owned()),
        _ if model.components.rows.is_empty() => None,
        _ => {
            let row = model.components.rows.get(model.list(Pane::Components).selected);
            let trial = row.and_then(|row| component_trial(model, &row.path)).and_then(trial_row);
            Some(match trial {
                Some(trial) => format!("off; {}", trial.text),
                None => "off (space: try it)".to_owned(),
            })
        }
    }
}
