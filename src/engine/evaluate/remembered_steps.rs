//! The cached results of steps. A step with equal inputs changes an equal resource in the same way,
//! independent of other resources, so that only changed resources are processed again.

use std::sync::Arc;

use crate::resource::{SchemaInForce, Scopes};
use crate::transform::{StepCache, StepEffects, StepInputs};
use crate::yaml::{Mark, WriterId};

use super::Step;
use super::aged_map::AgedMap;

/// All inputs of a step that affect its work on a resource, except the resource itself.
#[derive(Clone, Debug)]
pub(super) struct StepWorkInputs {
    pub(super) step_inputs: Arc<dyn StepInputs>,
    /// The mark of the nodes that the step writes: location and writer number.
    pub(super) mark: Mark,
    pub(super) schema: SchemaInForce,
    pub(super) scopes: Arc<Scopes>,
}

impl StepWorkInputs {
    fn has_same_inputs(&self, other: &Self) -> bool {
        self.mark == other.mark
            && (Arc::ptr_eq(&self.scopes, &other.scopes) || self.scopes == other.scopes)
            && self.schema == other.schema
            && self.step_inputs.equals(&*other.step_inputs)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct RememberedSteps(AgedMap<WriterId, StepCacheEntry>);

#[derive(Clone, Debug)]
struct StepCacheEntry {
    basis: StepWorkInputs,
    done: Arc<StepEffects>,
    /// True if the step queried the built-in schema.
    asked: bool,
}

impl RememberedSteps {
    fn get(&self, basis: &StepWorkInputs) -> Option<&StepCacheEntry> {
        self.0.get(&basis.mark.writer).filter(|kept| kept.basis.has_same_inputs(basis))
    }

    /// The cached results of a step, which are empty unless all its inputs equal those of the
    /// earlier evaluation; true if it queried the built-in schema then.
    pub(super) fn recall(&self, basis: &StepWorkInputs, is_kept: bool) -> (StepCache, bool) {
        let (then, asked) = self.get(basis).map(|kept| (kept.done.clone(), kept.asked)).unzip();
        let cache = if is_kept { StepCache::new(then) } else { StepCache::read_only(then) };
        (cache, asked.unwrap_or_default())
    }

    pub(super) fn remember(&mut self, basis: StepWorkInputs, recall: StepCache, asked: bool) {
        let asked = asked || self.get(&basis).is_some_and(|kept| kept.asked);
        let done = Arc::new(recall.into_remembered());
        self.0.insert(basis.mark.writer, StepCacheEntry { basis, done, asked });
    }

    /// Ends an evaluation with these steps; steps of a reused part count as run.
    pub(super) fn end(&mut self, steps: &[Step]) {
        for step in steps {
            self.0.touch_key(&step.writer);
        }
        self.0.end_evaluation();
    }
}
