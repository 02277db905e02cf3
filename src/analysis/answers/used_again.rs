//! An entry whose file is used more than once in a build, as a component is that two layers list: what it does not do in one
//! place it may do in another.

use crate::engine::diagnostic::Code;
use crate::engine::evaluate::{Outcome, Step};
use crate::engine::yaml::Mark;

use super::{Finding, Recording};

/// Codes that say that an entry is for no resource.
const FOR_NOTHING: [Code; 4] = [Code::KZ101, Code::KZ102, Code::KZ120, Code::KZ122];

/// True when what is said of one step of an entry is not so of another step of the same entry, or nobody knows yet.
pub(super) fn does_more(finding: &Finding, recording: &Recording, findings: &[Finding]) -> bool {
    let code = finding.diagnostic.code();
    let same: &[Code] = match code {
        Code::KZ103 => &[Code::KZ103, Code::KZ101, Code::KZ102, Code::KZ120, Code::KZ122],
        code if FOR_NOTHING.contains(&code) => &FOR_NOTHING,
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
                && same.contains(&it.diagnostic.code())
        };
        match again.outcome {
            Outcome::Failed(_) => false,
            _ => !findings.iter().any(says_so),
        }
    })
}
