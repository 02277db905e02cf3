//! The edits of the draft.

use crate::model::{Model, shown_edit_words};
use crate::rows::{Cell, Keep, ListRow};
use crate::theme::StyleRole;

pub(crate) fn edit(model: &Model, index: usize) -> Option<ListRow> {
    let edit = model.edits.list.get(index)?;
    let glyphs = model.glyphs();
    let (role, sign, text) = if edit.is_left_out {
        (StyleRole::Dim, glyphs.off, StyleRole::Dim)
    } else {
        (StyleRole::Draft, glyphs.on, StyleRole::Text)
    };
    let (effect_role, effect) = model.shown_effect_of_edit(edit);
    let cells = vec![
        Cell::new(text, Keep::Action, shown_edit_words(&edit.words)),
        Cell::new(StyleRole::Place, Keep::Place, model.folder_of_edit(edit)),
        Cell::counts(effect_role, Keep::Begin, effect),
    ];
    Some(ListRow::new(vec![(role, format!(" {sign} "))], cells))
}
