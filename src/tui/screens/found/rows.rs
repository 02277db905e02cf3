//! The results of a search.

use crate::model::Model;
use crate::rows::{Cell, Keep, ListRow};
use crate::theme::StyleRole;

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
