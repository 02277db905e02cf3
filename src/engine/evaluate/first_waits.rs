//! What steps wait for that come after one that waits: until that is there, nobody knows what they find.

use crate::resource::QuickMap;

use super::{Layer, LayerId, Outcome, Trace};

/// For each layer the first step that waits, of its own and of those inside it.
#[derive(Debug)]
pub struct FirstWaits<'t> {
    trace: &'t Trace,
    first: QuickMap<LayerId, usize>,
}

impl Trace {
    /// Gathers which steps wait; whoever asks of many steps asks this.
    pub fn first_waits(&self) -> FirstWaits<'_> {
        let mut first = QuickMap::default();
        for (index, step) in self.steps.iter().enumerate() {
            let mut layer =
                Some(step.layer).filter(|_| matches!(step.outcome, Outcome::Waiting(_)));
            // Of a layer that is known, those around it are known too.
            while let Some(id) = layer.filter(|id| !first.contains_key(id)) {
                first.insert(id, index);
                layer = self.layer(id).and_then(|Layer { parent, .. }| *parent);
            }
        }
        FirstWaits { trace: self, first }
    }
}

impl FirstWaits<'_> {
    /// What an earlier step of the same resources waits for: what a step finds there is unknown until that is there.
    pub fn awaited_by(&self, index: usize) -> Option<String> {
        let owner = self.trace.accumulator_of(self.trace.steps.get(index)?.layer);
        let first = *self.first.get(&owner).filter(|first| **first < index)?;
        let waits = self.trace.steps.get(first)?;
        let what = if waits.argument.is_empty() { &waits.name } else { &waits.argument };
        Some(what.to_string())
    }
}
