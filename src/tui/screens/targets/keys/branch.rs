//! Changes of the branch in each target: a column of the Board, on request.

use std::sync::Arc;

use crate::answers::compare::{CompareReport, ComparisonResult, summary};
use crate::model::{DraftImpact, Model, WorkKind};
use crate::ports::ComparisonSides;
use crate::screens::compared;
use crate::theme::StyleRole;
use crate::update::{note, say, warn};

/// Requests the changes of the branch in each target; if they are already known, opens their
/// comparison with the edits that caused them.
pub(crate) fn run(model: &mut Model) {
    if model.branch.report.as_deref().is_some_and(|report| !report.targets.is_empty()) {
        return compared::keys::ask(model, ComparisonSides::Branch);
    }
    note(model, BUILDING);
    ask(model);
}

/// The beginning of the message while the targets are compared.
const BUILDING: &str = "building the default branch…";

/// Adds the number of compared targets to the shown message about the comparison.
pub(crate) fn update_progress_message(model: &mut Model) {
    let progress = model.work.progress(WorkKind::Branch);
    let status = model.status.as_mut().filter(|status| status.text.starts_with(BUILDING));
    if let Some((status, (done, all))) = status.zip(progress) {
        status.text = format!("{BUILDING} {done} of {all} targets compared (ctrl-c: cancel)");
    }
}

/// Requests the comparison, even if an earlier one is running.
pub(crate) fn ask(model: &mut Model) {
    model.branch = DraftImpact::default();
    model.work.cancel(WorkKind::Branch);
    model.start_comparison(WorkKind::Branch, ComparisonSides::Branch, 0);
    model.board.edition += 1;
}

pub(crate) fn handle_branch_comparison(
    model: &mut Model,
    result: Result<Arc<CompareReport>, String>,
) {
    model.board.edition += 1;
    match result {
        Err(reason) => {
            warn(model, format!("changes of the branch not known: {reason}"));
            model.branch.error = Some(reason);
        }
        Ok(report) => {
            let found = match report.result() {
                ComparisonResult::Same => format!("no output differs from {}", report.before),
                ComparisonResult::Different => {
                    format!("{} (gb: by edit)", summary(&report))
                }
                ComparisonResult::NotKnown => format!("{} (gb: reasons)", summary(&report)),
            };
            // The comparison may end after a first edit.
            let words = if model.has_draft() {
                format!("branch without the draft: {found}")
            } else {
                found
            };
            say(model, StyleRole::Text, words);
            model.branch.report = Some(report);
        }
    }
}
