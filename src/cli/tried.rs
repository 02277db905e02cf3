//! What is said about a build, tried before it is said.

use crate::answers;
use crate::engine::evaluate::{BuildOptions, Evaluation};

use super::Outside;

/// Adds to the steps of a build what only the whole recording tells, and what was found out by building without an entry.
pub(super) fn complete(
    evaluation: &mut Evaluation,
    dir: &str,
    options: &BuildOptions,
    outside: &Outside<'_>,
) {
    answers::complete(evaluation, dir, &outside.current, options, &outside.ports);
}
