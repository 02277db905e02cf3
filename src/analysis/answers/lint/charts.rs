//! Charts that are not rendered without a flag: the output of their targets is not known.

use crate::answers::{Finding, Recording};
use crate::engine::diagnostic::{BuildRemark, Fault, PluginFault};
use crate::engine::evaluate::{ErrorCause, StepError};

/// Reports a build that fails without `--enable-helm` as pending.
pub fn report_charts_as_pending(recording: &Recording, found: &mut [Finding]) {
    let waits = recording.error.as_deref().is_some_and(fails_without_helm_flag);
    let failures = found.iter_mut().filter(|it| waits && it.is_failure());
    for finding in failures {
        finding.replace_failure(BuildRemark::ChartsNotRendered);
    }
}

/// True if the build fails because `--enable-helm` is missing.
pub(in crate::answers) fn fails_without_helm_flag(error: &StepError) -> bool {
    matches!(&error.cause, ErrorCause::Fault(fault) if *fault.innermost() == Fault::Plugin(PluginFault::HelmDisabled))
}
