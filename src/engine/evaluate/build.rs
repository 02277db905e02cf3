//! One evaluation: what its layers share, and how a step of it is done.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::Reading;
use crate::load::{LoadError, RecordingFiles};
use crate::plugin::Awaited;
use crate::resource::{ResMap, Scopes};
use crate::transform::{Context, Made, TransformError, Transformer, VarSet};
use crate::yaml::Mark;

use super::accumulator::{Accumulator, Unmatched};
use super::additions::Additions;
use super::carried::{Carried, Met};
use super::catalogs::Catalogs;
use super::layer_schema::LayerSchema;
use super::metadata::Metadata;
use super::recorder::{Account, Begun, Halt, Heading, Recorder};
use super::remembered_steps::Basis;
use super::{BuildOptions, BuildWarning, Memory, Ports, StepError, Wait};

/// Everything that the layers of one evaluation share.
pub(super) struct Build<'a> {
    pub(super) ports: &'a Ports,
    pub(super) options: &'a BuildOptions,
    pub(super) memory: &'a mut Memory,
    pub(super) recorder: Recorder,
    /// Lines for standard error.
    pub(super) warnings: Vec<BuildWarning>,
    /// The files, with what was asked of them.
    pub(super) files: Arc<RecordingFiles>,
    /// What goes from layer to layer.
    pub(super) carried: Carried,
    /// What was met so far.
    pub(super) met: Met,
    /// What the `openapi` of each layer came to.
    pub(super) schemas: Vec<LayerSchema>,
    /// The directory that the person builds from, for what is said to be pasted there.
    pub(super) current: PathBuf,
    /// The build root, for origins.
    pub(super) start: PathBuf,
    /// The root asks for `buildMetadata`.
    pub(super) metadata: Metadata,
    /// The namespaces in force in the layers around the current one: each its own, or its parent's.
    pub(super) namespaces: Vec<String>,
    /// The files of the Compositions that are being run.
    pub(super) composing: Vec<String>,
    /// The catalogs that layers list and that were read.
    pub(super) catalogs: Catalogs,
    /// What an object adds to the root's kustomization file.
    pub(super) additions: Option<Additions>,
    /// Some step waits for what was not asked for.
    pub(super) waits: bool,
    /// Some step had a program run, which may read more than the ports know of.
    pub(super) ran: bool,
}

impl<'a> Build<'a> {
    /// Nothing built yet.
    pub(super) fn new(
        current: &Path,
        options: &'a BuildOptions,
        ports: &'a Ports,
        memory: &'a mut Memory,
    ) -> Self {
        let files = RecordingFiles::new(ports.files.clone()).forgetting(memory.is_for_one());
        Self {
            ports,
            options,
            recorder: Recorder::new(ports.clock.clone()),
            memory,
            warnings: Vec::new(),
            files: Arc::new(files),
            carried: Carried {
                scopes: Arc::new(Scopes::of(options.profile)),
                ..Carried::default()
            },
            met: Met::default(),
            schemas: Vec::new(),
            current: current.to_owned(),
            start: current.to_owned(),
            metadata: Metadata::default(),
            namespaces: Vec::new(),
            composing: Vec::new(),
            catalogs: Catalogs::default(),
            additions: None,
            waits: false,
            ran: false,
        }
    }
}

impl Build<'_> {
    /// The namespace of this layer, or of the nearest around it that has one.
    pub(super) fn namespace(&self) -> &str {
        self.namespaces.last().map_or("", String::as_str)
    }

    /// An empty accumulator whose slots follow those given so far.
    pub(super) fn new_accumulator(&self) -> Accumulator {
        let resources = ResMap::starting_at(self.carried.next_slot, self.carried.scopes.clone());
        Accumulator {
            resources: resources.forgetting(self.memory.records_nothing()),
            config: Arc::default(),
            vars: VarSet::default(),
            unmatched: Unmatched::default(),
        }
    }

    /// Begins a step, after asking whether anybody still wants the result.
    pub(super) fn begin(&mut self, heading: Heading) -> Result<Begun, Halt> {
        if self.ports.cancel.is_cancelled() {
            return Err(Halt::Cancelled);
        }
        let mut begun = self.recorder.begin(heading, self.memory);
        if let Some(additions) = &self.additions {
            additions.number_in_file(&mut begun.heading);
        }
        Ok(begun)
    }

    /// What a step that is made from this stands on; nothing where nobody will build again, or where validators ask for
    /// what a step leaves unsaid.
    fn basis(&self, made: Arc<dyn Made>, mark: Mark, acc: &Accumulator) -> Option<Basis> {
        if self.memory.is_for_one() || self.carried.unplaced.is_some() {
            return None;
        }
        let (schema, scopes) = (self.carried.schema.clone(), acc.resources.scopes().clone());
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
        let schema = self.carried.schema.watched();
        let basis = made.and_then(|made| self.basis(made, begun.heading.mark, acc));
        let recall = basis.as_ref().map(|basis| self.memory.recall_step(basis));
        self.met.builtin_was_asked |= basis.as_ref().is_some_and(|it| self.memory.has_asked(it));
        let profile = self.options.profile;
        let mut cx = Context {
            unplaced: self.carried.unplaced.is_some().then(Vec::new),
            recall,
            ..Context::new(profile, &schema, &mut self.memory.sources, begun.heading.mark)
        };
        let result = work(acc, &mut cx);
        if let Some(unplaced) = &mut self.carried.unplaced {
            unplaced.extend(cx.unplaced.take().into_iter().flatten());
        }
        self.met.builtin_was_asked |= schema.was_asked();
        if let Err(error) = &result
            && let Some(wait) = super::errors::waits_for(error)
        {
            self.recorder.waiting(begun, wait);
            self.waits = true;
            return Ok(());
        }
        let Context { matched, warnings, derived, removed, recall, .. } = cx;
        if let (Some(basis), Some(recall), Ok(())) = (basis, recall, &result) {
            self.memory.remember_step(basis, recall, schema.was_asked());
        }
        let account = Account { matched, warnings, derived, removed, ..Account::default() };
        if self.waits
            && let Err(error @ (TransformError::Fault { .. } | TransformError::Manifest { .. })) =
                &result
        {
            // What it does not find may be what is waited for: whether it fails is not known.
            let phrase = error.to_string();
            let phrase = phrase.lines().next().unwrap_or_default();
            let why = format!("unknown until an earlier step has what it waits for: {phrase}");
            self.carried.next_slot = self.carried.next_slot.max(acc.resources.next_slot());
            let wait = Wait::new(Awaited::EarlierStep, &why);
            self.recorder.unknown(begun, &mut acc.resources, account, wait);
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
        self.recorder.waiting(begun, wait);
        self.waits = true;
        Ok(())
    }

    /// Turns an error into words, with the way from the root to the step.
    pub(super) fn fail(&self, begun: &Begun, error: TransformError) -> Arc<StepError> {
        let layer = begun.heading.layer;
        Arc::new(super::errors::describe(error, begun.heading.mark, &self.recorder.layers, layer))
    }
}

/// A load error of a configured entry.
pub(super) fn cannot_load(reading: Reading, mark: Mark, source: LoadError) -> TransformError {
    TransformError::Load { reading, mark, source }
}
