//! Changed resources with the notes on their step, the effects of edits, and the text of a diff.

use crate::model::{ChangedRow, CombinedDiffRow, Model, Pane, step_notes};
use crate::rows::{Cell, Columns, Keep, ListRow, RowLine};
use crate::screens::problems::rows::sign;
use crate::text::TextLine;
use crate::theme::StyleRole;

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

pub(crate) fn effect_line(line: &TextLine) -> ListRow {
    let (role, text) = (line.role(), line.text());
    let words = text.trim_start();
    let lead = vec![(role, format!(" {}", " ".repeat(text.len() - words.len())))];
    let keep = match role {
        StyleRole::Error | StyleRole::Warning => Keep::Begin,
        _ => Keep::Change,
    };
    ListRow { lead, cells: vec![Cell::new(role, keep, words)], is_alone: true }
}

pub(crate) fn change_sign(model: &Model, row: &ChangedRow) -> (StyleRole, &'static str) {
    match row.sign {
        '+' => (StyleRole::Added, "+"),
        '-' => (StyleRole::Removed, model.glyphs().minus),
        _ => (StyleRole::Modified, "~"),
    }
}

pub(crate) fn diff_text(model: &Model, index: usize) -> Option<String> {
    let CombinedDiffRow { part, row } = model.diff.whole.rows.get(index)?;
    let Some(row) = row else { return model.diff.changed.get(*part).map(ChangedRow::text) };
    let diff = model.diff.whole.part(*part)?;
    let line = row.right.and_then(|line| diff.right.get(line));
    line.or_else(|| row.left.and_then(|line| diff.left.get(line))).map(TextLine::text)
}

/// The lines of the notes in a pane of this size: in full if the changes still fit below them,
/// otherwise one line each.
pub(crate) fn step_note_lines(model: &Model, columns: usize, height: usize) -> Vec<RowLine> {
    let notes = step_notes(model).into_iter().map(|problem| {
        let (role, sign) = sign(model, problem.severity);
        let lead = vec![(role, format!(" {sign} {} ", problem.code))];
        ListRow::sentence(lead, StyleRole::Text, &problem.message)
    });
    let apart = model.order_notes().into_iter().map(|note| {
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
