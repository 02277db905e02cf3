//! Work that is recorded as a step.

use std::sync::Arc;

use crate::transform::{Context, Made, TransformError};

use super::StepError;
use super::accumulator::Accumulator;
use super::build::Build;
use super::recorder::{Account, Begun, Halt, Heading};

impl Build<'_> {
    /// Begins a step, after asking whether anybody still wants the result.
    pub(super) fn begin(&mut self, heading: Heading) -> Result<Begun, Halt> {
        if self.ports.cancel.is_cancelled() {
            return Err(Halt::Cancelled);
        }
        Ok(self.recorder.begin(heading, self.memory))
    }

    /// Runs work on the resources as one recorded step.
    pub(super) fn step(
        &mut self,
        heading: Heading,
        acc: &mut Accumulator,
        work: impl FnOnce(&mut Accumulator, &mut Context<'_>) -> Result<(), TransformError>,
    ) -> Result<(), Halt> {
        self.step_made_from(None, heading, acc, work)
    }

    /// The same of a step that is made from this: what it does to a resource is remembered.
    pub(super) fn step_made_from(
        &mut self,
        made: Option<Arc<dyn Made>>,
        heading: Heading,
        acc: &mut Accumulator,
        work: impl FnOnce(&mut Accumulator, &mut Context<'_>) -> Result<(), TransformError>,
    ) -> Result<(), Halt> {
        let begun = self.begin(heading)?;
        let schema = self.carried.schema.watched();
        let basis = made.and_then(|made| self.basis(made, begun.heading.mark, acc));
        let recall = basis.as_ref().map(|basis| self.memory.recall_step(basis));
        self.met.builtin_was_asked |= basis.as_ref().is_some_and(|it| self.memory.has_asked(it));
        let mut cx = Context {
            profile: self.options.profile,
            schema: &schema,
            sources: &mut self.memory.sources,
            mark: begun.heading.mark,
            matched: 0,
            warnings: Vec::new(),
            unplaced: self.carried.unplaced.is_some().then(Vec::new),
            derived: Vec::new(),
            removed: Vec::new(),
            recall,
        };
        let result = work(acc, &mut cx);
        if let Some(unplaced) = &mut self.carried.unplaced {
            unplaced.extend(cx.unplaced.take().into_iter().flatten());
        }
        self.met.builtin_was_asked |= schema.was_asked();
        if let Err(error) = &result
            && let Some(why) = super::errors::waits_for(error)
        {
            self.recorder.waiting(begun, &why);
            self.waits = true;
            return Ok(());
        }
        let Context { matched, warnings, derived, removed, recall, .. } = cx;
        if let (Some(basis), Some(recall), Ok(())) = (basis, recall, &result) {
            self.memory.remember_step(basis, recall, schema.was_asked());
        }
        let account = Account { matched, warnings, derived, removed, ..Account::default() };
        if self.waits
            && let Err(TransformError::Phrase { phrase, .. }) = &result
        {
            // What it does not find may be what is waited for: whether it fails is not known.
            let phrase = phrase.lines().next().unwrap_or_default();
            let why = format!("unknown until an earlier step has what it waits for: {phrase}");
            self.carried.next_slot = self.carried.next_slot.max(acc.resources.next_slot());
            self.recorder.unknown(begun, &mut acc.resources, account, &why);
            return Ok(());
        }
        let result = result.map_err(|error| self.fail(&begun, error));
        self.carried.next_slot = self.carried.next_slot.max(acc.resources.next_slot());
        self.recorder.end(begun, &mut acc.resources, account, result)
    }

    /// A step that failed before there was anything to run.
    pub(super) fn failed_step(&mut self, heading: Heading, error: TransformError) -> Halt {
        match self.begin(heading) {
            Err(halt) => halt,
            Ok(begun) => {
                let error = self.fail(&begun, error);
                let halt = Halt::Failed(error.clone());
                let _ = self.recorder.record(begun, Vec::new(), Account::default(), Err(error));
                halt
            }
        }
    }

    /// Turns an error into words, with the way from the root to the step.
    pub(super) fn fail(&self, begun: &Begun, error: TransformError) -> Arc<StepError> {
        let layer = begun.heading.layer;
        Arc::new(super::errors::describe(error, begun.heading.mark, &self.recorder.layers, layer))
    }
}
