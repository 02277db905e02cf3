//! All targets below a folder, with their builds and findings.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::file_check::{CheckInput, CheckMemory};
use super::target_check::{TargetCheck, TrialAnswers, finish_report, rebuilder};
use super::target_reports::{RepositoryReport, TargetReports, TargetSummary};
use crate::answers::{
    CustomTypes, EditedTexts, FileCheck, FixSelection, PassedFlags, SharedFinding,
    repairs_on_all_cores,
};
use crate::draft::{DraftedFiles, FileChange, WriteScope};
use crate::engine::evaluate::{BuildOptions, Cancel, Ports};
use crate::engine::load::{FileError, Files};
use crate::engine::manifest::may_contain_object;
use crate::repository::{KeptFiles, Listing, Repository};

pub struct RepositoryBuilds {
    root: PathBuf,
    listing: Arc<dyn Listing>,
    options: BuildOptions,
    ports: Ports,
    files: Arc<KeptFiles>,
    repository: Arc<Repository>,
    /// True if the repository has its deployment objects; false after a change.
    has_objects: bool,
    /// The custom types in the files on disk; `None` before the first use and after a change.
    types: Option<Arc<CustomTypes>>,
    /// The last complete check of edited files, and the files that changed on disk since.
    memory: Option<CheckMemory>,
    changed_on_disk: BTreeSet<PathBuf>,
    reports: TargetReports<TargetSummary>,
    passed: PassedFlags,
    salt: [u8; 16],
}

impl RepositoryBuilds {
    /// The builds of all targets below a folder, before any target is read.
    /// Values of Secrets in findings are masked with `salt`.
    pub fn new(
        root: &Path,
        listing: Arc<dyn Listing>,
        options: BuildOptions,
        ports: Ports,
        salt: [u8; 16],
    ) -> Self {
        let files = Arc::new(KeptFiles::new(ports.files.clone()));
        Self {
            root: root.to_owned(),
            listing,
            options,
            ports,
            files,
            repository: Arc::default(),
            has_objects: false,
            types: None,
            memory: None,
            changed_on_disk: BTreeSet::new(),
            reports: TargetReports::default(),
            passed: PassedFlags::default(),
            salt,
        }
    }

    /// The kustomization files that are known without reading every folder; `None` if the listing
    /// knows none. [`RepositoryBuilds::find`] is complete.
    pub fn known_repository(&self) -> Option<Arc<Repository>> {
        let files = self.listing.known_files(&self.root)?;
        Some(Arc::new(Repository::from_files(&self.root, files, None)))
    }

    /// Finds every kustomization file and reads none.
    pub fn find(&mut self) -> Result<Arc<Repository>, FileError> {
        self.files = Arc::new(KeptFiles::new(self.ports.files.clone()));
        (self.has_objects, self.types) = (false, None);
        (self.memory, self.reports) = (None, TargetReports::default());
        self.repository = Arc::new(Repository::find_unread(&self.root, &*self.listing)?);
        Ok(self.repository.clone())
    }

    pub fn read(&mut self) -> Arc<Repository> {
        Arc::make_mut(&mut self.repository).read_targets(&*self.files);
        self.passed = PassedFlags::read(&self.repository, &*self.files);
        self.repository.clone()
    }

    /// The repository with its objects of Argo CD and Flux. The first call reads every YAML file,
    /// which is slow; later calls use the result.
    pub fn with_deployment_objects(&mut self) -> Arc<Repository> {
        if !self.has_objects {
            let files: Arc<dyn Files> = self.files.clone();
            Arc::make_mut(&mut self.repository).read_objects(&files);
            self.has_objects = true;
        }
        self.repository.clone()
    }

    /// Updates the repository after these files were changed, added or removed. Returns the
    /// repository, and every target that the files may affect.
    pub fn changed(&mut self, paths: &[PathBuf]) -> (Arc<Repository>, Vec<PathBuf>) {
        self.files.invalidate(paths);
        self.changed_on_disk.extend(paths.iter().cloned());
        self.types = None;
        let mut outdated = self.reports.affected(&self.repository, paths);
        let mut again = self.repository.possibly_affected_targets(paths);
        let repository = Arc::make_mut(&mut self.repository);
        again.extend(repository.update(paths, &*self.files));
        (self.has_objects, repository.objects) = (false, Arc::default());
        again.extend(self.repository.possibly_affected_targets(paths));
        again.retain(|folder| self.repository.target(folder).is_some());
        again.sort_unstable();
        again.dedup();
        if !self.reports.reports.is_empty() {
            let repository = self.with_deployment_objects();
            outdated.extend(self.reports.affected(&repository, paths));
            outdated.extend(again.iter().cloned());
            self.reports.remove(|target, _| outdated.contains(target));
        }
        (self.repository.clone(), again)
    }

    /// The findings of all targets, as `kzui check` reports them. Targets that are built already,
    /// and not changed since, are not built again.
    pub fn report(&mut self) -> RepositoryReport {
        let files: Arc<dyn Files> = self.files.clone();
        let repository = self.with_deployment_objects();
        let passed = PassedFlags::read(&repository, &*files);
        if passed != self.passed {
            // The flags explain failures.
            self.reports.remove(|_, report| report.has_failure());
            self.passed = passed;
        }
        let targets = repository.all_target_names();
        let findings = self.with_check(|reports, work| {
            let merged = reports.merge(work, &targets);
            finish_report(work, merged, &repository)
        });
        RepositoryReport { findings, targets }
    }

    /// The findings of the targets that edited files affect, and the effects of their lines. The
    /// edited texts replace those on disk; `cancel` ends the check, and its result is incomplete.
    /// Only targets that a change since the last complete check may affect are built.
    pub fn check_edits(&mut self, texts: &EditedTexts, cancel: Arc<dyn Cancel>) -> FileCheck {
        let (repository, files) = self.with_edits(texts);
        let ports = Ports { files, cancel, ..self.ports.clone() };
        let types = self
            .types
            .get_or_insert_with(|| Arc::new(CustomTypes::find(&self.repository, &*self.files)));
        let input = CheckInput {
            texts,
            changed: &self.changed_on_disk,
            repository,
            options: &self.options,
            ports: &ports,
            types: types.clone(),
            salt: self.salt,
        };
        let (check, memory) = FileCheck::new(input, self.memory.as_ref());
        if !ports.cancel.is_cancelled() {
            self.memory = Some(memory);
            self.changed_on_disk.clear();
        }
        check
    }

    fn with_edits(&mut self, texts: &EditedTexts) -> (Arc<Repository>, Arc<dyn Files>) {
        let edited: Vec<PathBuf> = texts.keys().cloned().collect();
        let drafts = texts.iter().map(|(path, text)| (path.clone(), Some(text.clone())));
        let drafted = DraftedFiles::new(drafts, self.files.clone());
        let files: Arc<dyn Files> = Arc::new(KeptFiles::new(Arc::new(drafted)));
        let mut repository = self.with_deployment_objects();
        Arc::make_mut(&mut repository).update(&edited, &*files);
        if self.may_change_objects(&repository, texts) {
            Arc::make_mut(&mut repository).read_objects(&files);
        }
        (repository, files)
    }

    /// True if edits may change a deployment object: in its file, in a file with its values, or in a
    /// target that deploys it.
    fn may_change_objects(&self, edited: &Repository, texts: &EditedTexts) -> bool {
        let objects = &self.repository.objects;
        let defines = |(file, text): (&PathBuf, &Arc<[u8]>)| {
            let is_new = self.repository.files.binary_search(file).is_err();
            may_contain_object(text)
                || objects.iter().any(|it| is_new || it.origin.files.contains(file))
        };
        let files: Vec<PathBuf> = texts.keys().cloned().collect();
        let defining: BTreeSet<PathBuf> = objects.iter().map(|it| it.at.file.clone()).collect();
        let defining: Vec<PathBuf> = defining.into_iter().collect();
        let building = edited.possibly_affected_targets(&defining);
        let affected = edited.possibly_affected_targets(&files);
        texts.iter().any(defines) || affected.iter().any(|it| building.binary_search(it).is_ok())
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Tries the fix of a finding in all targets that it affects. Returns the fix in words, with
    /// the changed files.
    pub fn fix(
        &self,
        found: &SharedFinding,
        scope: &WriteScope,
    ) -> Result<(String, Vec<FileChange>), String> {
        let files: Arc<dyn Files> = self.files.clone();
        self.fix_in_edited_files(&Ports { files, ..self.ports.clone() }, found, scope)
    }

    /// As [`RepositoryBuilds::fix`], for a finding in edited files: `ports` are those of the check.
    pub fn fix_in_edited_files(
        &self,
        ports: &Ports,
        found: &SharedFinding,
        scope: &WriteScope,
    ) -> Result<(String, Vec<FileChange>), String> {
        let files = &ports.files;
        let passed = PassedFlags::read(&self.repository, &**files);
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

    /// Builds these targets in parallel. `report` receives each summary when the build ends, with
    /// the findings of the target alone; `None` for a name that is no target.
    pub fn build(
        &mut self,
        targets: &[PathBuf],
        report: &(dyn Fn(&Path, Option<TargetSummary>) + Sync),
    ) {
        self.with_check(|reports, work| reports.build(work, targets, report));
    }

    fn with_check<T>(
        &mut self,
        answer: impl FnOnce(&mut TargetReports<TargetSummary>, &TargetCheck<'_>) -> T,
    ) -> T {
        let files: Arc<dyn Files> = self.files.clone();
        let ports = Ports { files, ..self.ports.clone() };
        let Self { reports, root, options, passed, salt, .. } = self;
        answer(reports, &TargetCheck::new(options, &ports, root, *salt, passed))
    }
}
