//! A cache of the effect of a step on each resource, which is reused if an identical step processes
//! an identical resource in a later build.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use foldhash::fast::RandomState;

use crate::resource::{QuickMap, ResMap, ReusableChange, Slot};

use super::{Context, DerivedValue, RemovedValue, TransformError};

/// The inputs of a step besides the resource, which can be compared with those of an earlier build.
pub trait StepInputs: Any + Debug + Send + Sync {
    /// True for an equal value of the same type.
    fn equals(&self, other: &dyn StepInputs) -> bool;
    /// The value as `Any`: `is` compares its type.
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

/// The effects of a step on each of its resources, for reuse in the next build.
#[derive(Clone, Debug, Default)]
pub struct StepEffects {
    /// The inputs of the step besides the resource; if they change, no effect is reused.
    around: Option<Arc<dyn StepInputs>>,
    done: QuickMap<(u32, Slot), CachedWrite>,
}

#[derive(Clone, Debug)]
struct CachedWrite {
    became: ReusableChange,
    matched: u32,
    answer: bool,
    /// The derived and removed values; `None` for most steps.
    noted: Option<Arc<(Vec<DerivedValue>, Vec<RemovedValue>)>>,
}

/// The cached effects of a running step: from the last build, and from this build.
#[derive(Debug, Default)]
pub struct StepCache {
    previous: Option<Arc<StepEffects>>,
    current: StepEffects,
    part: u32,
    /// True if the effects of this build are not kept for a later build.
    forgets: bool,
}

impl StepCache {
    /// A cache with the effects of the same step in an earlier build, if that step existed and had
    /// the same inputs.
    pub fn new(then: Option<Arc<StepEffects>>) -> Self {
        let count = then.as_ref().map_or(0, |then| then.done.len());
        let done = QuickMap::with_capacity_and_hasher(count, RandomState::default());
        Self { previous: then, current: StepEffects { around: None, done }, ..Self::default() }
    }

    /// A cache with the effects of an earlier build; the effects of this build are not kept.
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
    /// Records an input that affects the step's work on every resource; a changed input invalidates
    /// the cached effects. Not computed for a step without a cache.
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

    /// Runs `work`, the work of a step on one resource alone, or reuses the effect that it had in
    /// an earlier build. `work` returns one bit to its caller; a run that returns `None` or adds a
    /// warning is not cached.
    pub(crate) fn apply_or_reuse(
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
            resources.apply_reusable_change(slot, &done.became);
            self.matched += done.matched as usize;
            if let Some((derived, removed)) = done.noted.as_deref() {
                self.derived.extend(derived.iter().cloned());
                self.removed.extend(removed.iter().cloned());
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
            let noted = (!derived.is_empty() || !removed.is_empty())
                .then(|| Arc::new((derived.to_vec(), removed.to_vec())));
            let matched = u32::try_from(self.matched - matched).unwrap_or(u32::MAX);
            recall.keep(key, CachedWrite { became, matched, answer, noted });
        }
        Ok(answer)
    }
}
