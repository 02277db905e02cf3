//! Passes the result of a comparison to the screen that requested it.

use super::super::message::Effect;
use super::super::model::Model;
use crate::answers::compare::CompareReport;
use crate::screens::{change, compared, targets};

/// Handles the answer of a comparison: of the draft, of the branch, of an edit, or of two sides.
pub(crate) fn handle_comparison(
    model: &mut Model,
    request: u64,
    result: Result<Box<CompareReport>, String>,
) -> Vec<Effect> {
    let is = |asked: Option<u64>| asked == Some(request);
    if is(model.reach.request) {
        return targets::keys::handle_draft_comparison(model, result.map(|report| *report));
    }
    if is(model.branch.request) {
        return targets::keys::branch::handle_branch_comparison(
            model,
            result.map(|report| *report),
        );
    }
    if is(model.edits.effects.request) {
        return change::keys::handle_report(model, result.map(|report| *report));
    }
    compared::keys::handle_report(model, request, result)
}
