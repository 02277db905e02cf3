//! The problems of all targets.

use crate::model::{Model, Severity};
use crate::rows::{Cell, Keep, ListRow};
use crate::screens::problems::rows::{fold, row, sign};
use crate::theme::StyleRole;

pub(crate) fn finding(model: &Model, index: usize) -> Option<ListRow> {
    let found = model.finding(index)?;
    let role = if found.severity == Severity::Note { StyleRole::Dim } else { StyleRole::Text };
    let fix = if model.fixable_finding(index).is_some() { "f" } else { "" };
    let cells = vec![
        Cell::new(StyleRole::Place, Keep::Place, model.board.place_of(found)),
        Cell::new(role, Keep::Begin, model.finding_message(index)),
        Cell::right(StyleRole::Dim, Keep::All, model.finding_targets_words(index)),
        Cell::right(StyleRole::Key, Keep::All, fix),
    ];
    let fold = fold(model, &model.board.findings.rows, index);
    Some(row(sign(model, found.severity), found.code.as_str(), fold, cells))
}
