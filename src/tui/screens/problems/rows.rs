//! Rows of lists of problems.

use crate::model::{Model, Severity};
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
pub(crate) fn row((role, sign): (StyleRole, &str), code: &str, cells: Vec<Cell>) -> ListRow {
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
