//! The deployment objects of a repository, and what each builds: the outermost layer, with the
//! additions of an Argo CD Application or a Flux Kustomization to the build of the directory that it
//! deploys.

mod argument;
mod build_options;
mod find;
mod forms;
mod ignore;
mod objects;
mod plain;
mod refused;
mod repeated_objects;
mod source_files;
mod sources;
mod variables;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::{DeployedRemark, Diagnostic};
use crate::load::{Files, IgnorePatterns, LoadRestrictions, Root};
use crate::manifest::{
    AdditionContext, DeploymentObject, Marked, Outline, Pairs, PlacedPair, SourceType,
    Substitution, decode_edited_kustomization, decode_inline_kustomization,
};
use crate::plugin::Gates;
use crate::profile::Profile;
use crate::transform::{
    PairsTransformer, SubstituteVariables, TransformError, Transformer, UnknownVariables,
};
use crate::yaml::{Mark, Node};

use super::additions::{Additions, COMMON_METADATA, POST_BUILD};
use super::build::Build;
use super::deployments::{ArgoSettings, first_variables, generated_kustomization, has_variable};
use super::level::ActiveLayer;
use super::recorder::BuildAbort;
use super::step::Step;
use super::target::{FILE_NAMES, LoadedTarget, bad_manifest, read_only_target};
use super::{BuildOptions, BuildWarning, LayerId, Ports, StepKind};

use build_options::ArgoOptions;

pub(super) use find::{DeployedRequest, deployed};
pub(super) use objects::deployment_objects;
pub use objects::{FileLocation, LocatedDeploymentObject, ObjectOrigin};
use source_files::Within;
pub(super) use sources::SourceSetup;
use variables::VariableObject;

#[derive(Clone, Debug)]
pub(super) enum DeployedFiles {
    /// A directory of the repository, and the files that a source of Flux leaves out.
    Directory(PathBuf, Option<Arc<IgnorePatterns>>),
    /// A git target, and the location of the reference to it.
    Git(String, Mark),
    /// Another source, which is not fetched: the reason, and the location.
    Other(String, Mark),
}

#[derive(Clone, Debug)]
pub(super) struct DeployedDirectory {
    consumer: DeploymentObject,
    pub(super) file: PathBuf,
    /// The files of the object: its own file, and the files of the targets that add to the object.
    object_files: Vec<PathBuf>,
    pub(super) location: DeployedFiles,
    repository: PathBuf,
    remarks: Vec<Diagnostic>,
    variables: Vec<VariableObject>,
    /// The variables that are not known in the outputs of the targets that deploy the object.
    kept_variables: BTreeSet<String>,
    /// The release of the object's controller that the repository installs, and the location of
    /// that installation.
    profile: Option<(Profile, Mark)>,
    source_type: SourceType,
    settings: ArgoSettings,
    argo: ArgoOptions,
}

impl DeployedDirectory {
    pub(super) fn mark(&self) -> Mark {
        self.consumer.mark
    }

    /// The target to open: a directory or a git target.
    pub(super) fn directory(&self) -> String {
        match &self.location {
            DeployedFiles::Directory(directory, _) => directory.to_string_lossy().into_owned(),
            DeployedFiles::Git(target, _) => target.clone(),
            DeployedFiles::Other(..) => self.repository.to_string_lossy().into_owned(),
        }
    }

    pub(super) fn source_mark(&self) -> Mark {
        match &self.location {
            DeployedFiles::Git(_, mark) | DeployedFiles::Other(_, mark) => *mark,
            DeployedFiles::Directory(..) => self.consumer.mark,
        }
    }

    fn has(&self, remark: &Diagnostic) -> bool {
        self.remarks.iter().any(|own| own.remark == remark.remark)
    }

    /// The keys and values of the Secrets that the variables of the object come from.
    pub(super) fn secret_values(&self) -> Vec<(String, String)> {
        let secrets = self.variables.iter().filter(|object| object.is_secret);
        let variables = secrets.flat_map(|object| &object.variables);
        variables.filter_map(|(key, value, _)| Some((key.clone(), value.clone()?))).collect()
    }

    /// The version profile of the deployer: the profile of the Kustomize version that an
    /// Application names, otherwise the profile of the Argo CD or Flux that the repository
    /// installs.
    pub(super) fn profile(&self) -> Option<Profile> {
        let named = Profile::named(self.consumer.kustomize_version());
        named.or_else(|| self.settings.program.or(self.profile).map(|(profile, _)| profile))
    }

    /// The build options of the object's deployer. Flux restricts no paths and runs no programs.
    pub(super) fn options(&mut self, options: &BuildOptions) -> BuildOptions {
        if self.consumer.is_flux() {
            let options = without_programs(options);
            return BuildOptions { load_restrictions: LoadRestrictions::None, ..options };
        }
        let mut options = options.clone();
        let version = self.consumer.kustomize_version();
        self.argo = ArgoOptions::apply(&self.settings, version, &mut options);
        // Argo CD passes the helm versions only to Kustomize 5.3.0 and later.
        if options.enable_helm && options.profile.is_at_least("v5.3.0") {
            let (version, versions) = self.consumer.helm_versions();
            if options.helm.kube_version.is_empty() {
                options.helm.kube_version = version;
            }
            if options.helm.api_versions.is_empty() {
                options.helm.api_versions = versions;
            }
        }
        options
    }

    fn controller_remarks(&self, options: &BuildOptions) -> Vec<Diagnostic> {
        let mut remarks = self.argo.remarks(options);
        if let Some((profile, mark)) = self.settings.program.or(self.profile)
            && profile == options.profile
        {
            let remark = DeployedRemark::Installed(profile.name());
            remarks.push(Diagnostic::new(remark, mark));
        }
        remarks
    }

    /// The ports with which the object's deployer builds: even without load restrictions, files
    /// outside the repository are unreadable.
    pub(super) fn ports(&self, ports: &Ports) -> Ports {
        if !self.consumer.is_flux() {
            return if self.argo.lifts_restrictions {
                Within::new(ports, &self.repository, None).ports(ports, &[])
            } else {
                ports.clone()
            };
        }
        let within = match &self.location {
            DeployedFiles::Directory(_, artifact) => {
                Within::new(ports, &self.repository, artifact.clone())
            }
            DeployedFiles::Git(..) | DeployedFiles::Other(..) => Within::clones(ports),
        };
        within.ports(ports, &self.object_files)
    }
}

/// Options with which no program runs, as in Flux.
pub(super) fn without_programs(options: &BuildOptions) -> BuildOptions {
    let Gates { plugins, exec, star } = Gates::default();
    let mut options = options.clone();
    (options.enable_alpha_plugins, options.enable_exec) = (plugins, exec);
    (options.enable_helm, options.functions.enable_star) = (false, star);
    options
}

/// Options and ports with which each kustomization may read all files of a repository, and no
/// others.
pub(super) fn within_repository(
    options: BuildOptions,
    ports: &Ports,
    root: Option<&Path>,
) -> (BuildOptions, Ports) {
    let Some(root) = root else { return (options, ports.clone()) };
    let options = BuildOptions { load_restrictions: LoadRestrictions::None, ..options };
    (options, Within::new(ports, root, None).ports(ports, &[]))
}

impl Build<'_> {
    pub(super) fn read_deployed(
        &mut self,
        deployed: &DeployedDirectory,
        root: &Root,
    ) -> Result<(LoadedTarget, Vec<Diagnostic>), TransformError> {
        let consumer = &deployed.consumer;
        let bytes = self.read_object_files(deployed);
        if let SourceType::Directory(_) = deployed.source_type {
            let read = LoadedTarget::of_entry(&deployed.file.to_string_lossy());
            return Ok((read, deployed.remarks.clone()));
        }
        let mut additions = Additions::from_object(consumer, &bytes, self.root.layer);
        let profile = self.setup.profile();
        let files = root.files().clone();
        let directory = root.path().to_owned();
        let exists = |path: &str| files.resolve(&directory.join(path)).is_ok();
        let environment = &self.setup.options.functions.env;
        let around = AdditionContext { exists: &exists, environment };
        let mut remarks = Vec::new();
        let mut edit = |node: &mut Node| {
            additions.record_list_locations(node);
            remarks.clone_from(&deployed.remarks);
            remarks.extend(consumer.add_to(node, &around)?);
            Ok(())
        };
        let of_controller = deployed.controller_remarks(self.setup.options);
        let is_there = FILE_NAMES.iter().any(|name| root.find(name).is_some());
        if !is_there && consumer.is_flux() {
            let (_, mark) = consumer.directory().unwrap_or((String::new(), consumer.mark));
            let mut node = generated_kustomization(&directory, &*files, mark);
            let kustomization = edit(&mut node)
                .and_then(|()| decode_inline_kustomization(&node, profile))
                .map_err(|error| bad_manifest(error, mark.source, root, b""))?;
            let file = deployed.file.to_string_lossy().into_owned();
            remarks.extend(of_controller);
            self.recorder.additions = Some(additions);
            let kustomization = Arc::new(kustomization);
            return Ok((LoadedTarget { kustomization, ..LoadedTarget::of_entry(&file) }, remarks));
        }
        let (name, loaded, beside) = read_only_target(root)?;
        if !FILE_NAMES.contains(&name) {
            let remark = DeployedRemark::NoAdditions(consumer.title());
            let remark = Diagnostic::new(remark, consumer.mark);
            return Ok((LoadedTarget::of_composition(&loaded), vec![remark]));
        }
        let source = self.memory.sources.intern(&loaded.path);
        let is_strict = !consumer.is_flux();
        let decoded =
            decode_edited_kustomization(&loaded.bytes, source, profile, is_strict, &mut edit);
        let kustomization =
            decoded.map_err(|error| bad_manifest(error, source, root, &loaded.bytes))?;
        // Only fields of the file itself are reported: a deprecated field that the object adds,
        // such as `commonLabels`, has no newer form in the object.
        let deprecated = kustomization.deprecated.iter().filter(|it| it.mark.source == source);
        let deprecated = deprecated.cloned();
        self.notes.warn_all(deprecated.map(BuildWarning::Deprecated));
        let read = (Arc::new(kustomization), Arc::new(Outline::parse(&loaded.bytes)));
        remarks.extend(of_controller);
        self.recorder.additions = Some(additions);
        let sources = &mut self.memory.sources;
        Ok((LoadedTarget::of_file(loaded.path, read, beside, sources), remarks))
    }

    /// Reads the file of the object, and the files that add to it or change its source, so that a
    /// change of any of them leads to a new build.
    fn read_object_files(&self, deployed: &DeployedDirectory) -> Arc<[u8]> {
        if let DeployedFiles::Directory(directory, _) = &deployed.location {
            for name in deployed.consumer.override_files() {
                let _ = self.setup.files.read(&directory.join(name));
            }
        }
        for file in deployed.object_files.iter().chain(&deployed.settings.files) {
            let _ = self.setup.files.read(file);
        }
        self.setup.files.read(&deployed.file).unwrap_or_default()
    }

    pub(super) fn record_object_step(
        &mut self,
        deployed: &DeployedDirectory,
        layer: LayerId,
        remarks: Vec<Diagnostic>,
    ) -> Result<(), BuildAbort> {
        let consumer = &deployed.consumer;
        let heading = Step::new(
            StepKind::Configure,
            &consumer.title(),
            "deploys this directory",
            layer,
            consumer.place(),
        );
        let mut begun = self.begin(heading)?;
        self.notes.warn_of_step(&remarks);
        (begun.step.matched, begun.step.warnings) = (1, remarks);
        self.recorder.record(begun, Vec::new(), Ok(()))
    }

    /// The variables of an object; of equal names, the first counts: variables in the object, then
    /// variables of the user (`--env`), then variables of `substituteFrom`, the last one first.
    fn variables(
        &self,
        deployed: &DeployedDirectory,
        own: Vec<PlacedPair>,
        mark: Mark,
    ) -> (Vec<PlacedPair>, UnknownVariables) {
        let given = self.setup.options.functions.env.iter().filter_map(|it| it.split_once('='));
        let given = given.map(|(name, value)| (name.to_owned(), value.replace('\n', ""), mark));
        // A value in which a parent kept an expression is not known either.
        let (kept, own): (Vec<_>, Vec<_>) = own
            .into_iter()
            .partition(|(_, value, _)| has_variable(value, &deployed.kept_variables));
        let objects = &deployed.variables;
        let has_references = !objects.is_empty() || !kept.is_empty();
        let known = own.into_iter().chain(given.filter(|_| has_references));
        let known = known.map(|(name, value, mark)| (name, Some(value), mark));
        let kept = kept.into_iter().map(|(name, _, mark)| (name, None, mark));
        let of_objects = objects.iter().rev().flat_map(|object| object.variables.iter().cloned());
        let mut unknown = UnknownVariables {
            names: BTreeSet::new(),
            has_others: objects.iter().any(|object| object.has_unknown_keys),
            may_have_others: objects.iter().any(|object| object.is_elsewhere),
        };
        let mut variables = Vec::new();
        for (name, value, mark) in first_variables(known.chain(kept).chain(of_objects)) {
            match value {
                Some(value) => variables.push((name, value, mark)),
                None => drop(unknown.names.insert(name)),
            }
        }
        (variables, unknown)
    }

    /// Applies the changes that the deployer makes after the build: variables, labels and
    /// annotations.
    pub(super) fn after_build(
        &mut self,
        deployed: &DeployedDirectory,
        level: &ActiveLayer<'_>,
    ) -> Result<(), BuildAbort> {
        self.acc.resources.separate_shared_values();
        let names = |pairs: &[PlacedPair]| {
            pairs.iter().map(|(name, ..)| name.as_str()).collect::<Vec<_>>().join(", ")
        };
        if let Some(Substitution { variables, is_always, mark }) = deployed.consumer.substitution()
        {
            let (variables, unknown) = self.variables(deployed, variables, mark);
            if is_always || !variables.is_empty() || !unknown.is_empty() {
                let argument = names(&variables);
                let heading = level.heading(StepKind::AfterBuild, POST_BUILD, argument, mark);
                let work = SubstituteVariables::new(variables, unknown);
                self.step(heading, |acc, cx| work?.transform(&mut acc.resources, cx))?;
            }
        }
        if let Some((labels, annotations, mark)) = deployed.consumer.common_metadata() {
            let argument = names(&[&*labels, &*annotations].concat());
            let heading = level.heading(StepKind::AfterBuild, COMMON_METADATA, argument, mark);
            let labels = PairsTransformer::for_metadata_labels(pairs(labels));
            let annotations = PairsTransformer::for_metadata_annotations(pairs(annotations));
            self.step(heading, |acc, cx| {
                labels.transform(&mut acc.resources, cx)?;
                annotations.transform(&mut acc.resources, cx)
            })?;
        }
        for name in [POST_BUILD, COMMON_METADATA] {
            self.record_switched_off_additions(level, (name, StepKind::AfterBuild, name));
        }
        self.drop_repeated(deployed, level)
    }
}

fn pairs(pairs: Vec<PlacedPair>) -> Pairs {
    pairs.into_iter().map(|(key, value, mark)| (key, Marked { value, mark })).collect()
}

#[cfg(test)]
mod tests;
