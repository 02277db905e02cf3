//! The pending steps of a build, and the resources that they may still write.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{FieldPath, FieldSegment};
use crate::answers::recording::field::leaves;
use crate::engine::diagnostic::WithheldStep;
use crate::engine::evaluate::{LayerId, Step, StepKind, StepOutcome, Trace, Wait, WaitCause};
use crate::engine::plugin::RequiredAction;
use crate::engine::resource::{PathStep, QuickMap, Resource, Slot};
use crate::engine::yaml::{Mark, Node};

#[derive(Clone, Debug, PartialEq)]
pub struct PendingStep {
    pub wait: Wait,
    pub mark: Mark,
    adds: bool,
}

/// For one layer: the number of its last pending step, and all its pending steps with their
/// numbers.
type LayerPendingSteps<'s> = (usize, Vec<(usize, &'s Step)>);

impl PendingStep {
    /// True for an element without a directory in the repository: if both builds lack it, neither
    /// revision has anything to compare.
    pub(super) fn lacks_directory(&self) -> bool {
        matches!(self.wait.why, WaitCause::Withheld(WithheldStep::NoDirectory(_)))
    }

    /// True if only a download is missing: the same reference gives the same content on both sides.
    pub(super) fn is_download(&self) -> bool {
        matches!(self.wait.awaited, RequiredAction::Fetch | RequiredAction::FetchOfCatalog(_))
    }
}

/// The indices of pending steps, each with the paths in a resource that the step may write; an empty
/// path is any field.
type PendingWrites = Vec<(usize, Vec<Vec<String>>)>;

#[derive(Debug, Default)]
pub struct PendingSteps {
    steps: Vec<PendingStep>,
    /// The parts of the output that pending steps may write, by the memory address of the resource.
    writers: QuickMap<usize, PendingWrites>,
}

#[derive(Clone, Debug)]
pub(super) struct UnknownField<'a> {
    pub step: &'a PendingStep,
    /// The keys of the path, with `*` for any element of a list; empty for any field.
    pub path: &'a [String],
}

impl UnknownField<'_> {
    /// True if the field is at, above or below the path that the pending step may write.
    pub(super) fn overlaps(&self, field: &FieldPath) -> bool {
        let is_same = |(part, segment): (&String, &FieldSegment)| match segment {
            FieldSegment::Key(key) => part == key,
            FieldSegment::Element(..) | FieldSegment::Index(_) => {
                matches!(&**part, "*" | "-")
                    || part.starts_with('[')
                    || part.parse::<usize>().is_ok()
            }
        };
        self.path.iter().zip(&field.0).all(is_same)
    }
}

impl PendingSteps {
    pub(super) fn from_trace<'r>(
        trace: &Trace,
        output: impl Iterator<Item = (Slot, &'r Arc<Resource>)>,
    ) -> Self {
        let mut steps = Vec::new();
        // A layer only gains resources, so the resources before its last pending step include those
        // before the others.
        let mut by_layer: BTreeMap<LayerId, LayerPendingSteps<'_>> = BTreeMap::new();
        for (index, step) in trace.steps.iter().enumerate() {
            let StepOutcome::Waiting(wait) = &step.outcome else { continue };
            if may_write_existing_resources(step, wait) {
                let (last, of_layer) = by_layer.entry(step.layer).or_default();
                *last = index;
                of_layer.push((steps.len(), step));
            }
            let adds = !wait.is_for_an_earlier_step() && step.kind != StepKind::Validate;
            steps.push(PendingStep { wait: (**wait).clone(), mark: step.mark, adds });
        }
        if steps.is_empty() {
            return Self::default();
        }
        let mut slots: QuickMap<Slot, PendingWrites> = QuickMap::default();
        for (last, of_layer) in by_layer.into_values() {
            for (slot, resource) in trace.state_before(last) {
                let parts =
                    of_layer.iter().map(|(at, step)| (*at, writable_paths(step, &resource)));
                let parts = parts.filter(|(_, paths)| !paths.is_empty());
                slots.entry(slot).or_default().extend(parts);
            }
        }
        let writers = output.filter_map(|(slot, resource)| {
            let parts = slots.get(&slot).filter(|parts| !parts.is_empty())?;
            Some((Arc::as_ptr(resource).addr(), parts.clone()))
        });
        let writers = writers.collect();
        Self { steps, writers }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The pending steps, without steps that depend on an earlier pending step.
    pub(super) fn independent_steps(&self) -> impl Iterator<Item = &PendingStep> {
        self.steps.iter().filter(|step| !step.wait.is_for_an_earlier_step())
    }

    pub(super) fn unknown_fields(&self, resource: &Arc<Resource>) -> Vec<UnknownField<'_>> {
        let parts = self.writers.get(&Arc::as_ptr(resource).addr()).into_iter().flatten();
        let parts = parts.filter_map(|(at, paths)| Some((self.steps.get(*at)?, paths)));
        let mut found = Vec::new();
        for (step, paths) in parts {
            found.extend(paths.iter().map(|path| UnknownField { step, path }));
        }
        found
    }

    /// A pending step that may add resources and that is not pending in the other build.
    pub(super) fn unshared_adder(&self, other: &Self) -> Option<&PendingStep> {
        self.steps.iter().find(|step| step.adds && !other.contains(step))
    }

    /// True if all pending steps of both builds are of one kind and pending in both.
    pub(super) fn are_all_in_both(
        &self,
        other: &Self,
        is_of_kind: fn(&PendingStep) -> bool,
    ) -> bool {
        let is_in = |one: &Self, other: &Self| {
            one.independent_steps().all(|step| is_of_kind(step) && other.contains(step))
        };
        is_in(self, other) && is_in(other, self)
    }

    /// True if every pending step of this build is also pending in one of the other builds.
    pub(super) fn is_covered_by(&self, others: [&Self; 2]) -> bool {
        self.independent_steps().all(|step| others.iter().any(|other| other.contains(step)))
    }

    /// True if one of these steps is pending because the same item is missing as for `step`.
    fn contains(&self, step: &PendingStep) -> bool {
        self.steps
            .iter()
            .any(|other| other.wait.required_action_text() == step.wait.required_action_text())
    }
}

fn writable_paths(step: &Step, resource: &Resource) -> Vec<Vec<String>> {
    if step.kind == StepKind::ReplaceVars {
        let part = |step: &PathStep| step.key().unwrap_or("*").to_owned();
        let has_variable = |node: &Node| node.text().is_some_and(|text| text.contains("$("));
        let leaves = leaves(&resource.node).into_iter().filter(|(_, node, _)| has_variable(node));
        return leaves.map(|(path, ..)| path.iter().map(part).collect()).collect();
    }
    let paths = step.transformer.as_ref().and_then(|it| it.writable_paths(resource));
    paths.unwrap_or_else(|| vec![Vec::new()])
}

/// True if a pending step may write resources that exist before the step. A patch with a pending
/// target can only write that target.
fn may_write_existing_resources(step: &Step, wait: &Wait) -> bool {
    let adds_only = matches!(step.kind, StepKind::Load | StepKind::Merge | StepKind::Generate);
    let patches = ["patches", "patchesStrategicMerge", "patchesJson6902"];
    let is_for_target = wait.is_for_an_earlier_step() && patches.contains(&step.field);
    !adds_only && !is_for_target && step.kind != StepKind::Validate
}
