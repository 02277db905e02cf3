//! Dependencies on pending steps: the input of a step is not known while an earlier step is
//! pending.

use crate::resource::QuickMap;

use super::{Layer, LayerId, Step, StepOutcome, Trace};

/// The first pending step of each layer, nested layers included.
#[derive(Debug)]
pub struct FirstPendingSteps<'t> {
    trace: &'t Trace,
    first: QuickMap<LayerId, usize>,
}

impl Trace {
    /// Collects the first pending steps once, for queries about many steps.
    pub fn first_pending_steps(&self) -> FirstPendingSteps<'_> {
        let mut first = QuickMap::default();
        for (index, step) in self.steps.iter().enumerate() {
            let mut layer =
                Some(step.layer).filter(|_| matches!(step.outcome, StepOutcome::Waiting(_)));
            // If a layer already has a first pending step, then so do its enclosing layers.
            while let Some(id) = layer.filter(|id| !first.contains_key(id)) {
                first.insert(id, index);
                layer = self.layer(id).and_then(|Layer { parent, .. }| *parent);
            }
        }
        FirstPendingSteps { trace: self, first }
    }

    /// Marks the steps without effect after a pending step on the same resources.
    pub(super) fn mark_steps_after_pending(&mut self) {
        let first = self.first_pending_steps();
        if first.first.is_empty() {
            return;
        }
        let is_after = |(index, step): (usize, &Step)| {
            let is_silent =
                matches!(step.outcome, StepOutcome::NoChange | StepOutcome::MatchedNothing);
            is_silent && !step.field.is_empty() && first.pending_input(index).is_some()
        };
        let is_after: Vec<bool> = self.steps.iter().enumerate().map(is_after).collect();
        for (step, is_after) in self.steps.iter_mut().zip(is_after) {
            step.is_after_pending = is_after;
        }
    }
}

impl FirstPendingSteps<'_> {
    /// The name of the pending item, in an earlier step on the same resources, that makes the input
    /// of a step unknown.
    pub fn pending_input(&self, index: usize) -> Option<String> {
        let owner = self.trace.accumulator_of(self.trace.steps.get(index)?.layer);
        let first = *self.first.get(&owner).filter(|first| **first < index)?;
        let waits = self.trace.steps.get(first)?;
        let what = if waits.argument.is_empty() { &waits.name } else { &waits.argument };
        Some(what.to_string())
    }
}
