//! Draws the problems of the open target.

use crate::display::counted;
use crate::model::{Model, Severity};

pub(crate) fn title(model: &Model) -> String {
    if !model.opened.has_target {
        return "Problems".to_owned();
    }
    counts_title(|severity| model.problems.count_of(severity))
}

pub(crate) fn counts_title(count: impl Fn(Severity) -> usize) -> String {
    let words =
        [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")];
    let words = words.map(|(severity, word)| counted(count(severity), word));
    format!("Problems  {}", words.join("  "))
}
