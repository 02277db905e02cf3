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

use super::early_entries::EntryMoveTrial;
use crate::answers::recording::build::{Rebuild, is_pending, nth_active, printed_output};

/// The limit on changes of resources in all trials of one build: each trial repeats the build, so
/// that entries that write the same fields of many resources take quadratic time.
const MAX_TRIED_CHANGES: usize = 1 << 21;

#[derive(Clone, Debug)]
pub struct ClaimTrial {
    output: String,
    suspects: Vec<SuspectedEntry>,
    too_early: Option<EntryMoveTrial>,
    trials: usize,
}

pub(in crate::answers) type StepFilter<'a> = dyn FnMut(&Trace, &Step) -> bool + 'a;

#[derive(Clone, Debug, PartialEq)]
pub enum VerifiedFinding {
    Diagnostic(Box<Diagnostic>),
    Failure(Arc<StepError>),
}

/// An entry all of whose values seem to be overridden.
#[derive(Clone, Debug)]
struct SuspectedEntry {
    step: usize,
    diagnostic: Diagnostic,
    entry: EntryRef,
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
        if let Some(too_early) = EntryMoveTrial::from_trace(trace, files) {
            let (output, suspects) = (String::new(), Vec::new());
            return Some(Self { output, suspects, too_early: Some(too_early), trials: 0 });
        }
        if output.is_empty() {
            return None;
        }
        let suspect = |(step, diagnostic): (usize, Diagnostic)| {
            let wanted = trace.steps.get(step).filter(|it| is_wanted(trace, it))?;
            let entry = step_entry(trace, wanted, files)?;
            Some(SuspectedEntry { step, diagnostic, entry })
        };
        let candidates = trace.overridden_candidates().into_iter();
        let suspects: Vec<SuspectedEntry> = candidates.filter_map(suspect).collect();
        if suspects.is_empty() {
            return None;
        }
        let output = print_documents(output.iter().map(|resource| &resource.node)).ok()?;
        let changes: usize = trace.steps.iter().map(|step| step.changes.len() + 1).sum();
        let trials = MAX_TRIED_CHANGES / changes.max(1);
        Some(Self { output, suspects, too_early: None, trials })
    }

    /// Verifies the suspected findings. Returns the overridden entries, by step: without each of
    /// them the output is the same. For a build that fails because an entry comes too early,
    /// returns the failed step with the fix.
    pub fn run(
        self,
        files: &Arc<dyn Files>,
        rebuild: &mut Rebuild<'_>,
    ) -> Vec<(usize, VerifiedFinding)> {
        if let Some(too_early) = self.too_early {
            let failed = too_early.run(files, rebuild);
            return failed
                .map(|(step, it)| (step, VerifiedFinding::Failure(it)))
                .into_iter()
                .collect();
        }
        let mut dead = Vec::new();
        let mut tried: Vec<(EntryRef, bool)> = Vec::new();
        for SuspectedEntry { step, mut diagnostic, entry } in self.suspects {
            let known = tried.iter().find(|(other, _)| *other == entry).map(|(_, dead)| *dead);
            let is_dead = match known {
                Some(known) => known,
                // An entry that was not tried is not known to be without effect, so it is not
                // reported.
                None if tried.len() >= self.trials => continue,
                None => match is_output_same_without(&entry, &self.output, files, rebuild) {
                    Some(is_dead) => {
                        tried.push((entry, is_dead));
                        is_dead
                    }
                    None => return dead,
                },
            };
            if is_dead {
                diagnostic.hint = diagnostic.hint.map(|hint| Hint::Verified(Box::new(hint)));
                dead.push((step, VerifiedFinding::Diagnostic(Box::new(diagnostic))));
            }
        }
        dead
    }
}

/// Adds verified findings to the steps of a recording; `error` is the error of the build.
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

/// True if the output is the same with the entry commented out; `None` if the build was cancelled.
fn is_output_same_without(
    entry: &EntryRef,
    output: &str,
    files: &Arc<dyn Files>,
    rebuild: &mut Rebuild<'_>,
) -> Option<bool> {
    let mut draft = Draft::default();
    if draft.apply(&Edit::ToggleEntry(entry.clone()), &**files).is_err() {
        return Some(false);
    }
    let without = rebuild(draft.files(files.clone()))?;
    Some(printed_output(&without).is_some_and(|other| other == output))
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

    /// The number of entries found to be without effect, and the number of builds for that. The
    /// tree has four entries that a fifth entry overrides; `trials` limits the builds.
    fn count_removed_entries_and_builds(trials: Option<usize>) -> (usize, usize) {
        let entry = |count: usize| format!("- {{name: web, count: {count}}}\n");
        let replicas: String = (2..7).map(entry).collect();
        let files: Arc<dyn Files> = Arc::new(
            MemoryFiles::default()
                .file(
                    "/k/kustomization.yaml",
                    format!("resources: [r.yaml]\nreplicas:\n{replicas}"),
                )
                .file(
                    "/k/r.yaml",
                    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n",
                ),
        );
        let build = |files: Arc<dyn Files>| {
            let ports = Ports { files, ..Ports::of_files(MemoryFiles::default()) };
            evaluate(
                "/k",
                Path::new("/"),
                &BuildOptions::default(),
                &ports,
                &mut BuildCache::default(),
            )
        };
        let built = build(files.clone());
        let output: Vec<&Resource> = built.outcome.iter().flatten().map(|it| &**it).collect();
        let mut trial = ClaimTrial::from_trace(&built.trace, &output, &*files).unwrap();
        trial.trials = trials.unwrap_or(trial.trials);
        let mut builds = 0;
        let found = trial.run(&files, &mut |files| {
            builds += 1;
            Some(build(files))
        });
        (found.len(), builds)
    }

    #[test]
    fn builds_to_try_entries_are_limited() {
        assert_eq!(count_removed_entries_and_builds(None), (4, 4));
        assert_eq!(count_removed_entries_and_builds(Some(2)), (2, 2));
        assert_eq!(count_removed_entries_and_builds(Some(0)), (0, 0));
    }
}
