//! Rows of lists of problems.

use crate::model::{FindingRows, Model, Severity};
use crate::rows::{Cell, Keep, ListRow};
use crate::text::width;
use crate::theme::StyleRole;

pub(crate) fn sign(model: &Model, severity: Severity) -> (StyleRole, &'static str) {
    let glyphs = model.glyphs();
    match severity {
        Severity::Error => (StyleRole::Error, glyphs.failed),
        Severity::Warning => (StyleRole::Warning, glyphs.warning),
        Severity::Note => (StyleRole::Dim, glyphs.no_change),
    }
}

/// A sign, a code, the location and the message. A place below its row has neither sign nor code.
pub(crate) fn row(
    (role, sign): (StyleRole, &str),
    code: &str,
    fold: Option<String>,
    cells: Vec<Cell>,
) -> ListRow {
    let lead = match fold {
        None => vec![(StyleRole::Text, " ".repeat(width(sign) + code.len() + 5))],
        Some(fold) => vec![
            (StyleRole::Text, " ".to_owned()),
            (role, sign.to_owned()),
            (StyleRole::Dim, format!(" {code:<6}{fold}")),
        ],
    };
    ListRow::new(lead, cells)
}

/// The mark of a row of `kzui check`, which shows whether its places are below it; `None` for a
/// place.
pub(crate) fn fold(model: &Model, rows: &FindingRows, index: usize) -> Option<String> {
    let glyphs = model.glyphs();
    Some(match rows.is_open(index) {
        _ if rows.depth(index) > 0 => return None,
        _ if !rows.has_places() => String::new(),
        Some(true) => format!("{} ", glyphs.open),
        Some(false) => format!("{} ", glyphs.closed),
        None => " ".repeat(width(glyphs.open) + 1),
    })
}

pub(crate) fn problem(model: &Model, index: usize) -> Option<ListRow> {
    let problem = model.problem(index)?;
    let sign = match problem.severity {
        Severity::Note if problem.decider.is_some() => (StyleRole::Warning, model.glyphs().waiting),
        severity => sign(model, severity),
    };
    let cells = vec![
        Cell::new(StyleRole::Place, Keep::Place, &problem.place),
        Cell::new(StyleRole::Text, Keep::Begin, model.problem_message(index)),
    ];
    let fold = fold(model, &model.problems.rows, index);
    Some(row(sign, problem.code.as_str(), fold, cells))
}
