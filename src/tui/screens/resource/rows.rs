//! The resources, and the history of a field.

use crate::model::Model;
use crate::rows::{Cell, Keep, ListRow};
use crate::theme::StyleRole;

pub(crate) fn resource(model: &Model, index: usize) -> Option<ListRow> {
    let row = model.resources.list.get(index)?;
    let cells = vec![
        Cell::new(StyleRole::Dim, Keep::Ends, &row.kind),
        Cell::new(StyleRole::Text, Keep::Path, model.resources.short_name(row)),
    ];
    Some(ListRow::new(vec![(StyleRole::Text, " ".to_owned())], cells))
}

/// The columns from which a row of the history contains the step and the earlier value.
const LABEL_COLUMNS: usize = 60;

pub(crate) fn write(model: &Model, index: usize, columns: usize) -> Option<ListRow> {
    let row = model.resources.history.get(index)?;
    let role = if row.step > model.cursor { StyleRole::Dim } else { StyleRole::Text };
    let value = row.written();
    let lead = vec![(StyleRole::Step, format!("{:>4} ", row.step + 1))];
    let place = Cell::right(StyleRole::Place, Keep::Place, &row.place);
    if columns < LABEL_COLUMNS {
        return Some(ListRow::new(lead, vec![Cell::new(role, Keep::Ends, value), place]));
    }
    let value = match &row.before {
        Some(before) if !row.is_equal => format!("{before} {} {value}", model.glyphs().arrow),
        _ => value.to_owned(),
    };
    let label = Cell::new(role, Keep::Begin, &row.label);
    Some(ListRow::new(lead, vec![label, Cell::new(role, Keep::Ends, value), place]))
}
