//! The summary of each target in a list: whether it builds, its contents, its findings.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::file_check::{CheckInput, CheckMemory};
use super::target_check::{TrialAnswers, rebuilder};
use crate::answers::secrets::Secrets;
use crate::answers::{
    CustomTypes, EditedTexts, FileCheck, Finding, FixSelection, PassedFlags, Recording,
    SharedFinding, add_trial_findings_with_cache, findings, findings_of_repository, headline,
    repairs_on_all_cores, report_charts_as_pending,
};
use crate::draft::{DraftedFiles, FileChange, WriteScope};
use crate::engine::diagnostic::{Code, EntryEffect, Severity};
use crate::engine::evaluate::{
    BuildCache, BuildOptions, Cancel, ErrorCause, Ports, StepOutcome, evaluate,
};
use crate::engine::load::{FileError, Files};
use crate::repository::{
    KeptFiles, Listing, LocatedDeploymentObject, MAX_TARGETS_PER_CACHE, ObjectsByFile, Repository,
    map_slice_in_parallel,
};

/// The outcome of the build of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TargetBuildState {
    Fails,
    /// The build has a pending step: a remote base is not fetched, or a function is not trusted.
    Waits,
    Builds,
}

/// The summary of the build of one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetSummary {
    pub standing: TargetBuildState,
    /// The number of resources in the output.
    pub objects: usize,
    pub waits: usize,
    pub errors: usize,
    pub warnings: usize,
    pub notes: usize,
    /// The codes of the findings, each once, sorted.
    pub codes: Vec<Code>,
    /// The worst finding, in one line; `None` without findings.
    pub worst: Option<String>,
}

/// Builds a target and summarizes its findings. Claims about an entry are verified by building.
/// Targets that are built with the same `memory` must have the same current folder.
pub fn summary(
    folder: &Path,
    current: &Path,
    options: &BuildOptions,
    ports: &Ports,
    memory: &mut BuildCache,
) -> TargetSummary {
    let dir = folder.to_string_lossy();
    let mut built = evaluate(&dir, current, options, ports, memory);
    add_trial_findings_with_cache(&mut built, (&*dir, current), options, ports, &*memory);
    let recording = Recording::new(built, folder);
    let is_waiting = |outcome: &StepOutcome| matches!(outcome, StepOutcome::Waiting(_));
    let waits = recording.trace.steps.iter().filter(|step| is_waiting(&step.outcome)).count();
    let mut found = findings(&recording);
    let needs_charts = report_charts_as_pending(&recording, &mut found);
    lower_findings_of_parents(folder, &recording, &mut found);
    let count =
        |wanted: Severity| found.iter().filter(|finding| finding.severity == wanted).count();
    let mut codes: Vec<Code> = found.iter().map(|finding| finding.diagnostic.code()).collect();
    codes.sort_by_key(|code| code.as_str());
    codes.dedup();
    let standing = match () {
        () if recording.error.is_some() && !needs_charts => TargetBuildState::Fails,
        () if waits > 0 || needs_charts => TargetBuildState::Waits,
        () => TargetBuildState::Builds,
    };
    let worst = found.first().map(|finding| {
        let mut secrets = Secrets::masked([0; 16]);
        secrets.learn(&recording.trace);
        headline(&Secrets::without_salt(&secrets.text(&finding.diagnostic.message())))
    });
    let missing = missing_entry(&recording);
    TargetSummary {
        standing,
        objects: recording.output.len(),
        waits: waits + usize::from(needs_charts),
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
        notes: count(Severity::Note),
        codes,
        worst: missing.or(worst),
    }
}

/// Lowers findings about a patch that a parent adds to all its children: it is meant for some of
/// them. `kzui check` reports it as an error if no child needs it.
fn lower_findings_of_parents(target: &Path, recording: &Recording, found: &mut [Finding]) {
    let name = target.to_string_lossy();
    let Some((own, _)) = name.split_once('#') else { return };
    for finding in found.iter_mut() {
        let step = finding.step.and_then(|index| recording.step(index));
        let file = recording.file(finding.diagnostic.mark);
        let is_of_parent =
            step.is_some_and(|step| step.entry.is_none()) && file.is_some_and(|file| file != own);
        let effect = finding.diagnostic.code().effect();
        if is_of_parent && effect.is_some_and(EntryEffect::depends_on_target) {
            finding.severity = Severity::Note;
        }
    }
    found.sort_by_key(|finding| finding.severity == Severity::Note);
}

/// A short message for a build that fails because the path of an entry does not exist: the full
/// error has no further information and the same end for every target.
fn missing_entry(recording: &Recording) -> Option<String> {
    recording.trace.steps.iter().find_map(|step| {
        let StepOutcome::Failed(error) = &step.outcome else { return None };
        let ErrorCause::Load(_, cause) = &error.cause else { return None };
        cause.missing().map(|_| format!("{} does not exist", step.argument))
    })
}

/// All targets below a folder, kept up to date.
pub struct RepositoryBuilds {
    root: PathBuf,
    listing: Arc<dyn Listing>,
    options: BuildOptions,
    ports: Ports,
    files: Arc<KeptFiles>,
    repository: Repository,
    /// Objects of Argo CD and Flux by their file; `None` before the first search.
    managers: Option<ObjectsByFile>,
    /// These objects with the folders that they build; `None` after a change.
    resolved_managers: Option<Vec<LocatedDeploymentObject>>,
    /// The custom types in the files on disk; `None` before the first use and after a change.
    types: Option<Arc<CustomTypes>>,
    /// The last complete check of edited files, and the files that changed on disk since.
    memory: Option<CheckMemory>,
    changed_on_disk: BTreeSet<PathBuf>,
}

impl RepositoryBuilds {
    /// The builds of all targets below a folder, before any target is read.
    pub fn new(
        root: &Path,
        listing: Arc<dyn Listing>,
        options: BuildOptions,
        ports: Ports,
    ) -> Self {
        let files = Arc::new(KeptFiles::new(ports.files.clone()));
        let (root, repository) = (root.to_owned(), Repository::default());
        let (managers, resolved_managers, types, memory) = (None, None, None, None);
        Self {
            root,
            listing,
            options,
            ports,
            files,
            repository,
            managers,
            resolved_managers,
            types,
            memory,
            changed_on_disk: BTreeSet::new(),
        }
    }

    /// The kustomization files that are known without reading every folder; `None` if the listing
    /// knows none. [`RepositoryBuilds::find`] is complete.
    pub fn known_repository(&self) -> Option<Arc<Repository>> {
        let files = self.listing.known_files(&self.root)?;
        Some(Arc::new(Repository::from_files(&self.root, files, None)))
    }

    /// Finds every kustomization file and reads none.
    ///
    /// # Errors
    /// The folder cannot be listed.
    pub fn find(&mut self) -> Result<Arc<Repository>, FileError> {
        self.files = Arc::new(KeptFiles::new(self.ports.files.clone()));
        (self.managers, self.resolved_managers, self.types) = (None, None, None);
        self.memory = None;
        self.repository = Repository::find_unread(&self.root, &*self.listing)?;
        Ok(Arc::new(self.repository.clone()))
    }

    /// Reads every kustomization file that was found.
    pub fn read(&mut self) -> Arc<Repository> {
        self.repository.read_targets(&*self.files);
        Arc::new(self.repository.clone())
    }

    /// The objects of Argo CD and Flux in the repository. The first call reads every YAML file,
    /// which is slow; later calls use the result.
    pub fn deployment_objects(&mut self) -> Vec<LocatedDeploymentObject> {
        if let Some(resolved) = &self.resolved_managers {
            return resolved.clone();
        }
        let files: Arc<dyn Files> = self.files.clone();
        let found =
            self.managers.get_or_insert_with(|| ObjectsByFile::find(&self.repository, &*files));
        let resolved = found.resolved(&self.root, &files);
        self.resolved_managers.insert(resolved).clone()
    }

    /// Updates the repository after these files were changed, added or removed. Returns the
    /// repository, and every target that the files may affect.
    pub fn changed(&mut self, paths: &[PathBuf]) -> (Arc<Repository>, Vec<PathBuf>) {
        self.files.invalidate(paths);
        self.changed_on_disk.extend(paths.iter().cloned());
        (self.resolved_managers, self.types) = (None, None);
        let mut again = self.repository.possibly_affected_targets(paths);
        again.extend(self.repository.update(paths, &*self.files));
        if let Some(known) = &mut self.managers {
            known.update(&self.repository, paths, &*self.files);
        }
        again.extend(self.repository.possibly_affected_targets(paths));
        again.retain(|folder| self.repository.target(folder).is_some());
        again.sort_unstable();
        again.dedup();
        (Arc::new(self.repository.clone()), again)
    }

    /// The findings of all targets, as `kzui check` reports them.
    pub fn findings(&mut self, salt: [u8; 16]) -> Vec<SharedFinding> {
        let files: Arc<dyn Files> = self.files.clone();
        let ports = Ports { files, ..self.ports.clone() };
        let repository = (self.repository.clone(), self.deployment_objects());
        findings_of_repository(&repository, &self.options, &ports, salt)
    }

    /// The findings of the targets that edited files affect, and the effects of their lines. The
    /// edited texts replace those on disk; `cancel` ends the check, and its result is incomplete.
    /// Only targets that a change since the last complete check may affect are built.
    pub fn check_edits(
        &mut self,
        texts: &EditedTexts,
        cancel: Arc<dyn Cancel>,
        salt: [u8; 16],
    ) -> FileCheck {
        let (repository, objects, files) = self.with_edits(texts);
        let ports = Ports { files, cancel, ..self.ports.clone() };
        let types = self
            .types
            .get_or_insert_with(|| Arc::new(CustomTypes::find(&self.repository, &*self.files)));
        let input = CheckInput {
            texts,
            changed: &self.changed_on_disk,
            repository,
            objects,
            options: &self.options,
            ports: &ports,
            types: types.clone(),
            salt,
        };
        let (check, memory) = FileCheck::new(input, self.memory.as_ref());
        if !ports.cancel.is_cancelled() {
            self.memory = Some(memory);
            self.changed_on_disk.clear();
        }
        check
    }

    /// The repository with edited texts instead of those on disk.
    fn with_edits(
        &mut self,
        texts: &EditedTexts,
    ) -> (Repository, Vec<LocatedDeploymentObject>, Arc<dyn Files>) {
        let edited: Vec<PathBuf> = texts.keys().cloned().collect();
        let drafts = texts.iter().map(|(path, text)| (path.clone(), Some(text.clone())));
        let drafted = DraftedFiles::new(drafts, self.files.clone());
        let files: Arc<dyn Files> = Arc::new(KeptFiles::new(Arc::new(drafted)));
        let mut repository = self.repository.clone();
        repository.update(&edited, &*files);
        let managers = self.deployment_objects_with_edits(&edited, &repository, &files);
        (repository, managers, files)
    }

    /// The deployment objects of the repository, with the edited files instead of those on disk.
    fn deployment_objects_with_edits(
        &mut self,
        edited: &[PathBuf],
        repository: &Repository,
        files: &Arc<dyn Files>,
    ) -> Vec<LocatedDeploymentObject> {
        let on_disk = self.deployment_objects();
        let mut found = self.managers.clone().unwrap_or_default();
        let defining: Vec<PathBuf> = found.files().cloned().collect();
        let mut is_changed = found.update(repository, edited, &**files);
        // A target that deploys an object may change the object.
        let building = repository.possibly_affected_targets(&defining);
        is_changed |= repository
            .possibly_affected_targets(edited)
            .iter()
            .any(|target| building.contains(target));
        if !is_changed {
            return on_disk;
        }
        found.resolved(&self.root, files)
    }

    /// The folder of the repository.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Tries the fix of a finding in all targets that it affects. Returns the fix in words, with
    /// the changed files.
    ///
    /// # Errors
    ///
    /// The reason against the fix.
    pub fn fix(
        &self,
        found: &SharedFinding,
        scope: &WriteScope,
    ) -> Result<(String, Vec<FileChange>), String> {
        let files: Arc<dyn Files> = self.files.clone();
        self.fix_in_edited_files(&Ports { files, ..self.ports.clone() }, found, scope)
    }

    /// As [`RepositoryBuilds::fix`], for a finding in edited files: `ports` are those of the check.
    ///
    /// # Errors
    /// The reason against the fix.
    pub fn fix_in_edited_files(
        &self,
        ports: &Ports,
        found: &SharedFinding,
        scope: &WriteScope,
    ) -> Result<(String, Vec<FileChange>), String> {
        let files = &ports.files;
        let objects = self.resolved_managers.as_deref().unwrap_or_default();
        let passed = PassedFlags::read((&self.repository, objects), &**files);
        let answers = TrialAnswers::default();
        let builder = || rebuilder(&self.root, &self.options, ports, &passed, &answers);
        let found = std::slice::from_ref(found);
        let tried = repairs_on_all_cores(found, files, &builder, FixSelection::All, scope);
        match (tried.proved.into_iter().next(), tried.refused.into_iter().next()) {
            (Some(proved), _) if !tried.changes.is_empty() => Ok((proved.words, tried.changes)),
            (_, Some(refused)) => Err(refused.reason),
            _ => Err("no automatic fix for this problem".to_owned()),
        }
    }

    /// Builds these targets in parallel and reports each summary when the build ends.
    pub fn build(&self, targets: &[PathBuf], report: &(dyn Fn(&Path, TargetSummary) + Sync)) {
        let files: Arc<dyn Files> = self.files.clone();
        let ports = Ports { files, ..self.ports.clone() };
        let parts: Vec<&[PathBuf]> = targets.chunks(MAX_TARGETS_PER_CACHE).collect();
        map_slice_in_parallel(&parts, |part| {
            let mut memory = BuildCache::default();
            for target in *part {
                report(target, summary(target, &self.root, &self.options, &ports, &mut memory));
            }
        });
    }
}
