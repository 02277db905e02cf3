//! The notes on the selected step, above its changes.

use crate::model::{Model, Pane, step_notes};
use crate::rows::{Columns, ListRow, RowLine};
use crate::screens::experiments::state::order_notes;
use crate::screens::problems::rows::sign;
use crate::theme::StyleRole;

/// The lines of the notes in a pane of this size: in full if the changes still fit below them,
/// otherwise one line each.
pub(crate) fn step_note_lines(model: &Model, columns: usize, height: usize) -> Vec<RowLine> {
    let notes = step_notes(model).into_iter().map(|problem| {
        let (role, sign) = sign(model, problem.severity);
        let lead = vec![(role, format!(" {sign} {} ", problem.code))];
        ListRow::sentence(lead, StyleRole::Text, &problem.message)
    });
    let apart = order_notes(model).into_iter().map(|note| {
        let lead = vec![(StyleRole::Warning, format!(" {} ", model.glyphs().swap))];
        ListRow::sentence(lead, StyleRole::Text, &note)
    });
    let notes: Vec<ListRow> = notes.chain(apart).collect();
    let columns = Columns::new(&[], columns);
    let whole: Vec<RowLine> = notes.iter().flat_map(|note| columns.lines(note)).collect();
    if whole.len() + model.rows(Pane::Changed) <= height {
        return whole;
    }
    notes.iter().map(|note| columns.line(note, &[])).collect()
}
