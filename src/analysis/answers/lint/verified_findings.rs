//! Findings that are verified by a build: without the entry, or with the proposed change.

use std::path::PathBuf;
use std::sync::Arc;

use crate::draft::{Draft, Edit, EntryRef};
use crate::engine::diagnostic::{Diagnostic, Hint};
use crate::engine::evaluate::{Step, StepError, StepOutcome, Trace};
use crate::engine::load::Files;
use crate::engine::manifest::Outline;
use crate::engine::resource::Resource;
use crate::engine::yaml::print_documents;

use super::early_entries::moves_for_failed_step;
use crate::answers::recording::build::{Rebuild, is_pending, nth_active, printed_output};

/// The limit on changes of resources in all trials of one build: each trial repeats the build, so
/// that entries that write the same fields of many resources take quadratic time.
const MAX_TRIED_CHANGES: usize = 1 << 21;

#[derive(Clone, Debug)]
pub struct ClaimTrial {
    /// The output of the build; empty for a build that fails.
    output: String,
    claims: Vec<Claim>,
    trials: usize,
}

pub(in crate::answers) type StepFilter<'a> = dyn FnMut(&Trace, &Step) -> bool + 'a;

#[derive(Clone, Debug, PartialEq)]
pub enum VerifiedFinding {
    Diagnostic(Box<Diagnostic>),
    Failure(Arc<StepError>),
}

/// A finding that holds if a build with the edit has the same output, or has one after a failure.
#[derive(Clone, Debug)]
struct Claim {
    step: usize,
    edit: Edit,
    finding: VerifiedFinding,
}

impl ClaimTrial {
    /// The suspected findings of a recorded build. `None` without a suspicion, or if a pending step
    /// or a program makes a verification impossible.
    pub fn from_trace(trace: &Trace, output: &[&Resource], files: &dyn Files) -> Option<Self> {
        Self::of_wanted_steps(trace, output, files, &mut |_, _| true)
    }

    /// Like [`Self::from_trace`]; of the steps that seem to be overridden, those that `is_wanted`
    /// accepts.
    pub(in crate::answers) fn of_wanted_steps(
        trace: &Trace,
        output: &[&Resource],
        files: &dyn Files,
        is_wanted: &mut StepFilter<'_>,
    ) -> Option<Self> {
        if trace.steps.iter().any(|step| step.run.is_some() || is_pending(step)) {
            return None;
        }
        let moves = moves_for_failed_step(trace, files).into_iter().map(|(step, edit, error)| {
            Claim { step, edit, finding: VerifiedFinding::Failure(error) }
        });
        let claims: Vec<Claim> = moves.collect();
        if !claims.is_empty() {
            return Some(Self { output: String::new(), claims, trials: usize::MAX });
        }
        if output.is_empty() {
            return None;
        }
        let suspect = |(step, mut diagnostic): (usize, Diagnostic)| {
            let wanted = trace.steps.get(step).filter(|it| is_wanted(trace, it))?;
            let edit = Edit::ToggleEntry(step_entry(trace, wanted, files)?);
            diagnostic.hint = diagnostic.hint.map(|hint| Hint::Verified(Box::new(hint)));
            Some(Claim { step, edit, finding: VerifiedFinding::Diagnostic(Box::new(diagnostic)) })
        };
        let claims: Vec<Claim> =
            trace.overridden_candidates().into_iter().filter_map(suspect).collect();
        if claims.is_empty() {
            return None;
        }
        let output = print_documents(output.iter().map(|resource| &resource.node)).ok()?;
        let changes: usize = trace.steps.iter().map(|step| step.changes.len() + 1).sum();
        Some(Self { output, claims, trials: MAX_TRIED_CHANGES / changes.max(1) })
    }

    /// Verifies the suspected findings. Returns the overridden entries, by step: without each of
    /// them the output is the same. For a build that fails because an entry comes too early,
    /// returns the failed step with the fix.
    pub fn run(
        self,
        files: &Arc<dyn Files>,
        rebuild: &mut Rebuild<'_>,
    ) -> Vec<(usize, VerifiedFinding)> {
        let mut found = Vec::new();
        let mut tried: Vec<(Edit, bool)> = Vec::new();
        for Claim { step, edit, finding } in self.claims {
            let known = tried.iter().find(|(other, _)| *other == edit).map(|(_, holds)| *holds);
            let holds = match known {
                Some(known) => known,
                // A claim that was not tried is not known to be true, so it is not reported.
                None if tried.len() >= self.trials => continue,
                None => {
                    let Some(holds) = holds_with(&edit, &self.output, files, rebuild) else {
                        break;
                    };
                    tried.push((edit, holds));
                    holds
                }
            };
            if holds {
                let is_last = matches!(finding, VerifiedFinding::Failure(_));
                found.push((step, finding));
                if is_last {
                    break;
                }
            }
        }
        found
    }
}

pub fn add_verified_findings(
    trace: &mut Trace,
    mut error: Option<&mut Arc<StepError>>,
    found: Vec<(usize, VerifiedFinding)>,
) {
    for (step, verified) in found {
        let Some(step) = trace.steps.get_mut(step) else { continue };
        match verified {
            VerifiedFinding::Diagnostic(diagnostic) => step.warnings.push(*diagnostic),
            VerifiedFinding::Failure(mended) => {
                if let Some(error) = error.as_deref_mut() {
                    error.clone_from(&mended);
                }
                step.outcome = StepOutcome::Failed(mended);
            }
        }
    }
}

/// True if a build with the edit has this output, or any if none is given; `None` if the build was
/// cancelled.
fn holds_with(
    edit: &Edit,
    output: &str,
    files: &Arc<dyn Files>,
    rebuild: &mut Rebuild<'_>,
) -> Option<bool> {
    let mut draft = Draft::default();
    if draft.apply(edit, &**files).is_err() {
        return Some(false);
    }
    let built = rebuild(draft.files(files.clone()))?;
    Some(printed_output(&built).is_some_and(|other| output.is_empty() || other == output))
}

/// The entry of a kustomization file that makes a step. Its index counts commented entries as well.
pub fn step_entry(trace: &Trace, step: &Step, files: &dyn Files) -> Option<EntryRef> {
    let number = step.entry?;
    let file = PathBuf::from(&*trace.layer(step.layer)?.file);
    let outline = Outline::parse(&files.read(&file).ok()?);
    let index = nth_active(&outline, step.field, number)?;
    Some(EntryRef { file, field: step.field.to_owned(), index })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::answers::lint::verified_findings::*;
    use crate::engine::evaluate::{BuildCache, BuildOptions, Ports, evaluate};
    use crate::engine::load::MemoryFiles;

    /// Four entries that a fifth one overrides: as many are found as builds are allowed.
    #[test]
    fn builds_to_try_entries_are_limited() {
        let entry = |count: usize| format!("- {{name: web, count: {count}}}\n");
        let replicas: String = (2..7).map(entry).collect();
        let text = format!("resources: [r.yaml]\nreplicas:\n{replicas}");
        let web = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n";
        let files = MemoryFiles::default().file("/k/kustomization.yaml", text);
        let files: Arc<dyn Files> = Arc::new(files.file("/k/r.yaml", web));
        let build = |files: Arc<dyn Files>| {
            let ports = Ports { files, ..Ports::of_files(MemoryFiles::default()) };
            let (options, mut memory) = (BuildOptions::default(), BuildCache::default());
            evaluate("/k", Path::new("/"), &options, &ports, &mut memory)
        };
        let built = build(files.clone());
        let output: Vec<&Resource> = built.outcome.iter().flatten().map(|it| &**it).collect();
        for (limit, count) in [(None, 4), (Some(2), 2), (Some(0), 0)] {
            let mut trial = ClaimTrial::from_trace(&built.trace, &output, &*files).unwrap();
            trial.trials = limit.unwrap_or(trial.trials);
            let mut builds = 0;
            let found = trial.run(&files, &mut |files| {
                builds += 1;
                Some(build(files))
            });
            assert_eq!((found.len(), builds), (count, count));
        }
    }
}
