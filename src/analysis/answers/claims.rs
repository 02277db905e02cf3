//! Claims are tried before they are made: what is said about an entry is found out by building without it, or with the
//! proposed change.

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

/// What is suspected about a build and has to be tried before it may be said.
#[derive(Clone, Debug)]
pub struct Trial {
    /// What the build gives as it is.
    output: String,
    suspects: Vec<Suspect>,
    too_early: Option<TooEarly>,
}

/// What was found out by trying.
#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    /// What a step is to say.
    Says(Box<Diagnostic>),
    /// Why a step fails, with what mends it.
    Fails(Arc<StepError>),
}

/// An entry of which nothing seems to be left.
#[derive(Clone, Debug)]
struct Suspect {
    step: usize,
    diagnostic: Diagnostic,
    entry: EntryRef,
}

impl Trial {
    /// What there is to try; nothing when there is no suspicion, or when it cannot be tried because something waits or
    /// a program takes part.
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

    /// The entries of which nothing is left, by step: without each of them the build gives the same output. Of a build that
    /// fails, the entry that stands too early.
    pub fn run(self, files: &Arc<dyn Files>, rebuild: &mut Rebuild<'_>) -> Vec<(usize, Claim)> {
        if let Some(too_early) = self.too_early {
            let mended = too_early.run(files, rebuild).into_iter();
            return mended.map(|(step, error)| (step, Claim::Fails(error))).collect();
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
                dead.push((step, Claim::Says(Box::new(diagnostic))));
            }
        }
        dead
    }
}

/// Adds to the steps of a recording what was found out by trying; `error` is why the build failed.
pub fn say(trace: &mut Trace, mut error: Option<&mut Arc<StepError>>, found: Vec<(usize, Claim)>) {
    for (step, claim) in found {
        let Some(step) = trace.steps.get_mut(step) else { continue };
        match claim {
            Claim::Says(diagnostic) => step.warnings.push(*diagnostic),
            Claim::Fails(mended) => {
                if let Some(error) = error.as_deref_mut() {
                    error.clone_from(&mended);
                }
                step.outcome = Outcome::Failed(mended);
            }
        }
    }
}

/// Whether the build gives the same output when an entry is commented out; nothing when the trial was called off.
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

/// The entry of a kustomization file that makes a step, with those that are commented out in the count.
pub fn entry_of(trace: &Trace, step: &Step, files: &dyn Files) -> Option<EntryRef> {
    let number = step.entry?;
    let file = PathBuf::from(&*trace.layer(step.layer)?.file);
    let outline = Outline::parse(&files.read(&file).ok()?);
    let index = nth_active(&outline, step.field, number)?;
    Some(EntryRef { file, field: step.field.to_owned(), index })
}
