//! Requests comparisons.

use super::super::message::Effect;
use super::super::model::Model;
use super::super::ports::{Comparison, ComparisonSides};

/// The comparison of two sides as the workbench shows them now: with the version profile that the
/// user chose, and Secrets masked or shown. `most` limits the trial builds for each target.
pub(crate) fn request_comparison(
    model: &mut Model,
    sides: ComparisonSides,
    most: usize,
) -> (u64, Effect) {
    model.builds.comparisons += 1;
    let request = model.builds.comparisons;
    let show_secrets = !model.look.secrets.are_masked();
    let what = Comparison { sides, most, show_secrets, like: model.like.asked(), bases: false };
    (request, Effect::Compare { request, what })
}
