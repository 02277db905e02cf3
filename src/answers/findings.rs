//! Everything that a person should know about a build: errors, warnings, steps without effect. Every face tells these.

use std::cell::LazyCell;
use std::sync::Arc;

use crate::engine::diagnostic::{Code, Diagnostic, EntryRemark, Fix};
use crate::engine::evaluate::{BuildWarning, Outcome, Step, StepError, StepKind};
use crate::engine::manifest::{Deprecated, Field};
use crate::engine::yaml::Mark;

use super::Recording;
use super::migrate::MIGRATED;
use super::said::Said;

/// One diagnostic of a build, with the step that it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What there is to say.
    pub diagnostic: Diagnostic<Said>,
    /// The step.
    pub step: Option<usize>,
    /// The way from the root, or what is waited for, line by line.
    pub details: Vec<String>,
}

impl Finding {
    fn new(diagnostic: Diagnostic<Said>, step: Option<usize>) -> Self {
        Self { diagnostic, step, details: Vec::new() }
    }

    /// What a step says.
    pub(super) fn of_step(diagnostic: Diagnostic, step: usize) -> Self {
        Self::new(diagnostic.said(), Some(step))
    }

    /// Why a build failed, or a step of it.
    pub(super) fn of_failure(error: &Arc<StepError>, step: Option<usize>) -> Self {
        let diagnostic = Diagnostic::new(Said::Failure(error.clone()), error.mark);
        let details = error.context.iter().map(|line| format!("in {line}")).collect();
        Self { details, ..Self::new(diagnostic.fix(error.fix.clone()), step) }
    }
}

/// Codes that say why a step changed nothing.
const WHY_NOTHING: [Code; 6] =
    [Code::KZ101, Code::KZ102, Code::KZ103, Code::KZ120, Code::KZ121, Code::KZ191];

/// All findings of a build, the worst first: what it fails for stands before every other error.
pub fn findings(recording: &Recording) -> Vec<Finding> {
    let first_waits = recording.trace.first_waits();
    let mut found = Vec::new();
    let mut failed = false;
    let empty = LazyCell::new(|| recording.trace.empty_before());
    for (index, step) in recording.trace.steps.iter().enumerate() {
        if let Outcome::Failed(error) = &step.outcome {
            failed = true;
            found.push(Finding::of_failure(error, Some(index)));
        }
        found.extend(waits(index, step));
        // The engine says better than we can why a target matched nothing.
        if step.warnings.iter().all(|warning| !WHY_NOTHING.contains(&warning.code())) {
            // Of resources that are waited for nobody knows what they say.
            let is_known = first_waits.awaited_by(index).is_none();
            found.extend(no_effect(index, recording, &empty).filter(|_| is_known));
        }
        found.extend(step.warnings.iter().map(|it| Finding::of_step(it.clone(), index)));
    }
    if let Some(error) = recording.error.as_ref().filter(|_| !failed) {
        found.push(Finding::of_failure(error, None));
    }
    found.extend(of_build(recording, &found));
    found.sort_by_key(|finding| {
        (finding.diagnostic.severity(), finding.diagnostic.code() != Code::KZ000)
    });
    found
}

/// What the build as a whole is warned of, without what a step says already.
fn of_build(recording: &Recording, found: &[Finding]) -> Vec<Finding> {
    let is_it = |said: &Said, told: &Diagnostic| matches!(said, Said::Remark(remark) if *remark == told.remark);
    let says = |told: &Diagnostic| found.iter().any(|one| is_it(&one.diagnostic.remark, told));
    let warnings = recording.warnings.iter().filter_map(|warning| {
        let told = |mark| Diagnostic::new(Said::Warning(Box::new(warning.clone())), mark);
        let diagnostic = match warning {
            BuildWarning::OfStep(_) | BuildWarning::FunctionResult { .. } => return None,
            BuildWarning::InFile { diagnostic, .. } if says(diagnostic) => return None,
            BuildWarning::InFile { .. }
            | BuildWarning::OrderTwice
            | BuildWarning::UnusedTrust(_)
            | BuildWarning::FunctionSaid { .. } => told(Mark::default()),
            BuildWarning::Deprecated(Deprecated { field, mark, .. }) => {
                let fix = MIGRATED.contains(field).then(|| Fix::Migrate((*field).to_owned()));
                told(*mark).fix(fix)
            }
        };
        Some(Finding::new(diagnostic, None))
    });
    warnings.collect()
}

/// A step that changed nothing. `empty`: for each step, whether there was any resource.
fn no_effect(
    index: usize,
    recording: &Recording,
    empty: &LazyCell<Vec<bool>, impl FnOnce() -> Vec<bool>>,
) -> Option<Finding> {
    let step = recording.step(index)?;
    // That Kustomize's own steps at the root, and loads, do nothing is nothing to report; that a generator merges what is
    // there already is.
    let merges = step.kind == StepKind::Generate && step.builtin.is_some() && step.matched > 0;
    if !merges {
        step.configured_by().and_then(Field::order)?;
    }
    let (field, argument) = (step.field, step.argument.clone());
    match step.outcome {
        Outcome::MatchedNothing => {
            let is_empty = empty.get(index).copied().unwrap_or_default();
            let remark = EntryRemark::MatchesNothing { field, argument, is_empty };
            let details = [
                "`kustomize build` would exit 0 and say nothing about this",
                "compare it with the resources before this step",
            ];
            let finding = Finding::of_step(Diagnostic::new(remark, step.mark), index);
            Some(Finding { details: details.map(str::to_owned).to_vec(), ..finding })
        }
        Outcome::NoChange => {
            let matched = step.matched;
            let remark = EntryRemark::SaysSoAlready { field, argument, matched };
            Some(Finding::of_step(Diagnostic::new(remark, step.mark), index))
        }
        _ => None,
    }
}

/// A step that waits is no fault: somebody has a decision to make.
fn waits(index: usize, step: &Step) -> Option<Finding> {
    let Outcome::Waiting(wait) = &step.outcome else { return None };
    let what = if step.argument.is_empty() { &step.name } else { &step.argument };
    let said = Said::Waits(what.clone(), wait.clone());
    let finding = Finding::new(Diagnostic::new(said, step.mark), Some(index));
    Some(Finding { details: wait.to_string().lines().map(str::to_owned).collect(), ..finding })
}

/// What a step waits for, in one line; nothing for one that does not wait.
pub fn need(step: &Step) -> Option<String> {
    let Outcome::Waiting(wait) = &step.outcome else { return None };
    Some(wait.need())
}
