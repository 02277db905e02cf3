//! Every step of a build, and queries on them.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::load::SourceNumbers;
use crate::profile::Profile;
use crate::resource::{Resource, Slot};
use crate::yaml::Mark;

use super::{Layer, LayerId, LayerKind, Step, StepId, StepKind, StepOutcome, Wait};

/// The resources of one layer's accumulator at one moment, in order.
pub type AccumulatorState = IndexMap<Slot, Arc<Resource>>;

/// A recorded build: one flat list of steps in Kustomize's execution order.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    pub steps: Vec<Step>,
    /// The layers; the first is the root.
    pub layers: Vec<Layer>,
    pub sources: SourceNumbers,
    pub profile: Profile,
    /// Keys and values of Secrets outside the build, from which variables are substituted.
    pub secret_values: Vec<(String, String)>,
}

impl Trace {
    /// The resources after step `index`; within a base, only those of that base so far.
    pub fn state_after(&self, index: usize) -> AccumulatorState {
        self.replay(index + 1)
    }

    /// The accumulator right before step `index`.
    pub fn state_before(&self, index: usize) -> AccumulatorState {
        self.replay(index)
    }

    /// The resources on which step `index` works. Unlike [`Self::state_before`], they are right also
    /// for the first step after an inner layer.
    pub fn input_of(&self, index: usize) -> AccumulatorState {
        let mut state = self.state_after(index);
        for change in self.steps.get(index).iter().flat_map(|step| &step.changes) {
            match &change.before {
                Some(before) => drop(state.insert(change.slot, before.clone())),
                None => drop(state.shift_remove(&change.slot)),
            }
        }
        state
    }

    /// The deployment object of the target, if any: its file and location.
    pub fn deployed_by(&self) -> Option<(&str, Mark)> {
        let mark = self.layers.first()?.mark;
        Some((self.sources.path(mark.source)?, mark))
    }

    /// The reason why the first pending step is pending; the output is not known until then. `None`
    /// if no step is pending.
    pub fn first_wait(&self) -> Option<&Wait> {
        self.steps.iter().find_map(|step| match &step.outcome {
            StepOutcome::Waiting(wait) => Some(&**wait),
            _ => None,
        })
    }

    /// The index of the step with this id.
    pub fn position(&self, id: &StepId) -> Option<usize> {
        self.steps.iter().position(|step| step.id == *id)
    }

    /// The layer of a step.
    pub fn layer(&self, id: LayerId) -> Option<&Layer> {
        self.layers.get(id.0)
    }

    /// The indices of the steps that touched a resource.
    pub fn history(&self, slot: Slot) -> Vec<usize> {
        let touches = |step: &Step| step.changes.iter().any(|change| change.slot == slot);
        (0..self.steps.len()).filter(|index| touches(&self.steps[*index])).collect()
    }

    /// For a component layer, the layer that lists it, and its index among the active entries.
    pub fn listed_as_component(&self, layer: LayerId) -> Option<(LayerId, usize)> {
        let own = self.layer(layer).filter(|own| own.kind == LayerKind::Component)?;
        let parent = own.parent?;
        let enters = |step: &&Step| {
            step.kind == StepKind::EnterComponent
                && step.layer == parent
                && step.mark == own.mark
                && step.argument == own.name
        };
        let entered = self.steps.iter().take(own.first_step + 1).rev();
        Some((parent, entered.into_iter().find(enters)?.entry?))
    }

    /// For each step, whether the accumulator right before it is empty.
    pub fn empty_before(&self) -> Vec<bool> {
        let mut stack = vec![(LayerId(0), AccumulatorState::new())];
        let steps = self.steps.iter().map(|step| {
            let is_empty = stack.last().is_none_or(|(_, state)| state.is_empty());
            self.replay_step(&mut stack, step);
            is_empty
        });
        steps.collect()
    }

    /// For each step, the layer of its accumulator, and the state of one resource before it.
    pub fn states_of(&self, slot: Slot) -> Vec<(LayerId, Option<Arc<Resource>>)> {
        let mut stack: Vec<(LayerId, Option<Arc<Resource>>)> = vec![(LayerId(0), None)];
        let states = self.steps.iter().map(|step| {
            let child = self.enter_accumulator(&mut stack, step);
            let Some((owner, own)) = stack.last_mut() else { return (step.layer, None) };
            let before = own.clone();
            if step.kind == StepKind::Merge {
                *own = child.flatten().or_else(|| before.clone());
            } else {
                let changes = step.changes.iter().filter(|change| change.slot == slot);
                changes.for_each(|change| own.clone_from(&change.after));
            }
            (*owner, before)
        });
        states.collect()
    }

    fn replay(&self, end: usize) -> AccumulatorState {
        let mut stack = vec![(LayerId(0), AccumulatorState::new())];
        self.steps.iter().take(end).for_each(|step| self.replay_step(&mut stack, step));
        stack.pop().map(|(_, state)| state).unwrap_or_default()
    }

    fn replay_step(&self, stack: &mut Vec<(LayerId, AccumulatorState)>, step: &Step) {
        let child = self.enter_accumulator(stack, step);
        let Some((_, state)) = stack.last_mut() else { return };
        if step.kind == StepKind::Merge {
            state.extend(child.into_iter().flatten());
        } else {
            apply(state, step);
        }
    }

    /// Makes the accumulator of a step the last one of a stack: a base has its own until it is
    /// merged. Returns the one of the base that the step merges.
    fn enter_accumulator<S: Default>(
        &self,
        stack: &mut Vec<(LayerId, S)>,
        step: &Step,
    ) -> Option<S> {
        let owner = self.accumulator_of(step.layer);
        let is_merge = step.kind == StepKind::Merge;
        let child = stack.pop_if(|(layer, _)| is_merge && *layer != owner);
        // The resources of a plugin configuration layer are dropped at the end of that layer.
        let place = stack.iter().rposition(|(layer, _)| *layer == owner);
        match place.filter(|place| !is_merge || place + 1 == stack.len()) {
            Some(place) => stack.truncate(place + 1),
            None => stack.push((owner, S::default())),
        }
        child.map(|(_, child)| child)
    }

    /// The layer whose accumulator the steps of a layer work on; for components and other sharing
    /// layers, that of the parent.
    pub(super) fn accumulator_of(&self, layer: LayerId) -> LayerId {
        let mut current = layer;
        while let Some(Layer { shares: true, parent: Some(parent), .. }) = self.layer(current) {
            current = *parent;
        }
        current
    }
}

fn apply(state: &mut AccumulatorState, step: &Step) {
    for change in &step.changes {
        match &change.after {
            Some(after) => drop(state.insert(change.slot, after.clone())),
            None => drop(state.shift_remove(&change.slot)),
        }
    }
    if let Some(order) = &step.order {
        let rank: IndexMap<Slot, usize> =
            order.iter().enumerate().map(|(rank, slot)| (*slot, rank)).collect();
        state.sort_by_key(|slot, _| rank.get(slot).copied().unwrap_or(usize::MAX));
    }
}
