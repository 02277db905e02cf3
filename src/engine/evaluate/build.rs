//! One evaluation: the state shared by its layers, and how a step runs.

use std::path::Path;
use std::sync::Arc;

use crate::diagnostic::TextPurpose;
use crate::load::{LoadError, RecordingFiles};
use crate::plugin::RequiredAction;
use crate::transform::{Context, StepInputs, TransformError, Transformer};
use crate::yaml::Mark;

use super::accumulator::Accumulator;
use super::build_root::BuildRoot;
use super::carried_state::CarriedState;
use super::catalogs::Catalogs;
use super::notes::NotesByPart;
use super::recorder::{BuildAbort, OpenStep, Recorder};
use super::remembered_steps::StepWorkInputs;
use super::setup::BuildSetup;
use super::step::Step;
use super::{BuildCache, BuildOptions, Ports, Wait, WaitCause};

pub(super) struct Build<'a> {
    pub(super) setup: BuildSetup<'a>,
    pub(super) options: Arc<BuildOptions>,
    pub(super) root: BuildRoot,
    pub(super) memory: &'a mut BuildCache,
    pub(super) recorder: Recorder,
    pub(super) acc: Accumulator,
    pub(super) notes: NotesByPart,
    pub(super) carried: CarriedState,
    /// The namespace of the current layer, or of the nearest enclosing one that has one.
    pub(super) namespace: String,
    pub(super) catalogs: Catalogs,
}

impl<'a> Build<'a> {
    pub(super) fn new(
        current: &'a Path,
        options: &'a BuildOptions,
        ports: &'a Ports,
        memory: &'a mut BuildCache,
    ) -> Self {
        let files =
            RecordingFiles::new(ports.files.clone()).without_record_if(memory.omits_paths());
        Self {
            options: Arc::new(options.clone()),
            setup: BuildSetup { ports, options, files: Arc::new(files), current },
            root: BuildRoot::at(current),
            memory,
            recorder: Recorder::new(ports.clock.clone()),
            acc: Accumulator::default(),
            notes: NotesByPart::default(),
            carried: CarriedState::first(options.profile),
            namespace: String::new(),
            catalogs: Catalogs::default(),
        }
    }

    /// An empty accumulator: its slots continue the numbering of the build.
    pub(super) fn new_accumulator(&self) -> Accumulator {
        self.carried.new_accumulator(self.memory.omits_changes)
    }

    /// Does `work` on another accumulator, and returns that one. Afterwards, also after an error, the
    /// build has its former accumulator again.
    pub(super) fn with_accumulator(
        &mut self,
        acc: Accumulator,
        work: impl FnOnce(&mut Self) -> Result<(), BuildAbort>,
    ) -> Result<Accumulator, BuildAbort> {
        let before = std::mem::replace(&mut self.acc, acc);
        let done = work(self);
        let acc = std::mem::replace(&mut self.acc, before);
        done.map(|()| acc)
    }

    pub(super) fn begin(&mut self, heading: Step) -> Result<OpenStep, BuildAbort> {
        if self.setup.ports.cancel.is_cancelled() {
            return Err(BuildAbort::Cancelled);
        }
        Ok(self.recorder.begin(heading, self.memory))
    }

    pub(super) fn mark_pending(&mut self, begun: OpenStep, wait: Wait) {
        self.recorder.pending(begun, Vec::new(), wait);
        self.notes.own.waits = true;
    }

    /// Runs `work`, which calls the transformer, as one recorded step. Results for a resource are
    /// cached if they depend on that resource alone.
    pub(super) fn transform(
        &mut self,
        heading: Step,
        transformer: &dyn Transformer,
        work: impl FnOnce(&mut Accumulator, &mut Context<'_>) -> Result<(), TransformError>,
    ) -> Result<(), BuildAbort> {
        let made = if self.memory.is_disabled { None } else { transformer.step_inputs() };
        self.run_cacheable_step(made, heading, work)
    }

    pub(super) fn step(
        &mut self,
        heading: Step,
        work: impl FnOnce(&mut Accumulator, &mut Context<'_>) -> Result<(), TransformError>,
    ) -> Result<(), BuildAbort> {
        self.run_cacheable_step(None, heading, work)
    }

    /// Runs `work` as one recorded step. If `made` contains the inputs of the step, results for
    /// unchanged resources come from the cache.
    fn run_cacheable_step(
        &mut self,
        made: Option<Arc<dyn StepInputs>>,
        heading: Step,
        work: impl FnOnce(&mut Accumulator, &mut Context<'_>) -> Result<(), TransformError>,
    ) -> Result<(), BuildAbort> {
        let mut begun = self.begin(heading)?;
        let schema = self.carried.schemas.in_force.watched();
        let basis = made.map(|step_inputs| StepWorkInputs {
            step_inputs,
            mark: begun.step.mark,
            schema: self.carried.schemas.in_force.clone(),
            scopes: self.acc.resources.scopes().clone(),
        });
        let is_kept = !self.memory.is_read_only;
        let recalled = basis.as_ref().map(|basis| self.memory.steps.recall(basis, is_kept));
        let (recall, asked) = recalled.unzip();
        self.notes.own.builtin_was_asked |= asked.unwrap_or_default();
        let profile = self.setup.profile();
        let mut cx = Context {
            recall,
            ..Context::new(profile, &schema, &mut self.memory.sources, begun.step.mark)
        };
        let result = work(&mut self.acc, &mut cx);
        self.notes.own.builtin_was_asked |= schema.was_used();
        if let Err(error) = &result
            && let Some(wait) = super::errors::wait_of_error(error)
        {
            self.mark_pending(begun, wait);
            return Ok(());
        }
        let Context { matched, warnings, derived, removed, recall, .. } = cx;
        if let (Some(basis), Some(recall), true, Ok(())) = (basis, recall, is_kept, &result) {
            self.memory.steps.remember(basis, recall, schema.was_used());
        }
        begun.step = Step { matched, warnings, derived, removed, ..begun.step };
        if self.notes.own.waits
            && let Err(error @ (TransformError::Fault { .. } | TransformError::Manifest(_))) =
                &result
        {
            // The missing item may come from a pending step, so the failure is not certain.
            let why = WaitCause::Unknown(Box::new(error.clone()));
            self.carried.continue_slots_after(&self.acc.resources);
            let wait = Wait::new(RequiredAction::EarlierStep, why);
            self.recorder.pending(begun, self.acc.resources.take_changes(), wait);
            return Ok(());
        }
        self.end(begun, result)
    }

    pub(super) fn end(
        &mut self,
        begun: OpenStep,
        result: Result<(), TransformError>,
    ) -> Result<(), BuildAbort> {
        let result = result.map_err(|error| self.recorder.step_error(&begun, error));
        self.carried.continue_slots_after(&self.acc.resources);
        self.recorder.end(begun, &mut self.acc.resources, result)
    }

    pub(super) fn failed_step(&mut self, heading: Step, error: TransformError) -> BuildAbort {
        match self.begin(heading) {
            Err(halt) => halt,
            Ok(begun) => self.recorder.fail(begun, error),
        }
    }

    /// Handles an entry that cannot be configured. If it only lacks an external item, its step is
    /// recorded as pending and the build goes on.
    ///
    /// # Errors
    /// Any other reason: the build fails.
    pub(super) fn handle_config_error(
        &mut self,
        heading: Step,
        error: TransformError,
    ) -> Result<(), BuildAbort> {
        let begun = self.begin(heading)?;
        self.fail_entry(begun, error)
    }
}

pub(super) fn cannot_load(
    reading: impl Into<TextPurpose>,
    mark: Mark,
    source: LoadError,
) -> TransformError {
    TransformError::Load { reading: reading.into(), mark, source }
}
