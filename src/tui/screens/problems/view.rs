//! Draws the problems of the open target.

use crate::display::counted;
use crate::model::{FindingRows, Model, Severity};

pub(crate) fn title(model: &Model) -> String {
    if !model.opened.has_target {
        return "Problems".to_owned();
    }
    counts_title(&model.problems.rows)
}

pub(crate) fn counts_title(rows: &FindingRows) -> String {
    let words =
        [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")];
    let words = words.map(|(severity, word)| counted(rows.count(severity), word));
    format!("Problems  {}", words.join("  "))
}
