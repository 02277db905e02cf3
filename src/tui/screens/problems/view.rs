//! Draws the problems of the open target.

use crate::display::counted;
use crate::model::{Model, Severity};

/// The title of the list of problems, with the number of each severity if a target is open.
pub(crate) fn title(model: &Model) -> String {
    if !model.opened.has_target {
        return "Problems".to_owned();
    }
    let count =
        |severity| model.problems.all.iter().filter(|problem| problem.severity == severity).count();
    counts_title(count(Severity::Error), count(Severity::Warning), count(Severity::Note))
}

/// The title of a list of problems with these counts.
pub(crate) fn counts_title(errors: usize, warnings: usize, notes: usize) -> String {
    let (errors, warnings) = (counted(errors, "error"), counted(warnings, "warning"));
    format!("Problems  {errors}  {warnings}  {}", counted(notes, "note"))
}
