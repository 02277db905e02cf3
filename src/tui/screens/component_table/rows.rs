//! The components in the selected overlay.

use crate::answers::{Cell as TableCell, ComponentStatus};
use crate::model::{Model, Pane, effect_or_none};
use crate::rows::{Cell, Keep, ListRow};
use crate::screens::components::rows::{component_sign, trial_words};
use crate::theme::StyleRole;

pub(crate) fn component(model: &Model, index: usize) -> Option<ListRow> {
    let cell = model.overlay_cell(index)?;
    let (role, sign) = component_sign(model, cell);
    let is_on = cell.state == ComponentStatus::On;
    let (trial_role, trial) = trial_words(model, cell.trial.as_ref().filter(|_| !is_on));
    let overlay = model.list(Pane::ComponentTable).selected;
    let is_drafted = model.is_cell_drafted(overlay, index);
    let state = if is_on && cell.trial.is_some() { StyleRole::Error } else { StyleRole::Dim };
    let cells = vec![
        Cell::new(
            if is_on { StyleRole::Text } else { StyleRole::Dim },
            Keep::Path,
            cell.component.strip_prefix(&*model.table.folder).unwrap_or(&cell.component),
        ),
        Cell::counts(state, Keep::All, state_words(model, cell)),
        Cell::counts(trial_role, Keep::All, trial),
        Cell::new(StyleRole::Draft, Keep::All, if is_drafted { model.glyphs().draft } else { "" }),
    ];
    Some(ListRow::new(vec![(role, format!(" {sign} "))], cells))
}

/// The effect of a component in an overlay, or its state.
fn state_words(model: &Model, cell: &TableCell) -> String {
    match (cell.state, cell.effect) {
        (ComponentStatus::On, Some(effect)) => effect_or_none(model, effect),
        (ComponentStatus::On, None) if cell.trial.is_some() => {
            format!("{} fails", model.glyphs().failed)
        }
        (ComponentStatus::On, None) => "not known".to_owned(),
        (ComponentStatus::Off, _) => "off".to_owned(),
        (ComponentStatus::Absent, _) => "not listed".to_owned(),
    }
}
