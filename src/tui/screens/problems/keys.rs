//! Opens a problem: its file, its step, or the screen on which the user decides.

use std::path::PathBuf;

use crate::model::{Model, Pane};
use crate::screens::functions;
use crate::update::selection::focus;
use crate::update::{finding_rows, time};

pub(crate) fn place(model: &Model) -> Option<(PathBuf, u32)> {
    let problem = model.problem(model.list(Pane::Problems).selected)?;
    Some((problem.file.clone()?, problem.line.max(1)))
}

/// Shows the places of a problem, goes to its step, or to the screen on which the user decides about
/// a pending step.
pub(crate) fn open(model: &mut Model) {
    if finding_rows::open(model, Pane::Problems) {
        return;
    }
    let problem = model.problem(model.list(Pane::Problems).selected);
    if let Some(decider) = problem.and_then(|problem| problem.decider) {
        return functions::keys::decide(model, decider);
    }
    match problem.and_then(|problem| problem.step) {
        Some(step) => time::show_step(model, step),
        None => focus(model, Pane::Explanation),
    }
}
