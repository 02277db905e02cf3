//! The selected component of the table in full.

use crate::keymap::Command;
use crate::model::derived::{TextKey, renew};
use crate::model::{Model, Pane, component_detail};
use crate::update::derive::text_key;

pub(crate) fn derive(model: &mut Model) {
    let key = text_key(model, model.table.edition, Pane::TableComponents, Pane::TableDetail);
    // The text is that of the selection before it is clamped.
    let key = TextKey { selected: model.list(Pane::TableComponents).selected, ..key };
    let overlay = model.list(Pane::ComponentTable).selected;
    if !renew(&mut model.derived.table, (key, overlay)) {
        return;
    }
    let space = model.look.keymap.first_key(Command::Toggle);
    let rows = component_detail(model, space).into_iter();
    let cells = usize::from(key.columns).saturating_sub(2);
    model.table.detail = rows.flat_map(|row| row.wrapped(cells)).collect();
}
