//! The sources of a deployment object. Several sources of an Argo CD Application are built one
//! after the other, and their objects are joined (`GetRepoObjs` of its controller).

use std::sync::Arc;

use crate::diagnostic::{TextPurpose, WithheldStep};
use crate::load::{LoadError, RecordingFiles, RemoteError, Root};
use crate::resource::{Resource, Slot};
use crate::transform::TransformError;

use super::super::accumulator::Accumulator;
use super::super::build::{Build, cannot_load};
use super::super::catalogs::Catalogs;
use super::super::level::ActiveLayer;
use super::super::recorder::BuildAbort;
use super::super::setup::BuildSetup;
use super::super::target::LoadedTarget;
use super::super::{BuildOptions, LayerKind, Ports, StepKind};
use super::{DeployedDirectory, DeployedFiles};

pub(in crate::evaluate) struct SourceSetup {
    /// The directory that the deployment object deploys; `None` for a target without an object.
    pub(in crate::evaluate) deployed: Option<DeployedDirectory>,
    pub(in crate::evaluate) options: BuildOptions,
    pub(in crate::evaluate) ports: Ports,
}

impl<'a> Build<'a> {
    /// The root of a target: its directory, or that of the object that it names.
    pub(in crate::evaluate) fn open_source(
        &self,
        target: &str,
        deployed: Option<&DeployedDirectory>,
    ) -> Result<Root, TransformError> {
        if let Some(DeployedFiles::Other(reason, mark)) = deployed.map(|it| &it.location) {
            let what = WithheldStep::Source(reason.clone());
            return Err(TransformError::Waiting { what, mark: *mark });
        }
        let directory = deployed.map(DeployedDirectory::directory);
        self.setup.root_of(directory.as_deref().unwrap_or(target)).map_err(|source| {
            let reading = TextPurpose::Target(target.into());
            let is_withheld = matches!(source, LoadError::Remote(RemoteError::NotAllowed { .. }));
            let mark = deployed.filter(|_| is_withheld).map(DeployedDirectory::source_mark);
            TransformError::Load { reading, mark: mark.unwrap_or_default(), source }
        })
    }

    /// Builds the sources of an object and joins their objects. The layer of each source is below
    /// that of the object.
    pub(in crate::evaluate) fn run_sources(
        &mut self,
        target: &str,
        sources: &'a [SourceSetup],
    ) -> Result<Vec<(Slot, Arc<Resource>)>, BuildAbort> {
        let Some(first) = sources.iter().find_map(|source| source.deployed.as_ref()) else {
            return Ok(Vec::new());
        };
        let root = match self.setup.root_of(&first.repository.to_string_lossy()) {
            Ok(root) => root,
            Err(source) => {
                let error = cannot_load(TextPurpose::Target(target.into()), first.mark(), source);
                return self.refuse_target(target, error, false);
            }
        };
        let id = self.recorder.enter_root(LayerKind::Root, None, &root, target, first.mark());
        let file = first.file.to_string_lossy();
        self.recorder.set_file(id, &file);
        let read = LoadedTarget::of_entry(&file);
        let level = ActiveLayer { root: &root, target: &read, id };
        self.acc = self.new_accumulator();
        for source in sources {
            self.begin_source(source);
            self.notes.begin_part();
            self.build_source(source, &level)?;
            let notes = self.notes.end_part();
            self.notes.own.add(&notes, true);
        }
        self.drop_repeated(first, &level)?;
        self.memory.take_text();
        self.warn_of_unused_trust();
        Ok(std::mem::take(&mut self.acc).into_output())
    }

    fn begin_source(&mut self, source: &'a SourceSetup) {
        let SourceSetup { options, ports, .. } = source;
        if options.profile != self.setup.profile() {
            self.memory.begin(options.profile);
        }
        let files = RecordingFiles::new(ports.files.clone());
        let files = Arc::new(files.without_record_if(self.memory.omits_paths()));
        files.extend(&self.setup.files.queries_since(0));
        self.setup = BuildSetup { ports, options, files, current: self.setup.current };
        self.options = Arc::new(options.clone());
        self.carried = self.carried.next_source(options.profile);
        self.catalogs = Catalogs::default();
    }

    fn build_source(
        &mut self,
        source: &SourceSetup,
        level: &ActiveLayer<'_>,
    ) -> Result<(), BuildAbort> {
        let Some(deployed) = &source.deployed else { return Ok(()) };
        let consumer = &deployed.consumer;
        let (path, mark) = consumer.directory().unwrap_or((String::new(), consumer.mark));
        let root = match self.open_source(&path, Some(deployed)) {
            Ok(root) => root,
            Err(error) => {
                let heading = level.heading(StepKind::Load, "load", path, mark);
                return self.handle_config_error(heading, error);
            }
        };
        let parent = Some(level.id);
        let id = self.recorder.enter_root(LayerKind::Base, parent, &root, &path, mark);
        let child = self.with_accumulator(Accumulator::default(), |build| {
            build.build_root(&root, (&path, id), Some(deployed))
        })?;
        self.recorder.leave(id);
        let mut begun = self.begin(level.heading(StepKind::Merge, "merge", path, mark))?;
        for (slot, resource) in child.resources.iter() {
            self.acc.resources.insert_repeated(slot, resource.clone());
        }
        begun.step.matched = child.resources.len();
        self.end(begun, Ok(()))
    }
}
