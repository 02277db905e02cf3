//! What the steps of earlier evaluations did to their resources. A step that is made from the same does the same to the very
//! same resource, whatever became of the others: only those that a change reaches are worked on again.

use std::sync::Arc;

use crate::resource::{QuickMap, SchemaInForce, Scopes};
use crate::transform::{Made, Recall, Remembered};
use crate::yaml::{Mark, WriterId};

use super::Step;
use super::accumulator::Accumulator;
use super::build::Build;

/// Everything that a step's work on a resource depends on besides that resource.
#[derive(Clone, Debug)]
pub(super) struct Basis {
    made: Arc<dyn Made>,
    /// What its nodes are marked with: its place and its number.
    mark: Mark,
    schema: SchemaInForce,
    scopes: Arc<Scopes>,
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
    /// It asked the built-in schema.
    asked: bool,
    generation: u64,
}

impl RememberedSteps {
    fn get(&self, basis: &Basis) -> Option<&Kept> {
        self.0.get(&basis.mark.writer).filter(|kept| kept.basis.is(basis))
    }

    pub(super) fn recall(&self, basis: &Basis) -> Recall {
        Recall::new(self.get(basis).map(|kept| kept.done.clone()))
    }

    pub(super) fn has_asked(&self, basis: &Basis) -> bool {
        self.get(basis).is_some_and(|kept| kept.asked)
    }

    pub(super) fn remember(&mut self, basis: Basis, recall: Recall, asked: bool, generation: u64) {
        let asked = asked || self.has_asked(&basis);
        let done = Arc::new(recall.into_remembered());
        self.0.insert(basis.mark.writer, Kept { basis, done, asked, generation });
    }

    /// Forgets the steps that are no part of this evaluation and were none of the one before. Those of a stretch that was
    /// taken over as a whole are a part of it, although they did nothing.
    pub(super) fn end(&mut self, steps: &[Step], generation: u64) {
        for step in steps {
            if let Some(kept) = self.0.get_mut(&step.writer) {
                kept.generation = generation;
            }
        }
        self.0.retain(|_, kept| kept.generation + 1 >= generation);
    }
}

impl Build<'_> {
    /// What a step stands on; nothing where nobody will build again, or where validators ask for what a step leaves unsaid.
    pub(super) fn basis(
        &self,
        made: Arc<dyn Made>,
        mark: Mark,
        acc: &Accumulator,
    ) -> Option<Basis> {
        if self.memory.is_for_one() || self.carried.unplaced.is_some() {
            return None;
        }
        let schema = self.carried.schema.clone();
        Some(Basis { made, mark, schema, scopes: acc.resources.scopes().clone() })
    }

    /// What a transformer is made from, where that is of use to a later evaluation.
    pub(super) fn made_from(
        &self,
        transformer: &dyn crate::transform::Transformer,
    ) -> Option<Arc<dyn Made>> {
        if self.memory.is_for_one() { None } else { transformer.made() }
    }
}
