//! The selected component of the table in full.

use crate::keymap::Command;
use crate::layout::layout;
use crate::model::derived::ComponentTableKey;
use crate::model::{Model, Pane, component_detail};

/// Updates the text about the selected component.
pub(crate) fn derive(model: &mut Model) {
    let room = layout(model).pane(Pane::TableDetail).map_or(80, |placed| placed.inner.width);
    let key = ComponentTableKey {
        edition: model.table.edition,
        overlay: model.list(Pane::ComponentTable).selected,
        component: model.list(Pane::TableComponents).selected,
        columns: room,
    };
    if model.derived.table == Some(key) {
        return;
    }
    model.derived.table = Some(key);
    let space = model.look.keymap.keys(Command::Toggle).first().cloned().unwrap_or_default();
    let rows = component_detail(model, &space).into_iter();
    let cells = usize::from(room).saturating_sub(2);
    model.table.detail = rows.flat_map(|row| row.wrapped(cells)).collect();
}
