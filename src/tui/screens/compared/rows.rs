//! The differences of two sides.

use crate::model::Model;
use crate::rows::{Cell, Keep, ListRow};
use crate::theme::StyleRole;

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
