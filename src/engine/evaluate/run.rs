//! A complete build: the root's layers, then the final steps of the root.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::{Code, Diagnostic, Hint, LayerFault};
use crate::load::{Files, LoadRestrictions, Root, SourceNumbers};
use crate::manifest::KustomizationKind;
use crate::profile::Switch;
use crate::resource::{Resource, Slot};
use crate::transform::TransformError;
use crate::yaml::Mark;

use super::build::Build;
use super::build_root::{BuildMetadata, BuildRoot};
use super::deployed::{
    DeployedDirectory, DeployedFiles, DeployedRequest, SourceSetup, deployed, within_repository,
    without_programs,
};
use super::errors::{place, wait_of_error};
use super::level::ActiveLayer;
use super::recorder::BuildAbort;
use super::step::Step;
use super::{
    BuildCache, BuildOptions, Evaluation, LayerId, LayerKind, LocatedDeploymentObject, Ports,
    StepError, StepKind, Trace,
};

/// Builds a target and records every step (Kustomize: `krusty.Kustomizer.Run`).
///
/// `target` is a directory, relative to `current`, or a git target. `memory` is kept from one
/// evaluation of the tree to the next: unchanged files are not read again. The trace is returned
/// even if the build fails; it then ends with the failed step.
pub fn evaluate(
    target: &str,
    current: &Path,
    options: &BuildOptions,
    ports: &Ports,
    memory: &mut BuildCache,
) -> Evaluation {
    let _span = tracing::debug_span!("build", directory = target).entered();
    let request = DeployedRequest { target, current, options, ports, build: evaluate };
    let (found, mut misled) = match deployed(&request, &mut memory.sources) {
        None => (vec![None], None),
        Some(Ok(found)) => (found.into_iter().map(Some).collect(), None),
        Some(Err(error)) => (vec![None], Some(error)),
    };
    let mut sources = Vec::new();
    for deployed in found {
        match source_setup((target, current), deployed, options, ports) {
            Ok(source) => sources.push(source),
            Err(error) => misled = Some(error),
        }
    }
    let (options, ports) = sources.first().map_or((options, ports), |it| (&it.options, &it.ports));
    memory.begin(options.profile);
    let mut build = Build::new(current, options, ports, memory);
    build.warn_of_forced_git(target);
    let result = match (misled, sources.as_slice()) {
        (Some(error), _) => build.refuse_target(target, error, true),
        (None, [source]) => build.run(target, source.deployed.as_ref()),
        (None, several) => build.run_sources(target, several),
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
        let (sources, steps) = (&build.memory.sources, &mut build.recorder.steps);
        super::failure_advice::add_advice_to_error(error, sources, &*ports.files, steps)
    });
    let deployed = sources.iter().filter_map(|source| source.deployed.as_ref());
    let mut trace = Trace {
        steps: std::mem::take(&mut build.recorder.steps),
        layers: std::mem::take(&mut build.recorder.layers),
        sources: build.memory.sources.clone(),
        profile: options.profile,
        secret_values: deployed.flat_map(DeployedDirectory::secret_values).collect(),
    };
    trace.mark_steps_after_pending();
    build.notes.warn_of_step(output_warnings(&trace));
    let notes = build.notes.take();
    let evaluation = Evaluation {
        trace,
        outcome,
        slots,
        warnings: notes.warnings,
        schema: build.carried.schemas.in_force.clone(),
        schemas: notes.schemas,
        watched: build.setup.queried_paths(),
    };
    build.memory.end(&evaluation.trace.steps, &evaluation.trace.layers);
    evaluation
}

/// The directory that the workbench opens for a target that is a deployment object: the deployed
/// directory, or the directory of the object's file if the object deploys another source. `None`
/// for other targets.
pub fn deployed_directory(target: &str, current: &Path, ports: &Ports) -> Option<PathBuf> {
    let options = &BuildOptions::default();
    let request = DeployedRequest { target, current, options, ports, build: evaluate };
    let found = deployed(&request, &mut SourceNumbers::default())?.ok()?.into_iter().next()?;
    match found.location {
        DeployedFiles::Directory(directory, _) => Some(directory),
        DeployedFiles::Git(..) | DeployedFiles::Other(..) => {
            found.file.parent().map(Path::to_owned)
        }
    }
}

/// The deployment objects of a repository in the files that `is_own` accepts, without incomplete
/// objects, such as patches, and `ApplicationSets` all of whose Applications are known. An object that
/// several targets deploy is listed once for each of them.
pub fn deployment_objects(
    root: &Path,
    ports: &Ports,
    is_own: &dyn Fn(&Path) -> bool,
) -> Vec<LocatedDeploymentObject> {
    let options = &BuildOptions::default();
    let request = DeployedRequest { target: "", current: root, options, ports, build: evaluate };
    super::deployed::deployment_objects(&request, is_own)
}

/// Warnings about output that must not be printed silently: names that Kustomize may compute
/// differently, texts that Flux makes booleans, and variables without a value.
fn output_warnings(trace: &Trace) -> impl Iterator<Item = &Diagnostic> {
    let all = trace.steps.iter().flat_map(|step| &step.warnings);
    all.filter(|it| matches!(it.code(), Code::KZ125 | Code::KZ619 | Code::KZ620))
}

/// The options and ports of a target or source, with the settings of its repository.
fn source_setup(
    (target, current): (&str, &Path),
    mut deployed: Option<DeployedDirectory>,
    options: &BuildOptions,
    ports: &Ports,
) -> Result<SourceSetup, TransformError> {
    let directory =
        deployed.as_ref().map_or_else(|| current.join(target), |it| it.directory().into());
    let settings = options.settings.read_settings(&directory, &*ports.files).map_err(|fault| {
        TransformError::fault(LayerFault::RepositorySettings(fault), Mark::default())
    })?;
    let of_deployer = || deployed.as_ref().and_then(DeployedDirectory::profile);
    let profile = settings
        .profile
        .or_else(|| options.settings.allows_target_profile().then(of_deployer).flatten());
    let mut options = profile.map(|profile| options.like(profile)).unwrap_or(options.clone());
    options.enable_helm |=
        settings.helm.is_some_and(|root| options.helm_repositories.contains(&root));
    let is_restricted = options.load_restrictions == LoadRestrictions::RootOnly;
    let as_flux = deployed.is_none() && options.profile.has(Switch::FilesOfRepository);
    // Reading all files of the repository extends the default load restriction; a build without
    // load restrictions can read them anyway.
    let of_repository = || {
        let reads_all = as_flux || options.settings.reads_repository;
        reads_all.then(|| files_root(&directory, &*ports.files))
    };
    let readable = settings.readable.or_else(of_repository).filter(|_| is_restricted);
    let options = if as_flux { without_programs(&options) } else { options };
    let (options, ports) = within_repository(options, ports, readable.as_deref());
    let of_deployer = deployed.as_mut().map(|it| (it.options(&options), it.ports(&ports)));
    let (options, ports) = of_deployer.unwrap_or((options, ports));
    Ok(SourceSetup { deployed, options, ports })
}

/// The root of the repository around a directory; without a repository, the directory itself.
fn files_root(directory: &Path, files: &dyn Files) -> PathBuf {
    let directory = files.resolve(directory).map_or(directory.to_owned(), |(path, _)| path);
    let is_root = |above: &&Path| files.resolve(&above.join(".git")).is_ok();
    directory.ancestors().find(is_root).unwrap_or(&directory).to_owned()
}

impl Build<'_> {
    fn run(
        &mut self,
        target: &str,
        deployed: Option<&DeployedDirectory>,
    ) -> Result<Vec<(Slot, Arc<Resource>)>, BuildAbort> {
        let root = match self.open_source(target, deployed) {
            Ok(root) => root,
            Err(error) => return self.refuse_target(target, error, deployed.is_some()),
        };
        let named = deployed.map(DeployedDirectory::mark).unwrap_or_default();
        let id = self.recorder.enter_root(LayerKind::Root, None, &root, target, named);
        self.build_root(&root, (target, id), deployed)?;
        self.warn_of_unused_trust();
        Ok(std::mem::take(&mut self.acc).into_output())
    }

    pub(super) fn build_root(
        &mut self,
        root: &Root,
        (target, id): (&str, LayerId),
        deployed: Option<&DeployedDirectory>,
    ) -> Result<(), BuildAbort> {
        self.root = BuildRoot { layer: id, ..BuildRoot::at(root.path()) };
        self.recorder.additions = None;
        let read = match deployed {
            None => self.read_target(root).map(|read| (read, Vec::new())),
            Some(deployed) => self.read_deployed(deployed, root),
        };
        let (read, remarks) = read.map_err(|error| {
            let heading = root_heading(id, target);
            self.failed_step(heading, error)
        })?;
        self.recorder.set_file(id, &read.file);
        self.root.metadata = BuildMetadata::from_kustomization(&read.kustomization);
        let level = ActiveLayer { root, target: &read, id };
        if let Some(deployed) = deployed {
            self.record_object_step(deployed, id, remarks)?;
        }
        self.acc = self.new_accumulator();
        if let Some((deployed, directory)) = deployed.and_then(|it| Some((it, it.plain()?))) {
            self.load_plain(deployed, directory, &level)?;
            return self.check_output(&level);
        }
        let accumulated = self.accumulate(&level);
        accumulated.map_err(|halt| match (halt, read.kustomization.kind) {
            (BuildAbort::Failed(error), KustomizationKind::Component) => {
                // It has no resources to work on.
                let about = "this is a Component: it works on the resources of the kustomizations that list it under \
                             `components:`; `kzui components` in the repository shows them";
                let hints = error.hint.iter().cloned().chain([about.into()]);
                BuildAbort::Failed(self.replace_hint(&error, Hint::All(hints.collect())))
            }
            (halt, _) => halt,
        })?;
        self.finish(&level)?;
        self.check_output(&level)?;
        if let Some(deployed) = deployed {
            self.after_build(deployed, &level)?;
            // The text was printed before the deployer's changes and is outdated.
            self.memory.take_text();
        }
        Ok(())
    }

    /// Records a target that cannot be opened: as a pending step if it is only not fetched and
    /// `may_wait`, else as a failed one.
    pub(super) fn refuse_target(
        &mut self,
        target: &str,
        error: TransformError,
        may_wait: bool,
    ) -> Result<Vec<(Slot, Arc<Resource>)>, BuildAbort> {
        let waits = may_wait && wait_of_error(&error).is_some();
        let path = self.setup.current.join(target).to_string_lossy().into_owned();
        let mark = place(&error).filter(|_| waits).unwrap_or_default();
        let id = self.recorder.enter(LayerKind::Root, None, &path, target, mark);
        let heading = Step { mark, ..root_heading(id, target) };
        if !waits {
            return Err(self.failed_step(heading, error));
        }
        self.handle_config_error(heading, error).map(|()| Vec::new())
    }

    pub(super) fn replace_hint(&mut self, error: &Arc<StepError>, hint: Hint) -> Arc<StepError> {
        let by = StepError { hint: Some(hint), ..StepError::clone(error) };
        super::failure_advice::replace_error(&mut self.recorder.steps, error, by)
    }
}

fn root_heading(layer: LayerId, target: &str) -> Step {
    Step::new(StepKind::Load, "read", target, layer, Mark::default())
}
