//! The cached results of steps. A step with an equal basis does the same to the same resource,
//! independent of other resources: only changed resources are processed again.

use std::sync::Arc;

use crate::resource::{QuickMap, SchemaInForce, Scopes};
use crate::transform::{Made, Recall, Remembered};
use crate::yaml::{Mark, WriterId};

use super::Step;

/// All inputs of a step's work on a resource besides that resource.
#[derive(Clone, Debug)]
pub(super) struct Basis {
    pub(super) made: Arc<dyn Made>,
    /// The mark of its nodes: location and writer number.
    pub(super) mark: Mark,
    pub(super) schema: SchemaInForce,
    pub(super) scopes: Arc<Scopes>,
}

impl Basis {
    fn is(&self, other: &Self) -> bool {
        self.mark == other.mark
            && (Arc::ptr_eq(&self.scopes, &other.scopes) || self.scopes == other.scopes)
            && self.schema == other.schema
            && self.made.is(&*other.made)
    }
}

/// The steps by number.
#[derive(Clone, Debug, Default)]
pub(super) struct RememberedSteps(QuickMap<WriterId, Kept>);

#[derive(Clone, Debug)]
struct Kept {
    basis: Basis,
    done: Arc<Remembered>,
    /// True if it queried the built-in schema.
    asked: bool,
    generation: u64,
}

impl RememberedSteps {
    fn get(&self, basis: &Basis) -> Option<&Kept> {
        self.0.get(&basis.mark.writer).filter(|kept| kept.basis.is(basis))
    }

    pub(super) fn recall(&self, basis: &Basis, is_kept: bool) -> Recall {
        let then = self.get(basis).map(|kept| kept.done.clone());
        if is_kept { Recall::new(then) } else { Recall::forgetting(then) }
    }

    pub(super) fn has_asked(&self, basis: &Basis) -> bool {
        self.get(basis).is_some_and(|kept| kept.asked)
    }

    pub(super) fn remember(&mut self, basis: Basis, recall: Recall, asked: bool, generation: u64) {
        let asked = asked || self.has_asked(&basis);
        let done = Arc::new(recall.into_remembered());
        self.0.insert(basis.mark.writer, Kept { basis, done, asked, generation });
    }

    /// Drops the results of steps that belong neither to this evaluation nor to the previous one.
    /// Steps taken over with a cached part count as used although they did not run.
    pub(super) fn end(&mut self, steps: &[Step], generation: u64) {
        for step in steps {
            if let Some(kept) = self.0.get_mut(&step.writer) {
                kept.generation = generation;
            }
        }
        self.0.retain(|_, kept| kept.generation + 1 >= generation);
    }
}
