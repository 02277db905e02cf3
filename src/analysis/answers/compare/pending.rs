//! The pending steps of a build, and the resources that they may still write.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::engine::evaluate::{LayerId, Step, StepKind, StepOutcome, Trace, Wait};
use crate::engine::plugin::RequiredAction;
use crate::engine::resource::{QuickMap, Resource, Slot};
use crate::engine::yaml::Mark;

/// A step that is not evaluated.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingStep {
    pub wait: Wait,
    /// The entry that configures it.
    pub mark: Mark,
    /// True if it can add resources.
    adds: bool,
}

impl PendingStep {
    /// True if only a download is missing: the same reference has the same content on both sides.
    fn is_download(&self) -> bool {
        matches!(self.wait.awaited, RequiredAction::Fetch | RequiredAction::FetchOfCatalog(_))
    }
}

/// All pending steps of a build.
#[derive(Debug, Default)]
pub struct PendingSteps {
    steps: Vec<PendingStep>,
    /// The resources of the output that a pending step may write, by their addresses, each with the
    /// index of the step.
    writers: QuickMap<usize, usize>,
}

impl PendingSteps {
    /// Collects them. `output` are the built resources, each with its slot.
    pub(super) fn from_trace<'r>(
        trace: &Trace,
        output: impl Iterator<Item = (Slot, &'r Arc<Resource>)>,
    ) -> Self {
        let mut steps = Vec::new();
        // The resources of a layer only become more: its last step has all of them.
        let mut last: BTreeMap<LayerId, (usize, usize)> = BTreeMap::new();
        for (index, step) in trace.steps.iter().enumerate() {
            let StepOutcome::Waiting(wait) = &step.outcome else { continue };
            if may_write_others(step, wait) {
                last.insert(step.layer, (index, steps.len()));
            }
            let adds = !wait.is_for_an_earlier_step() && step.kind != StepKind::Validate;
            steps.push(PendingStep { wait: (**wait).clone(), mark: step.mark, adds });
        }
        if steps.is_empty() {
            return Self::default();
        }
        let mut slots: QuickMap<Slot, usize> = QuickMap::default();
        for (index, step) in last.into_values() {
            for slot in trace.state_before(index).into_keys() {
                slots.insert(slot, step);
            }
        }
        let writer = |(slot, resource): (Slot, &Arc<Resource>)| {
            slots.get(&slot).map(|step| (Arc::as_ptr(resource).addr(), *step))
        };
        Self { steps, writers: output.filter_map(writer).collect() }
    }

    /// True without pending steps.
    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The pending steps, those that depend on an earlier one left out.
    pub(super) fn roots(&self) -> impl Iterator<Item = &PendingStep> {
        self.steps.iter().filter(|step| !step.wait.is_for_an_earlier_step())
    }

    /// A pending step that may write a resource of the output.
    pub(super) fn writer_of(&self, resource: &Arc<Resource>) -> Option<&PendingStep> {
        self.steps.get(*self.writers.get(&Arc::as_ptr(resource).addr())?)
    }

    /// A pending step that may add resources and that another build does not have.
    pub(super) fn adder_unlike(&self, other: &Self) -> Option<&PendingStep> {
        self.steps.iter().find(|step| step.adds && !other.has(step))
    }

    /// True if both builds lack only the same downloads: the rest of one is the rest of the other.
    pub(super) fn lack_same_downloads(&self, other: &Self) -> bool {
        let is_in = |one: &Self, other: &Self| {
            one.roots().all(|step| step.is_download() && other.has(step))
        };
        is_in(self, other) && is_in(other, self)
    }

    /// True if every pending step of this build is one of the others.
    pub(super) fn is_within(&self, others: [&Self; 2]) -> bool {
        self.roots().all(|step| others.iter().any(|other| other.has(step)))
    }

    fn has(&self, step: &PendingStep) -> bool {
        self.steps
            .iter()
            .any(|other| other.wait.required_action_text() == step.wait.required_action_text())
    }
}

/// True if a pending step may write resources that exist before it. A patch without a target waits
/// for that target alone.
fn may_write_others(step: &Step, wait: &Wait) -> bool {
    let adds_only = matches!(step.kind, StepKind::Load | StepKind::Merge | StepKind::Generate);
    let patches = ["patches", "patchesStrategicMerge", "patchesJson6902"];
    let is_for_target = wait.is_for_an_earlier_step() && patches.contains(&step.field);
    !adds_only && !is_for_target && step.kind != StepKind::Validate
}
