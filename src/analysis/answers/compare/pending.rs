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
    /// The location of the entry that configures the step.
    pub mark: Mark,
    /// True if the step can add resources.
    adds: bool,
}

impl PendingStep {
    /// True if only a download is missing: the same reference gives the same content on both sides.
    fn is_download(&self) -> bool {
        matches!(self.wait.awaited, RequiredAction::Fetch | RequiredAction::FetchOfCatalog(_))
    }
}

/// All pending steps of a build.
#[derive(Debug, Default)]
pub struct PendingSteps {
    steps: Vec<PendingStep>,
    /// The resources of the output that a pending step may write: the memory address of the
    /// resource, and the index of the step.
    writers: QuickMap<usize, usize>,
}

impl PendingSteps {
    /// Collects the pending steps of a build. `output` are the built resources, each with its slot.
    pub(super) fn from_trace<'r>(
        trace: &Trace,
        output: impl Iterator<Item = (Slot, &'r Arc<Resource>)>,
    ) -> Self {
        let mut steps = Vec::new();
        // A layer only gains resources, so its last pending step may write all of them.
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

    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The pending steps, without steps that depend on an earlier pending step.
    pub(super) fn roots(&self) -> impl Iterator<Item = &PendingStep> {
        self.steps.iter().filter(|step| !step.wait.is_for_an_earlier_step())
    }

    /// A pending step that may write a resource of the output.
    pub(super) fn writer_of(&self, resource: &Arc<Resource>) -> Option<&PendingStep> {
        self.steps.get(*self.writers.get(&Arc::as_ptr(resource).addr())?)
    }

    /// A pending step that may add resources and that is not pending in the other build.
    pub(super) fn adder_unlike(&self, other: &Self) -> Option<&PendingStep> {
        self.steps.iter().find(|step| step.adds && !other.has(step))
    }

    /// True if both builds lack exactly the same downloads: the missing parts of both outputs are
    /// then the same.
    pub(super) fn lack_same_downloads(&self, other: &Self) -> bool {
        let is_in = |one: &Self, other: &Self| {
            one.roots().all(|step| step.is_download() && other.has(step))
        };
        is_in(self, other) && is_in(other, self)
    }

    /// True if every pending step of this build is also pending in one of the other builds.
    pub(super) fn is_within(&self, others: [&Self; 2]) -> bool {
        self.roots().all(|step| others.iter().any(|other| other.has(step)))
    }

    fn has(&self, step: &PendingStep) -> bool {
        self.steps
            .iter()
            .any(|other| other.wait.required_action_text() == step.wait.required_action_text())
    }
}

/// True if a pending step may write resources that exist before the step. A patch that waits for
/// its target can only write that target.
fn may_write_others(step: &Step, wait: &Wait) -> bool {
    let adds_only = matches!(step.kind, StepKind::Load | StepKind::Merge | StepKind::Generate);
    let patches = ["patches", "patchesStrategicMerge", "patchesJson6902"];
    let is_for_target = wait.is_for_an_earlier_step() && patches.contains(&step.field);
    !adds_only && !is_for_target && step.kind != StepKind::Validate
}
