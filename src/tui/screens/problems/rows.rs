//! Rows of lists of problems.

use crate::model::{Model, Severity, targets_of_finding};
use crate::rows::{Cell, Keep, ListRow};
use crate::theme::StyleRole;

/// The symbol of a severity.
pub(crate) fn sign(model: &Model, severity: Severity) -> (StyleRole, &'static str) {
    let glyphs = model.glyphs();
    match severity {
        Severity::Error => (StyleRole::Error, glyphs.failed),
        Severity::Warning => (StyleRole::Warning, glyphs.warning),
        Severity::Note => (StyleRole::Dim, glyphs.no_change),
    }
}

/// A sign, a code, the location and the message.
fn row((role, sign): (StyleRole, &str), code: &str, cells: Vec<Cell>) -> ListRow {
    let lead = vec![
        (StyleRole::Text, " ".to_owned()),
        (role, sign.to_owned()),
        (StyleRole::Dim, format!(" {code:<6}")),
    ];
    ListRow::new(lead, cells)
}

/// A problem of the open target.
pub(crate) fn problem(model: &Model, index: usize) -> Option<ListRow> {
    let problem = model.problem(index)?;
    let sign = match problem.severity {
        Severity::Note if problem.decider.is_some() => (StyleRole::Warning, model.glyphs().waiting),
        severity => sign(model, severity),
    };
    let cells = vec![
        Cell::new(StyleRole::Place, Keep::Place, &problem.place),
        Cell::new(StyleRole::Text, Keep::Begin, &problem.message),
    ];
    Some(row(sign, problem.code.as_str(), cells))
}

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
