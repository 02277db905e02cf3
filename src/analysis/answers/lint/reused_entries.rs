//! Entries of files that a build uses more than once, such as a component that two layers list: an
//! entry without effect in one layer may have one in another.

use crate::engine::diagnostic::EntryEffect;
use crate::engine::evaluate::{Step, StepOutcome};
use crate::engine::yaml::Mark;

use crate::answers::{Finding, Recording};

/// True if another layer uses the entry of a finding as well, and the finding does not apply to
/// that use or this is not known.
pub(in crate::answers) fn may_not_apply_elsewhere(
    finding: &Finding,
    recording: &Recording,
    findings: &[Finding],
) -> bool {
    let same: &[EntryEffect] = match finding.diagnostic.code().effect() {
        Some(EntryEffect::Unchanged) => &[EntryEffect::Unchanged, EntryEffect::NoMatch],
        Some(EntryEffect::NoMatch) => &[EntryEffect::NoMatch],
        _ => return false,
    };
    let Some(index) = finding.step else { return false };
    let Some(step) = recording.step(index) else { return false };
    if step.entry.is_none() {
        return false;
    }
    let at = |mark: Mark| (recording.file(mark), mark.line, mark.column);
    let is_again = |other: &Step| {
        (other.field, other.entry, at(other.mark)) == (step.field, step.entry, at(step.mark))
            && other.layer != step.layer
    };
    let steps = recording.trace.steps.iter().enumerate();
    steps.filter(|(_, other)| is_again(other)).any(|(other, again)| {
        let says_so = |it: &Finding| {
            it.step == Some(other)
                && at(it.diagnostic.mark) == at(finding.diagnostic.mark)
                && it.diagnostic.code().effect().is_some_and(|effect| same.contains(&effect))
        };
        match again.outcome {
            StepOutcome::Failed(_) => false,
            _ => !findings.iter().any(says_so),
        }
    })
}
