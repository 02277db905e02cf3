//! The whole of a build: the root's layers, then the steps that Kustomize does only at the root.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::{Code, LayerFault, Reading};
use crate::load::{LoadError, Root};
use crate::manifest::Kind;
use crate::resource::{QuickMap, Resource, Slot};
use crate::transform::TransformError;
use crate::yaml::Mark;

use super::build::Build;
use super::deployed::{Deployed, deployed};
use super::level::Level;
use super::metadata::Metadata;
use super::recorder::{Halt, Heading};
use super::{
    BuildOptions, BuildWarning, Evaluation, LayerId, LayerKind, Memory, Ports, StepError, StepKind,
    Trace,
};

/// Builds a target and records every step (Kustomize: `krusty.Kustomizer.Run`).
///
/// `target` is a directory, relative to `current`, or a git target. `memory` is kept from one evaluation of the
/// tree to the next: what did not change is not read again. The trace is returned even when the build fails; it
/// then ends with the step that failed.
pub fn evaluate(
    target: &str,
    current: &Path,
    options: &BuildOptions,
    ports: &Ports,
    memory: &mut Memory,
) -> Evaluation {
    let (deployed, misled) = match deployed(target, current, &*ports.files, &mut memory.sources) {
        None => (None, None),
        Some(Ok(deployed)) => (Some(deployed), None),
        Some(Err(error)) => (None, Some(error)),
    };
    let (own, misled) = as_it_says(options, (target, current), deployed.as_ref(), ports, misled);
    let options = own.as_ref().unwrap_or(options);
    memory.begin(options.profile);
    let theirs = deployed.as_ref().map(|it| (it.options(options), it.ports(ports)));
    let (options, ports) = theirs.as_ref().map_or((options, ports), |(o, p)| (o, p));
    let mut build = Build::new(current, options, ports, memory);
    let directory = deployed.as_ref().map(|it| it.directory.to_string_lossy().into_owned());
    let root = Root::start(
        directory.as_deref().unwrap_or(target),
        current,
        options.load_restrictions,
        options.profile,
        build.files.clone(),
        ports.remote.clone(),
    );
    let result = match (misled, root) {
        (Some(error), _) => Err(build.misled(current, target, error)),
        (None, Ok(root)) => build.run(&root, target, deployed.as_ref()),
        (None, Err(error)) => Err(build.no_root(current, target, error)),
    };
    let mut slots = Vec::new();
    let outcome = match result {
        Ok(resources) => {
            slots = resources.iter().map(|(slot, _)| *slot).collect();
            Ok(resources.into_iter().map(|(_, resource)| resource).collect())
        }
        Err(Halt::Failed(error)) => Err(error),
        Err(Halt::Cancelled) => Err(Arc::new(StepError::cancelled())),
    };
    build.recorder.leave(LayerId(0));
    let trace = Trace {
        steps: std::mem::take(&mut build.recorder.steps),
        layers: std::mem::take(&mut build.recorder.layers),
        sources: build.memory.sources.clone(),
        profile: options.profile,
    };
    build.warnings.extend(unknown_names(&trace));
    let evaluation = Evaluation {
        trace,
        outcome,
        slots,
        warnings: std::mem::take(&mut build.warnings),
        schema: build.carried.schema.clone(),
        schemas: std::mem::take(&mut build.schemas),
        watched: build.asked_for(),
    };
    build.memory.end(&evaluation.trace.steps, &evaluation.trace.layers);
    evaluation
}

/// Names that Kustomize may make otherwise: they are not printed without a word.
fn unknown_names(trace: &Trace) -> impl Iterator<Item = BuildWarning> {
    let said = trace.steps.iter().flat_map(|step| &step.warnings);
    said.filter(|said| said.code == Code::KZ125)
        .map(|said| BuildWarning::OfStep(said.message.clone()))
}

/// The options of a target that says of itself which Kustomize it is built with; and why it cannot be built.
fn as_it_says(
    options: &BuildOptions,
    (target, current): (&str, &Path),
    deployed: Option<&Deployed>,
    ports: &Ports,
    misled: Option<TransformError>,
) -> (Option<BuildOptions>, Option<TransformError>) {
    let directory = deployed.map_or_else(|| current.join(target), |it| it.directory.clone());
    match options.own_profile.of(&directory, &*ports.files) {
        Ok(own) => (own.map(|profile| options.like(profile)), misled),
        Err(words) => {
            (None, Some(TransformError::fault(LayerFault::OwnProfile(words), Mark::default())))
        }
    }
}

impl Build<'_> {
    /// The files and directories that the build asked for, each once.
    fn asked_for(&self) -> Vec<PathBuf> {
        let asked = self.files.since(0);
        let mut paths: QuickMap<&OsStr, ()> = QuickMap::default();
        paths.extend(asked.iter().map(|asked| (asked.path().as_os_str(), ())));
        paths.into_keys().map(PathBuf::from).collect()
    }

    fn run(
        &mut self,
        root: &Root,
        target: &str,
        deployed: Option<&Deployed>,
    ) -> Result<Vec<(Slot, Arc<Resource>)>, Halt> {
        root.path().clone_into(&mut self.start);
        let named = deployed.map(Deployed::mark).unwrap_or_default();
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
        self.metadata = Metadata::of(&read.kustomization);
        let level = Level { root, target: &read, id };
        if let Some(deployed) = deployed {
            self.announce(deployed, id, remarks)?;
        }
        let mut acc = self.new_accumulator();
        let accumulated = self.accumulate(&level, &mut acc);
        accumulated.map_err(|halt| about_component(halt, read.kustomization.kind))?;
        self.finish(&level, &mut acc)?;
        self.check_output(&level, &acc)?;
        if let Some(deployed) = deployed {
            self.after_build(deployed, &level, &mut acc)?;
            // What was printed is not what it is now.
            self.memory.take_text();
        }
        self.warn_of_unused_trust();
        Ok(acc.resources.iter().map(|(slot, resource)| (slot, resource.clone())).collect())
    }

    /// A target that names an object which leads nowhere.
    fn misled(&mut self, current: &Path, target: &str, error: TransformError) -> Halt {
        let path = current.join(target).to_string_lossy().into_owned();
        let id = self.recorder.enter(LayerKind::Root, None, &path, target, Mark::default());
        self.failed_step(root_heading(id, target), error)
    }

    fn no_root(&mut self, current: &Path, target: &str, source: LoadError) -> Halt {
        let path = current.join(target).to_string_lossy().into_owned();
        let id = self.recorder.enter(LayerKind::Root, None, &path, target, Mark::default());
        let mark = Mark::default();
        let reading = Reading::Target(target.into());
        self.failed_step(root_heading(id, target), TransformError::Load { reading, mark, source })
    }
}

/// A Component that is built alone has nothing to work on: the error is told for what it is.
fn about_component(halt: Halt, kind: Kind) -> Halt {
    match halt {
        Halt::Failed(error) if kind == Kind::Component => {
            let about = "this is a Component: it works on the resources of the kustomizations that list it under \
                         `components:`; `kzui components` in the repository shows them";
            let hint = error.hint.iter().map(String::as_str).chain([about]);
            let hint = Some(hint.collect::<Vec<_>>().join("; "));
            Halt::Failed(Arc::new(StepError { hint, ..StepError::clone(&error) }))
        }
        halt => halt,
    }
}

fn root_heading(layer: LayerId, target: &str) -> Heading {
    Heading {
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
