//! A target built again with other files, and what comes of it.

use std::sync::Arc;

use crate::engine::evaluate::{Evaluation, Outcome, Step};
use crate::engine::load::Files;
use crate::engine::manifest::Outline;
use crate::engine::yaml::print_documents;

/// What is asked of a build that is done to find something out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedFor {
    Steps,
    Output,
}

/// Builds the same target with other files; nothing when nobody wants the answer any more.
pub type Rebuild<'a> = dyn FnMut(Arc<dyn Files>) -> Option<Evaluation> + 'a;

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
pub(super) fn waits(step: &Step) -> bool {
    matches!(step.outcome, Outcome::Waiting(_))
}
