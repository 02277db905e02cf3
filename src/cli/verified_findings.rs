//! Findings about a build that are verified by building.

use crate::answers;
use crate::engine::evaluate::{BuildOptions, Evaluation};

use super::CliPorts;

/// Adds to the steps of a build the findings that need its complete recording, and the findings
/// that a build without the entry has verified.
pub(super) fn complete(
    evaluation: &mut Evaluation,
    dir: &str,
    options: &BuildOptions,
    outside: &CliPorts<'_>,
) {
    answers::add_trial_findings(evaluation, dir, &outside.current, options, &outside.ports);
}
