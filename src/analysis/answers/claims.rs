//! Findings that are verified by a build: without the entry, or with the proposed change.

use std::path::PathBuf;
use std::sync::Arc;

use crate::draft::{Draft, Edit, EntryRef};
use crate::engine::diagnostic::{Diagnostic, Hint};
use crate::engine::evaluate::{Outcome, Step, StepError, Trace};
use crate::engine::load::Files;
use crate::engine::manifest::Outline;
use crate::engine::resource::Resource;
use crate::engine::yaml::print_documents;

use super::rebuilt::{Rebuild, nth_active, printed, waits};
use super::too_early::TooEarly;

/// Suspected findings of a build that have to be verified.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The output with all entries.
    output: String,
    suspects: Vec<Suspect>,
    too_early: Option<TooEarly>,
}

/// A finding that a build has verified.
#[derive(Clone, Debug, PartialEq)]
pub enum VerifiedFinding {
    Diagnostic(Box<Diagnostic>),
    /// The error of a step, with a fix.
    Failure(Arc<StepError>),
}

/// An entry whose values all seem to be overridden.
#[derive(Clone, Debug)]
struct Suspect {
    step: usize,
    diagnostic: Diagnostic,
    entry: EntryRef,
}

impl Trial {
    /// None without a suspicion, or if a pending step or a program makes a verification impossible.
    pub fn of(trace: &Trace, output: &[&Resource], files: &dyn Files) -> Option<Self> {
        if trace.steps.iter().any(|step| step.run.is_some() || waits(step)) {
            return None;
        }
        if let Some(too_early) = TooEarly::of(trace, files) {
            let (output, suspects) = (String::new(), Vec::new());
            return Some(Self { output, suspects, too_early: Some(too_early) });
        }
        if output.is_empty() {
            return None;
        }
        let suspect = |(step, diagnostic): (usize, Diagnostic)| {
            let entry = entry_of(trace, trace.steps.get(step)?, files)?;
            Some(Suspect { step, diagnostic, entry })
        };
        let suspects: Vec<Suspect> = trace.suspects().into_iter().filter_map(suspect).collect();
        if suspects.is_empty() {
            return None;
        }
        let output = print_documents(output.iter().map(|resource| &resource.node)).ok()?;
        Some(Self { output, suspects, too_early: None })
    }

    /// The entries whose values are all overridden, by step: without each of them the output is the same. For a build that fails,
    /// the entry that comes too early.
    pub fn run(
        self,
        files: &Arc<dyn Files>,
        rebuild: &mut Rebuild<'_>,
    ) -> Vec<(usize, VerifiedFinding)> {
        if let Some(too_early) = self.too_early {
            let mended = too_early.run(files, rebuild).into_iter();
            return mended.map(|(step, error)| (step, VerifiedFinding::Failure(error))).collect();
        }
        let mut dead = Vec::new();
        let mut tried: Vec<(EntryRef, bool)> = Vec::new();
        for Suspect { step, mut diagnostic, entry } in self.suspects {
            let known = tried.iter().find(|(other, _)| *other == entry).map(|(_, dead)| *dead);
            let is_dead = match known {
                Some(known) => known,
                None => match is_same_without(&entry, &self.output, files, rebuild) {
                    Some(is_dead) => {
                        tried.push((entry, is_dead));
                        is_dead
                    }
                    None => return dead,
                },
            };
            if is_dead {
                diagnostic.hint = diagnostic.hint.map(|hint| Hint::Tried(Box::new(hint)));
                dead.push((step, VerifiedFinding::Diagnostic(Box::new(diagnostic))));
            }
        }
        dead
    }
}

/// Adds verified findings to the steps of a recording; `error` is the one of the build.
pub fn add_verified(
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
                step.outcome = Outcome::Failed(mended);
            }
        }
    }
}

/// Whether the output is the same if an entry is commented out; none if the build was cancelled.
fn is_same_without(
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
    Some(printed(&without).is_some_and(|other| other == output))
}

/// The entry of a kustomization file that makes a step. Its index counts those that are commented out.
pub fn entry_of(trace: &Trace, step: &Step, files: &dyn Files) -> Option<EntryRef> {
    let number = step.entry?;
    let file = PathBuf::from(&*trace.layer(step.layer)?.file);
    let outline = Outline::parse(&files.read(&file).ok()?);
    let index = nth_active(&outline, step.field, number)?;
    Some(EntryRef { file, field: step.field.to_owned(), index })
}
