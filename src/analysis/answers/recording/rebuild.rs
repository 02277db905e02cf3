//! Builds of a target with other files, and their results.

use std::sync::Arc;

use crate::engine::evaluate::{Evaluation, Step, StepOutcome};
use crate::engine::load::Files;
use crate::engine::manifest::Outline;
use crate::engine::yaml::print_documents;

/// The part of the result that a trial build needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedFor {
    Steps,
    Output,
}

/// Builds the same target with other files; `None` if the result is no longer needed.
pub type Rebuild<'a> = dyn FnMut(Arc<dyn Files>) -> Option<Evaluation> + 'a;

/// The index of the nth active entry among all entries of a field.
pub fn nth_active(outline: &Outline, field: &str, number: usize) -> Option<usize> {
    let field = outline.field(field).filter(|field| !field.disabled)?;
    let active = field.entries.iter().enumerate().filter(|(_, entry)| !entry.disabled);
    active.map(|(index, _)| index).nth(number)
}

/// The printed output; `None` for a build that failed or has pending steps.
pub fn printed_output(evaluation: &Evaluation) -> Option<String> {
    let resources = evaluation.outcome.as_ref().ok()?;
    if evaluation.trace.steps.iter().any(is_pending) {
        return None;
    }
    print_documents(resources.iter().map(|resource| &resource.node)).ok()
}

pub(in crate::answers) fn is_pending(step: &Step) -> bool {
    matches!(step.outcome, StepOutcome::Waiting(_))
}
