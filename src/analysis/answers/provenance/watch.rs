//! The writes of a watched field in a build, and the steps at which a condition becomes true.

use crate::engine::evaluate::{Step, StepKind, StepOutcome};
use crate::engine::resource::{Change, PathStep, Slot};
use crate::engine::yaml::{Mark, Node};

use super::blame::value_text;
use crate::answers::Recording;
use crate::answers::recording::field::WrittenPath;

#[derive(Clone, Debug)]
pub struct FieldWrite {
    pub step: usize,
    pub path: Vec<PathStep>,
    /// The value before; `None` without the field.
    pub before: Option<Node>,
    /// The value after; `None` if the step removed it.
    pub after: Option<Node>,
    pub mark: Mark,
    pub equal: bool,
}

/// A condition on a resource or step at which a replay stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopCondition {
    Appears(Slot),
    Disappears(Slot),
    /// A field gets this value.
    Equals(Slot, WrittenPath, String),
    /// A step has a warning, is pending or fails.
    Problem,
}

impl Recording {
    /// Every step that wrote a field of a resource, the first one first. These are the steps of
    /// `kzui why`, each with the value before it.
    pub fn writes(&self, slot: Slot, field: &WrittenPath) -> Vec<FieldWrite> {
        let mut writes: Vec<FieldWrite> = Vec::new();
        for writer in self.blame(slot, field).into_iter().rev() {
            let before = writes.last().and_then(|last| last.after.clone());
            writes.push(FieldWrite {
                step: writer.step,
                path: writer.path,
                before,
                after: writer.value,
                mark: writer.mark,
                equal: writer.equal,
            });
        }
        writes
    }

    /// The steps at which the condition becomes true, in order.
    pub fn stop_steps(&self, at: &StopCondition) -> Vec<usize> {
        let steps = |is_it: &dyn Fn(&Step) -> bool| {
            let steps = self.trace.steps.iter().enumerate().filter(|(_, step)| is_it(step));
            steps.map(|(index, _)| index).collect::<Vec<_>>()
        };
        let changes = |slot: &Slot, is_it: fn(bool, bool) -> bool| {
            let is =
                |it: &Change| it.slot == *slot && is_it(it.before.is_some(), it.after.is_some());
            // A merge adds no resources that its base does not have already.
            steps(&|step| step.kind != StepKind::Merge && step.changes.iter().any(is))
        };
        match at {
            StopCondition::Appears(slot) => changes(slot, |before, after| !before && after),
            StopCondition::Disappears(slot) => changes(slot, |before, after| before && !after),
            StopCondition::Equals(slot, field, value) => {
                let is = |node: &Option<Node>| {
                    node.as_ref().is_some_and(|node| value_text(node) == *value)
                };
                let writes = self.writes(*slot, field).into_iter();
                let becomes = writes.filter(|write| is(&write.after) && !is(&write.before));
                becomes.map(|write| write.step).collect()
            }
            StopCondition::Problem => steps(&|step| {
                matches!(step.outcome, StepOutcome::Failed(_) | StepOutcome::Waiting(_))
                    || !step.warnings.is_empty()
            }),
        }
    }
}
