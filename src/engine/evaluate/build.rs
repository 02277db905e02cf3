//! One evaluation: what its layers share, and how a step of it is done.

use std::path::Path;
use std::sync::Arc;

use crate::diagnostic::Reading;
use crate::load::{LoadError, RecordingFiles};
use crate::plugin::Awaited;
use crate::transform::{Context, Made, TransformError, Transformer};
use crate::yaml::Mark;

use super::accumulator::Accumulator;
use super::build_root::BuildRoot;
use super::carried::Carried;
use super::catalogs::Catalogs;
use super::enclosing::Enclosing;
use super::heading::Heading;
use super::notes::Notebook;
use super::recorder::{Account, Begun, Halt, Recorder};
use super::remembered_steps::Basis;
use super::setup::Setup;
use super::{BuildOptions, Memory, Ports, Wait, WaitCause};

/// Everything that the layers of one evaluation share.
pub(super) struct Build<'a> {
    /// What it was asked for, and what it may ask.
    pub(super) setup: Setup<'a>,
    pub(super) root: BuildRoot,
    /// What earlier evaluations left, and this one leaves.
    pub(super) memory: &'a mut Memory,
    /// The trace being written.
    pub(super) recorder: Recorder,
    /// What was noted besides.
    pub(super) notes: Notebook,
    /// What goes from layer to layer.
    pub(super) carried: Carried,
    /// What the layer at work is enclosed in.
    pub(super) enclosing: Enclosing,
    /// The catalogs that layers list and that were read.
    pub(super) catalogs: Catalogs,
}

impl<'a> Build<'a> {
    /// Nothing built yet.
    pub(super) fn new(
        current: &'a Path,
        options: &'a BuildOptions,
        ports: &'a Ports,
        memory: &'a mut Memory,
    ) -> Self {
        let files = RecordingFiles::new(ports.files.clone()).forgetting(memory.is_for_one());
        Self {
            setup: Setup { ports, options, files: Arc::new(files), current },
            root: BuildRoot::at(current),
            memory,
            recorder: Recorder::new(ports.clock.clone()),
            notes: Notebook::default(),
            carried: Carried::first(options.profile),
            enclosing: Enclosing::default(),
            catalogs: Catalogs::default(),
        }
    }
}

impl Build<'_> {
    /// Does work that is enclosed in something else; what was around before is around again behind it.
    pub(super) fn enclosed<T>(
        &mut self,
        enclosing: Enclosing,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = std::mem::replace(&mut self.enclosing, enclosing);
        let done = work(self);
        self.enclosing = before;
        done
    }

    /// An empty accumulator whose slots follow those given so far.
    pub(super) fn new_accumulator(&self) -> Accumulator {
        self.carried.new_accumulator(self.memory.records_nothing())
    }

    /// Begins a step, after asking whether anybody still wants the result.
    pub(super) fn begin(&mut self, heading: Heading) -> Result<Begun, Halt> {
        if self.setup.ports.cancel.is_cancelled() {
            return Err(Halt::Cancelled);
        }
        Ok(self.recorder.begin(heading, self.memory))
    }

    /// A step waits for something outside; the build goes on around it.
    pub(super) fn wait(&mut self, begun: Begun, wait: Wait) {
        self.recorder.waiting(begun, wait);
        self.notes.wait();
    }

    /// What a step that is made from this stands on; nothing where nobody will build again, or where validators ask for
    /// what a step leaves unsaid.
    fn basis(&self, made: Arc<dyn Made>, mark: Mark, acc: &Accumulator) -> Option<Basis> {
        if self.memory.is_for_one() || self.carried.unplaced.is_some() {
            return None;
        }
        let schema = self.carried.schemas.in_force.clone();
        let scopes = acc.resources.scopes().clone();
        Some(Basis { made, mark, schema, scopes })
    }

    /// Runs a transformer as one recorded step, with something to do before and something behind it. What it does to a
    /// resource is remembered where that depends on the resource alone.
    pub(super) fn transform(
        &mut self,
        heading: Heading,
        transformer: &dyn Transformer,
        acc: &mut Accumulator,
        work: impl FnOnce(&mut Accumulator, &mut Context<'_>) -> Result<(), TransformError>,
    ) -> Result<(), Halt> {
        let made = if self.memory.is_for_one() { None } else { transformer.made() };
        self.step_made_from(made, heading, acc, work)
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

    fn step_made_from(
        &mut self,
        made: Option<Arc<dyn Made>>,
        heading: Heading,
        acc: &mut Accumulator,
        work: impl FnOnce(&mut Accumulator, &mut Context<'_>) -> Result<(), TransformError>,
    ) -> Result<(), Halt> {
        let begun = self.begin(heading)?;
        let schema = self.carried.schemas.in_force.watched();
        let basis = made.and_then(|made| self.basis(made, begun.heading.mark, acc));
        let recall = basis.as_ref().map(|basis| self.memory.recall_step(basis));
        let asked_then = basis.as_ref().is_some_and(|it| self.memory.has_asked(it));
        self.notes.builtin_asked(asked_then);
        let profile = self.setup.profile();
        let mut cx = Context {
            unplaced: self.carried.unplaced.is_some().then(Vec::new),
            recall,
            ..Context::new(profile, &schema, &mut self.memory.sources, begun.heading.mark)
        };
        let result = work(acc, &mut cx);
        if let Some(unplaced) = &mut self.carried.unplaced {
            unplaced.extend(cx.unplaced.take().into_iter().flatten());
        }
        self.notes.builtin_asked(schema.was_asked());
        if let Err(error) = &result
            && let Some(wait) = super::errors::waits_for(error)
        {
            self.wait(begun, wait);
            return Ok(());
        }
        let Context { matched, warnings, derived, removed, recall, .. } = cx;
        if let (Some(basis), Some(recall), Ok(())) = (basis, recall, &result) {
            self.memory.remember_step(basis, recall, schema.was_asked());
        }
        let account = Account { matched, warnings, derived, removed, ..Account::default() };
        if self.notes.waits()
            && let Err(error @ (TransformError::Fault { .. } | TransformError::Manifest { .. })) =
                &result
        {
            // What it does not find may be what is waited for: whether it fails is not known.
            let why = WaitCause::Unknown(Box::new(error.clone()));
            self.carried.continue_behind(&acc.resources);
            let wait = Wait::new(Awaited::EarlierStep, why);
            self.recorder.unknown(begun, &mut acc.resources, account, wait);
            return Ok(());
        }
        let result = result.map_err(|error| self.recorder.fail(&begun, error));
        self.carried.continue_behind(&acc.resources);
        self.recorder.end(begun, &mut acc.resources, account, result)
    }

    /// A step that failed before there was anything to run.
    pub(super) fn failed_step(&mut self, heading: Heading, error: TransformError) -> Halt {
        match self.begin(heading) {
            Err(halt) => halt,
            Ok(begun) => {
                let error = self.recorder.fail(&begun, error);
                let halt = Halt::Failed(error.clone());
                let _ = self.recorder.record(begun, Vec::new(), Account::default(), Err(error));
                halt
            }
        }
    }

    /// An entry that cannot be configured. One that waits for something is recorded as a step that does, and the build goes on.
    ///
    /// # Errors
    /// Any other reason: the build fails.
    pub(super) fn not_configured(
        &mut self,
        heading: Heading,
        error: TransformError,
    ) -> Result<(), Halt> {
        let Some(wait) = super::errors::waits_for(&error) else {
            return Err(self.failed_step(heading, error));
        };
        let begun = self.begin(heading)?;
        self.wait(begun, wait);
        Ok(())
    }
}

/// A load error of a configured entry.
pub(super) fn cannot_load(reading: Reading, mark: Mark, source: LoadError) -> TransformError {
    TransformError::Load { reading, mark, source }
}
