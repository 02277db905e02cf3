//! The effect of a step on each resource, reused if an identical resource meets an identical step
//! in a later build.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use foldhash::fast::RandomState;

use crate::resource::{QuickMap, ResMap, ReusableChange, Slot};

use super::{Context, DerivedValue, RemovedValue, TransformError};

/// The inputs that a step is made from, or depends on besides a resource: comparable with those of
/// an earlier build.
pub trait StepInputs: Any + Debug + Send + Sync {
    /// True for an equal value of the same type.
    fn equals(&self, other: &dyn StepInputs) -> bool;
    /// Itself, to be compared.
    fn as_any(&self) -> &dyn Any;
}

impl<T: Any + Debug + PartialEq + Send + Sync> StepInputs for T {
    fn equals(&self, other: &dyn StepInputs) -> bool {
        other.as_any().downcast_ref::<T>() == Some(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The effects of a step on its resources, one by one.
#[derive(Clone, Debug, Default)]
pub struct StepEffects {
    /// The inputs of its work on one resource besides that resource.
    around: Option<Arc<dyn StepInputs>>,
    done: QuickMap<(u32, Slot), CachedWrite>,
}

/// The effect of a step on one resource.
#[derive(Clone, Debug)]
struct CachedWrite {
    became: ReusableChange,
    matched: u32,
    answer: bool,
    /// `None` for most steps.
    said: Option<Arc<SideEffects>>,
}

/// Further results of a step for a resource.
#[derive(Debug)]
struct SideEffects {
    derived: Vec<DerivedValue>,
    removed: Vec<RemovedValue>,
}

/// The memory of one running step: its effects in the last build, and those in this one.
#[derive(Debug, Default)]
pub struct StepCache {
    previous: Option<Arc<StepEffects>>,
    current: StepEffects,
    part: u32,
    /// True if no later build will use this one.
    forgets: bool,
}

impl StepCache {
    /// With the effects of the same step in an earlier build, if it existed and had the same
    /// inputs.
    pub fn new(then: Option<Arc<StepEffects>>) -> Self {
        let count = then.as_ref().map_or(0, |then| then.done.len());
        let done = QuickMap::with_capacity_and_hasher(count, RandomState::default());
        Self {
            previous: then,
            current: StepEffects { around: None, done },
            part: 0,
            forgets: false,
        }
    }

    /// The same, without keeping the effects of this build.
    pub fn read_only(then: Option<Arc<StepEffects>>) -> Self {
        Self { previous: then, forgets: true, ..Self::default() }
    }

    fn keep(&mut self, key: (u32, Slot), done: CachedWrite) {
        if !self.forgets {
            self.current.done.insert(key, done);
        }
    }

    /// The effects to be remembered from this build.
    pub fn into_remembered(self) -> StepEffects {
        self.current
    }
}

impl Context<'_> {
    /// Adds an input of the work on every resource; computed only if the step has a recall.
    pub(crate) fn depends_on<M: StepInputs>(&mut self, around: impl FnOnce() -> M) {
        let Some(recall) = &mut self.recall else { return };
        let around = around();
        let was = recall.previous.as_ref().and_then(|then| then.around.as_ref());
        if !was.is_some_and(|was| around.equals(&**was)) {
            recall.previous = None;
        }
        recall.current.around = Some(Arc::new(around));
    }

    /// Starts another pass of the step over its resources.
    pub(crate) fn next_part(&mut self) {
        if let Some(recall) = &mut self.recall {
            recall.part += 1;
        }
    }

    /// Does the work of a step on one resource alone, or reuses its effect in an earlier build. The
    /// work returns one bit to its caller; work that returns `None` or adds a warning is done every
    /// time.
    pub(crate) fn apply_to_one(
        &mut self,
        resources: &mut ResMap,
        slot: Slot,
        work: impl FnOnce(&mut ResMap, &mut Self) -> Result<Option<bool>, TransformError>,
    ) -> Result<Option<bool>, TransformError> {
        let Some(recall) = &mut self.recall else { return work(resources, self) };
        let Some(before) = resources.get(slot).cloned() else { return work(resources, self) };
        let key = (recall.part, slot);
        let known = recall.previous.as_ref().and_then(|then| then.done.get(&key));
        if let Some(done) = known.filter(|done| done.became.is_computed_from(&before)) {
            let done = done.clone();
            resources.take_over(slot, &done.became);
            self.matched += done.matched as usize;
            if let Some(said) = &done.said {
                self.derived.extend(said.derived.iter().cloned());
                self.removed.extend(said.removed.iter().cloned());
            }
            let answer = done.answer;
            recall.keep(key, done);
            return Ok(Some(answer));
        }
        let (matched, warnings) = (self.matched, self.warnings.len());
        let (derived, removed) = (self.derived.len(), self.removed.len());
        let answer = work(resources, self)?;
        if let Some(answer) = answer
            && self.warnings.len() == warnings
            && let Some(became) = resources.reusable_change(slot, before)
            && let Some(recall) = &mut self.recall
        {
            let derived = self.derived.get(derived..).unwrap_or_default();
            let removed = self.removed.get(removed..).unwrap_or_default();
            let said = (!derived.is_empty() || !removed.is_empty()).then(|| {
                Arc::new(SideEffects { derived: derived.to_vec(), removed: removed.to_vec() })
            });
            let matched = u32::try_from(self.matched - matched).unwrap_or(u32::MAX);
            recall.keep(key, CachedWrite { became, matched, answer, said });
        }
        Ok(answer)
    }
}
