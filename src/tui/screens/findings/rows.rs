//! The problems of all targets.

use crate::model::{Model, Severity, targets_of_finding};
use crate::rows::{Cell, Keep, ListRow};
use crate::screens::problems::rows::{row, sign};
use crate::theme::StyleRole;

/// A problem of all targets, with their number, and the key of its fix.
pub(crate) fn finding(model: &Model, index: usize) -> Option<ListRow> {
    let found = model.finding(index)?;
    let role = if found.severity == Severity::Note { StyleRole::Dim } else { StyleRole::Text };
    let has_fix = found.has_fix() && !model.is_file_drafted(found);
    let fix = if has_fix { "f" } else { "" };
    let cells = vec![
        Cell::new(StyleRole::Place, Keep::Place, model.board.place_of(found)),
        Cell::new(role, Keep::Begin, &found.message),
        Cell::right(StyleRole::Dim, Keep::All, targets_of_finding(found)),
        Cell::right(StyleRole::Key, Keep::All, fix),
    ];
    Some(row(sign(model, found.severity), found.code.as_str(), cells))
}
