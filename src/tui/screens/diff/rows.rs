//! Rows of lists of changes: resources, edits, and the rows of a comparison.

use crate::model::{ChangedRow, Model, shown_edit_words};
use crate::rows::{Cell, Keep, ListRow};
use crate::theme::StyleRole;

/// A changed resource or file.
pub(crate) fn resource(model: &Model, rows: &[ChangedRow], index: usize) -> Option<ListRow> {
    let row = rows.get(index)?;
    let (role, sign) = change_sign(model, row);
    let lead = vec![(role, format!(" {sign} "))];
    let cells = vec![
        Cell::new(StyleRole::Dim, Keep::Ends, &row.kind),
        Cell::new(StyleRole::Text, Keep::Path, &row.name),
    ];
    Some(ListRow::new(lead, cells))
}

/// A line about the effect of edits.
pub(crate) fn effect_line((role, text): &(StyleRole, String)) -> ListRow {
    let words = text.trim_start();
    let lead = vec![(*role, format!(" {}", " ".repeat(text.len() - words.len())))];
    let keep = match role {
        StyleRole::Error | StyleRole::Warning => Keep::Begin,
        _ => Keep::Change,
    };
    ListRow { lead, cells: vec![Cell::new(*role, keep, words)], is_alone: true }
}

/// The symbol for the change of a resource, with its colour.
pub(crate) fn change_sign(model: &Model, row: &ChangedRow) -> (StyleRole, &'static str) {
    match row.sign {
        '+' => (StyleRole::Added, "+"),
        '-' => (StyleRole::Removed, model.glyphs().minus),
        _ => (StyleRole::Modified, "~"),
    }
}

/// An edit of the draft: its state, its description and its effect.
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

/// A cause, a target or a resource of a comparison.
pub(crate) fn difference(model: &Model, index: usize) -> Option<ListRow> {
    let row = model.compared.rows.get(index)?;
    let glyphs = model.glyphs();
    let (role, sign) = match row.danger.as_deref() {
        Some("error") => (StyleRole::Error, glyphs.failed),
        Some("warning") => (StyleRole::Warning, glyphs.warning),
        Some(_) => (StyleRole::Dim, glyphs.warning),
        None => (StyleRole::Text, " "),
    };
    let lead = vec![(role, format!(" {sign} {}", "  ".repeat(row.depth)))];
    let role = if row.depth == 0 { StyleRole::Text } else { StyleRole::Dim };
    let place = match &row.place {
        Some((place, 0)) => place.clone(),
        Some((place, more)) => format!("{place} +{more}"),
        None => String::new(),
    };
    if row.depth > 0 {
        let label = Cell::new(role, Keep::Ends, &row.label);
        let detail = Cell::right(StyleRole::Modified, Keep::All, &row.detail);
        return Some(ListRow { lead, cells: vec![label, detail], is_alone: true });
    }
    let cells = vec![
        Cell::new(role, Keep::Begin, &row.label),
        Cell::new(StyleRole::Place, Keep::End, place),
        Cell::right(StyleRole::Modified, Keep::All, &row.detail),
    ];
    Some(ListRow::new(lead, cells))
}
