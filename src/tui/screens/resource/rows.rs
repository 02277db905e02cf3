//! Rows of lists of resources, their fields, and their users.

use crate::Icons;
use crate::model::Model;
use crate::rows::{Cell, Keep, ListRow};
use crate::theme::StyleRole;

/// A resource after the current step.
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

/// A step in the history of a field.
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

/// A field that matches the search: its first and last step, its value, its location.
pub(crate) fn found(model: &Model, index: usize) -> Option<ListRow> {
    let row = model.search.rows.get(index)?;
    let end = match row.last {
        Some(last) => (StyleRole::Removed, format!("{:>6}  ", last + 1)),
        None => (StyleRole::Ok, format!("{:>6}  ", "end")),
    };
    let role = if row.last.is_some() { StyleRole::Dim } else { StyleRole::Text };
    let cells = vec![
        Cell::new(role, Keep::Path, &row.resource),
        Cell::new(role, Keep::End, format!("{}:", row.path)),
        Cell::new(role, Keep::Value, &row.value),
        Cell::right(StyleRole::Place, Keep::Place, &row.place),
    ];
    Some(ListRow::new(vec![(StyleRole::Step, format!("{:>8}", row.first + 1)), end], cells))
}

/// A user or a dependency of a target.
pub(crate) fn user(model: &Model, index: usize) -> Option<ListRow> {
    let row = model.board.users.get(index)?;
    let Some((last, above)) = row.lasts.split_last() else {
        let lead = vec![(StyleRole::Text, " ".to_owned())];
        return Some(ListRow::sentence(lead, StyleRole::Title, &row.label));
    };
    let (through, end, mid) = match model.look.icons {
        Icons::Unicode => ("│ ", "└ ", "├ "),
        Icons::Ascii => ("| ", "` ", "| "),
    };
    let lead: String = above.iter().map(|last| if *last { "  " } else { through }).collect();
    let lead = format!(" {lead}{}", if *last { end } else { mid });
    let role = if row.is_missing { StyleRole::Error } else { StyleRole::Text };
    // `resources:4` is short, and the line is of use only in full.
    let keep = if row.place.contains('/') { Keep::Place } else { Keep::All };
    let cells = vec![
        Cell::new(role, Keep::Path, &row.label),
        Cell::right(StyleRole::Place, keep, &row.place),
        Cell::right(StyleRole::Error, Keep::All, if row.is_missing { "missing" } else { "" }),
    ];
    Some(ListRow::new(vec![(StyleRole::Border, lead)], cells))
}
