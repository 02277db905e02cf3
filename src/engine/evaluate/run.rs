//! A whole build: the root's layers, then the final steps of the root.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::{Code, ErrorHint, LayerFault, TextPurpose};
use crate::load::{Files, LoadError, LoadRestrictions, RemoteError, Root, SourceNumbers};
use crate::manifest::KustomizationKind;
use crate::profile::Switch;
use crate::resource::{Resource, Slot};
use crate::transform::TransformError;
use crate::yaml::Mark;

use super::accumulator::Accumulator;
use super::build::Build;
use super::build_root::BuildRoot;
use super::deployed::{
    DeployedDirectory, DeployedFiles, Request, deployed, within_repository, without_programs,
};
use super::heading::StepHeader;
use super::level::ActiveLayer;
use super::metadata::Metadata;
use super::recorder::BuildAbort;
use super::{
    BuildCache, BuildOptions, BuildWarning, Evaluation, LayerId, LayerKind, Ports, StepError,
    StepKind, Trace,
};

/// Builds a target and records every step (Kustomize: `krusty.Kustomizer.Run`).
///
/// `target` is a directory, relative to `current`, or a git target. `memory` is kept from one
/// evaluation of the tree to the next: unchanged files are not read again. The trace is returned
/// even if the build fails; it then ends with the failed step.
#[expect(clippy::too_many_lines, reason = "the stages of a build in their order")]
pub fn evaluate(
    target: &str,
    current: &Path,
    options: &BuildOptions,
    ports: &Ports,
    memory: &mut BuildCache,
) -> Evaluation {
    let _span = tracing::debug_span!("build", directory = target).entered();
    let request = Request { target, current, options, ports, build: evaluate };
    let (mut deployed, misled) = match deployed(&request, &mut memory.sources) {
        None => (None, None),
        Some(Ok(deployed)) => (Some(deployed), None),
        Some(Err(error)) => (None, Some(error)),
    };
    let (own, misled) =
        target_settings(options, (target, current), deployed.as_ref(), ports, misled);
    let (options, ports) = own.as_ref().map_or((options, ports), |(o, p)| (o, p));
    memory.begin(options.profile);
    let theirs = deployed.as_mut().map(|it| (it.options(options), it.ports(ports)));
    let (options, ports) = theirs.as_ref().map_or((options, ports), |(o, p)| (o, p));
    let mut build = Build::new(current, options, ports, memory);
    build.warn_of_forced_git(target);
    let directory = deployed.as_ref().map(DeployedDirectory::directory);
    let root = build.setup.root_of(directory.as_deref().unwrap_or(target));
    let elsewhere = deployed.as_ref().and_then(DeployedDirectory::elsewhere);
    let result = match (misled, root) {
        (Some(error), _) => Err(build.target_not_found(target, error)),
        (None, _) if elsewhere.is_some() => build.pending(target, elsewhere),
        (None, Err(source @ LoadError::Remote(RemoteError::NotAllowed { .. })))
            if deployed.is_some() =>
        {
            let mark = deployed.as_ref().map(DeployedDirectory::source_mark).unwrap_or_default();
            let reading = TextPurpose::Target(target.into());
            build.pending(target, Some(TransformError::Load { reading, mark, source }))
        }
        (None, Ok(root)) => build.run(&root, target, deployed.as_ref()),
        (None, Err(source)) => {
            let (reading, mark) = (TextPurpose::Target(target.into()), Mark::default());
            Err(build.target_not_found(target, TransformError::Load { reading, mark, source }))
        }
    };
    let mut slots = Vec::new();
    let outcome = match result {
        Ok(resources) => {
            slots = resources.iter().map(|(slot, _)| *slot).collect();
            Ok(resources.into_iter().map(|(_, resource)| resource).collect())
        }
        Err(BuildAbort::Failed(error)) => Err(error),
        Err(BuildAbort::Cancelled) => Err(Arc::new(StepError::cancelled())),
    };
    build.recorder.leave(LayerId(0));
    let outcome = outcome.map_err(|error| {
        let sources = &build.memory.sources;
        super::failure_advice::advise(error, sources, &*ports.files, &mut build.recorder.steps)
    });
    let trace = Trace {
        steps: std::mem::take(&mut build.recorder.steps),
        layers: std::mem::take(&mut build.recorder.layers),
        sources: build.memory.sources.clone(),
        profile: options.profile,
        secret_values: deployed.as_ref().map(DeployedDirectory::secret_values).unwrap_or_default(),
    };
    build.notes.warn_all(silent_differences(&trace));
    let notes = build.notes.take();
    let evaluation = Evaluation {
        trace,
        outcome,
        slots,
        warnings: notes.warnings,
        schema: build.carried.schemas.in_force.clone(),
        schemas: notes.schemas,
        watched: build.setup.asked_for(),
    };
    build.memory.end(&evaluation.trace.steps, &evaluation.trace.layers);
    evaluation
}

/// The directory that the workbench opens for a target that is a deployment object: the deployed
/// directory, or the directory of the object's file if the object deploys another source. `None`
/// for other targets.
pub fn deployed_directory(target: &str, current: &Path, ports: &Ports) -> Option<PathBuf> {
    let options = &BuildOptions::default();
    let request = Request { target, current, options, ports, build: evaluate };
    let found = deployed(&request, &mut SourceNumbers::default())?.ok()?;
    match found.location {
        DeployedFiles::Directory(directory, _) => Some(directory),
        DeployedFiles::Git(..) | DeployedFiles::Other(..) => {
            found.file.parent().map(Path::to_owned)
        }
    }
}

/// Warnings about output that must not be printed silently: names that Kustomize may compute
/// differently, texts that Flux makes booleans, and variables without a value.
fn silent_differences(trace: &Trace) -> impl Iterator<Item = BuildWarning> {
    let said = trace.steps.iter().flat_map(|step| &step.warnings);
    said.filter(|said| matches!(said.code(), Code::KZ125 | Code::KZ619 | Code::KZ620))
        .map(|said| BuildWarning::OfStep(Box::new(said.clone())))
}

/// The options and ports of a target in a repository with settings, or the error that prevents the
/// build.
fn target_settings(
    options: &BuildOptions,
    (target, current): (&str, &Path),
    deployed: Option<&DeployedDirectory>,
    ports: &Ports,
    misled: Option<TransformError>,
) -> (Option<(BuildOptions, Ports)>, Option<TransformError>) {
    let directory = deployed.map_or_else(|| current.join(target), |it| it.directory().into());
    let settings = match options.settings.read_settings(&directory, &*ports.files) {
        Ok(settings) => settings,
        Err(fault) => {
            let fault = LayerFault::RepositorySettings(fault);
            return (None, Some(TransformError::fault(fault, Mark::default())));
        }
    };
    let of_deployer = || deployed.and_then(DeployedDirectory::profile);
    let profile = settings
        .profile
        .or_else(|| options.settings.allows_target_profile().then(of_deployer).flatten());
    let options = profile.map(|profile| options.like(profile)).unwrap_or(options.clone());
    let is_restricted = options.load_restrictions == LoadRestrictions::RootOnly;
    let as_flux = deployed.is_none() && options.profile.has(Switch::FilesOfRepository);
    // The files of the whole repository are readable only under the default load restriction;
    // without restrictions no limit is needed.
    let readable = match settings.readable {
        Some(root) => Some(root).filter(|_| is_restricted),
        None if as_flux => {
            let root = files_root(&directory, &*ports.files);
            Some(root).filter(|_| is_restricted)
        }
        None => None,
    };
    let options = if as_flux { without_programs(&options) } else { options };
    (Some(within_repository(options, ports, readable.as_deref())), misled)
}

/// The repository around a directory, else the directory.
fn files_root(directory: &Path, files: &dyn Files) -> PathBuf {
    let directory = files.resolve(directory).map_or(directory.to_owned(), |(path, _)| path);
    let is_root = |above: &&Path| files.resolve(&above.join(".git")).is_ok();
    directory.ancestors().find(is_root).unwrap_or(&directory).to_owned()
}

impl Build<'_> {
    fn run(
        &mut self,
        root: &Root,
        target: &str,
        deployed: Option<&DeployedDirectory>,
    ) -> Result<Vec<(Slot, Arc<Resource>)>, BuildAbort> {
        self.root = BuildRoot::at(root.path());
        let named = deployed.map(DeployedDirectory::mark).unwrap_or_default();
        let id = self.recorder.enter_root(LayerKind::Root, None, root, target, named);
        let read = match deployed {
            None => self.read_target(root).map(|read| (read, Vec::new())),
            Some(deployed) => self.read_deployed(deployed, root),
        };
        let (read, remarks) = read.map_err(|error| {
            let heading = root_heading(id, target);
            self.failed_step(heading, error)
        })?;
        self.recorder.set_file(id, &read.file);
        self.root.metadata = Metadata::from_kustomization(&read.kustomization);
        let level = ActiveLayer { root, target: &read, id };
        if let Some(deployed) = deployed {
            self.announce(deployed, id, remarks)?;
        }
        let mut acc = self.new_accumulator();
        if let Some((deployed, directory)) = deployed.and_then(|it| Some((it, it.plain()?))) {
            self.load_plain(deployed, directory, &level, &mut acc)?;
            self.check_output(&level, &acc)?;
            return Ok(output(&acc));
        }
        let accumulated = self.accumulate(&level, &mut acc);
        accumulated.map_err(|halt| explain_component_root(halt, read.kustomization.kind))?;
        self.finish(&level, &mut acc)?;
        self.check_output(&level, &acc)?;
        if let Some(deployed) = deployed {
            self.after_build(deployed, &level, &mut acc)?;
            // The text was printed before the deployer's changes and is outdated.
            self.memory.take_text();
        }
        self.warn_of_unused_trust();
        Ok(output(&acc))
    }

    /// Records a target whose files are not fetched as a pending step.
    fn pending(
        &mut self,
        target: &str,
        error: Option<TransformError>,
    ) -> Result<Vec<(Slot, Arc<Resource>)>, BuildAbort> {
        let path = self.setup.current.join(target).to_string_lossy().into_owned();
        let id = self.recorder.enter(LayerKind::Root, None, &path, target, Mark::default());
        if let Some(error) = error {
            self.not_configured(root_heading(id, target), error)?;
        }
        Ok(Vec::new())
    }

    /// The error for a target that does not exist, recorded as a failed step.
    fn target_not_found(&mut self, target: &str, error: TransformError) -> BuildAbort {
        let path = self.setup.current.join(target).to_string_lossy().into_owned();
        let id = self.recorder.enter(LayerKind::Root, None, &path, target, Mark::default());
        self.failed_step(root_heading(id, target), error)
    }
}

fn output(acc: &Accumulator) -> Vec<(Slot, Arc<Resource>)> {
    acc.resources.iter().map(|(slot, resource)| (slot, resource.clone())).collect()
}

/// Replaces the error of a Component that is built alone by one that names the cause: it has no
/// resources to work on.
fn explain_component_root(halt: BuildAbort, kind: KustomizationKind) -> BuildAbort {
    match halt {
        BuildAbort::Failed(error) if kind == KustomizationKind::Component => {
            let about = "this is a Component: it works on the resources of the kustomizations that list it under \
                         `components:`; `kzui components` in the repository shows them";
            let hints = error.hint.iter().cloned().chain([about.into()]);
            let hint = Some(ErrorHint::All(hints.collect()).into());
            BuildAbort::Failed(Arc::new(StepError { hint, ..StepError::clone(&error) }))
        }
        halt => halt,
    }
}

fn root_heading(layer: LayerId, target: &str) -> StepHeader {
    StepHeader {
        kind: StepKind::Load,
        name: "read".into(),
        argument: target.into(),
        layer,
        builtin: None,
        function: None,
        field: "",
        entry: None,
        mark: Mark::default(),
    }
}
