//! Claims are tried before they are made: what is said about an entry is found out by building without it, or with the
//! proposed change.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::draft::{Draft, Edit, EntryRef};
use crate::engine::diagnostic::Diagnostic;
use crate::engine::evaluate::{Evaluation, Outcome, Step, StepError, Trace};
use crate::engine::load::Files;
use crate::engine::manifest::Outline;
use crate::engine::resource::Resource;
use crate::engine::yaml::print_documents;

use super::too_early::TooEarly;

/// Builds the same target with other files; nothing when nobody wants the answer any more.
pub type Rebuild<'a> = dyn FnMut(Arc<dyn Files>) -> Option<Evaluation> + 'a;

/// What is suspected about a build and has to be tried before it may be said.
#[derive(Clone, Debug)]
pub struct Trial {
    /// What the build gives as it is.
    output: String,
    suspects: Vec<Suspect>,
    too_early: Option<TooEarly>,
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
    pub fn run(
        self,
        files: &Arc<dyn Files>,
        rebuild: &mut Rebuild<'_>,
    ) -> Vec<(usize, Diagnostic)> {
        if let Some(too_early) = self.too_early {
            return too_early.run(files, rebuild).into_iter().collect();
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
                let hint = "change the value there, or remove this entry: the output of this target is the same \
                            without it";
                diagnostic.hint = Some(hint.to_owned());
                dead.push((step, diagnostic));
            }
        }
        dead
    }
}

/// Adds to the steps of a recording what was found out by trying; `error` is why the build failed.
pub fn say(
    trace: &mut Trace,
    mut error: Option<&mut Arc<StepError>>,
    found: Vec<(usize, Diagnostic)>,
) {
    for (step, diagnostic) in found {
        let Some(step) = trace.steps.get_mut(step) else { continue };
        let Outcome::Failed(failed) = &mut step.outcome else {
            step.warnings.push(diagnostic);
            continue;
        };
        let told =
            StepError { hint: diagnostic.hint, fix: diagnostic.fix, ..StepError::clone(failed) };
        *failed = Arc::new(told);
        if let Some(error) = error.as_deref_mut() {
            error.clone_from(failed);
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

/// The place of the entry that is the nth of those in force.
pub fn nth_active(outline: &Outline, field: &str, number: usize) -> Option<usize> {
    let field = outline.field(field).filter(|field| !field.disabled)?;
    let active = field.entries.iter().enumerate().filter(|(_, entry)| !entry.disabled);
    active.map(|(index, _)| index).nth(number)
}

/// The output as it is printed; nothing for a build that failed or that waits for something.
pub fn printed(evaluation: &Evaluation) -> Option<String> {
    let resources = evaluation.outcome.as_ref().ok()?;
    if evaluation.trace.steps.iter().any(waits) {
        return None;
    }
    print_documents(resources.iter().map(|resource| &resource.node)).ok()
}

/// True for a step of which nobody can say yet what comes of it.
fn waits(step: &Step) -> bool {
    matches!(step.outcome, Outcome::Waiting(_))
}

/// The line of a field that is in force in a kustomization file.
pub fn line_of(files: &dyn Files, file: &Path, field: &str) -> Option<u32> {
    let outline = Outline::parse(&files.read(file).ok()?);
    outline.field(field).filter(|field| !field.disabled).map(|field| field.line)
}
