//! The findings and line effects of the targets that some files affect, for files that are edited.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::target_check::{TargetCheck, TrialAnswers, listed_findings, rebuilder};
use super::target_reports::TargetReports;
use crate::answers::provenance::line_effects::FileEffects;
use crate::answers::secrets::Secrets;
use crate::answers::{
    CustomTypes, PassedFlags, Prover, Recording, SharedFinding, SharedFindings, declarations,
    plan_rename,
};
use crate::draft::FileChange;
use crate::engine::diagnostic::{Code, Severity};
use crate::engine::evaluate::{BuildOptions, Cancel, Ports, Trace};
use crate::engine::load::Files;
use crate::engine::yaml::{Mark, Node, parse_nodes};
use crate::repository::{ReferenceDestination, Repository};

pub type EditedTexts = BTreeMap<PathBuf, Arc<[u8]>>;

pub struct FileCheck {
    pub repository: Arc<Repository>,
    options: BuildOptions,
    /// The ports of the builds, whose files have the edited texts.
    pub ports: Ports,
    /// The findings of all targets that the files affect, in the order of their locations, then
    /// those about edited files that an entry cannot use.
    pub findings: Vec<SharedFinding>,
    pub effects: BTreeMap<PathBuf, Arc<FileEffects>>,
    pub targets: Vec<PathBuf>,
    /// The targets that this check built; the results of the others are those of an earlier check.
    pub built: BTreeSet<PathBuf>,
    /// The names of all resources of these targets, at any step.
    pub names: BTreeSet<Arc<str>>,
    pub types: Arc<CustomTypes>,
}

/// The tree of a check: its files have the edited texts.
pub(super) struct CheckInput<'c> {
    pub(super) texts: &'c EditedTexts,
    pub(super) changed: &'c BTreeSet<PathBuf>,
    pub(super) repository: Arc<Repository>,
    pub(super) options: &'c BuildOptions,
    pub(super) ports: &'c Ports,
    pub(super) types: Arc<CustomTypes>,
    pub(super) salt: [u8; 16],
}

pub(super) struct CheckMemory {
    texts: EditedTexts,
    repository: Arc<Repository>,
    passed: PassedFlags,
    salt: [u8; 16],
    reports: TargetReports<LineFacts>,
}

/// The effects of the lines of edited files on a target, and the names of its resources.
type LineFacts = (BTreeMap<PathBuf, FileEffects>, BTreeSet<Arc<str>>);

impl FileCheck {
    /// Checks the targets of the repository that the edited files affect. Targets that no change
    /// since the last check can affect are not built again.
    pub(super) fn new(input: CheckInput<'_>, last: Option<&CheckMemory>) -> (Self, CheckMemory) {
        let (texts, ports, salt) = (input.texts, input.ports, input.salt);
        let files: Vec<PathBuf> = texts.keys().cloned().collect();
        let names = input.repository.all_target_names();
        let targets = input.repository.affected_targets(&names, &files);
        let passed = PassedFlags::read(&input.repository, &*ports.files);
        let last = last.filter(|last| last.passed == passed && last.salt == salt);
        let affected = last.map(|last| last.affected_targets(&input, &names)).unwrap_or_default();
        let mut reports = last.map(|last| last.reports.clone()).unwrap_or_default();
        let needed: BTreeSet<&Path> = targets.iter().map(PathBuf::as_path).collect();
        reports.remove(|target, _| affected.contains(target) || !needed.contains(target));
        let again: Vec<PathBuf> =
            targets.iter().filter(|it| !reports.reports.contains_key(*it)).cloned().collect();
        let work = TargetCheck::new(input.options, ports, &input.repository.root, salt, &passed);
        let observe = |target: &Path, recording: &Recording, secrets: &Secrets| {
            (recording.line_effects(target, &files, secrets), resource_names(&recording.trace))
        };
        reports.observe(&work, &again, &observe, &|_, _| {});
        let built: BTreeSet<PathBuf> = again.into_iter().chain(affected).collect();
        let report = reports.merged(&work, |_| true);
        let memory = CheckMemory {
            texts: texts.clone(),
            repository: input.repository,
            passed: passed.clone(),
            salt,
            reports,
        };
        let facts = || memory.reports.reports.values().filter_map(|it| it.1.as_ref());
        let check = Self {
            findings: memory.findings(report, &*ports.files),
            repository: memory.repository.clone(),
            options: input.options.clone(),
            ports: ports.clone(),
            effects: merged_effects(&files, facts().map(|(effects, _)| effects)),
            targets,
            built,
            names: facts().flat_map(|(_, names)| names.iter().cloned()).collect(),
            types: input.types,
        };
        (check, memory)
    }

    pub fn plan_rename(
        &self,
        place: (&Path, usize),
        wanted: Option<&str>,
        cancel: Arc<dyn Cancel>,
    ) -> Result<Vec<FileChange>, String> {
        self.with_rename_scope(cancel, |scope| plan_rename(place, wanted, scope))
    }

    pub fn declarations(
        &self,
        place: (&Path, usize),
        cancel: Arc<dyn Cancel>,
    ) -> BTreeSet<(PathBuf, u32)> {
        self.with_rename_scope(cancel, |scope| declarations(place, scope))
    }

    fn with_rename_scope<T>(
        &self,
        cancel: Arc<dyn Cancel>,
        answer: impl FnOnce(&Prover<'_, '_>) -> T,
    ) -> T {
        let ports = Ports { cancel, ..self.ports.clone() };
        let current = &self.repository.root;
        let passed = PassedFlags::read(&self.repository, &*ports.files);
        let answers = TrialAnswers::default();
        let builder = || rebuilder(current, &self.options, &ports, &passed, &answers);
        answer(&Prover {
            repository: &self.repository,
            current,
            files: &self.ports.files,
            builder: &builder,
        })
    }

    pub fn targets_with(&self, files: &[PathBuf]) -> Vec<PathBuf> {
        self.repository.affected_targets(&self.repository.all_target_names(), files)
    }
}

impl CheckMemory {
    fn findings(&self, report: SharedFindings, files: &dyn Files) -> Vec<SharedFinding> {
        let mut findings = listed_findings(report, &self.repository, files);
        findings.extend(findings_in_unusable_files(&findings, &self.texts, &self.repository));
        findings
    }

    /// The targets that a change since this check may affect: an edit, an opened or closed file
    /// with another text, or a change on disk.
    fn affected_targets(
        &self,
        input: &CheckInput<'_>,
        names: &BTreeSet<PathBuf>,
    ) -> BTreeSet<PathBuf> {
        let files = &*input.ports.files;
        // The effects of a new document are not known yet.
        let edited = input.texts.iter().filter(|(file, text)| self.texts.get(*file) != Some(*text));
        let closed = self.texts.iter().filter(|(file, text)| {
            !input.texts.contains_key(*file) && files.read(file).ok().as_ref() != Some(*text)
        });
        let on_disk = input.changed.iter().filter(|file| !input.texts.contains_key(*file));
        let changed = edited.chain(closed).map(|(file, _)| file).chain(on_disk);
        let changed: Vec<PathBuf> = changed.cloned().collect();
        if changed.is_empty() {
            return BTreeSet::new();
        }
        let before =
            self.repository.affected_targets(&self.repository.all_target_names(), &changed);
        let now = input.repository.affected_targets(names, &changed);
        before.into_iter().chain(now).collect()
    }
}

fn resource_names(trace: &Trace) -> BTreeSet<Arc<str>> {
    let changes = trace.steps.iter().flat_map(|step| &step.changes);
    let states = changes.filter_map(|change| change.after.as_ref());
    let written =
        |node: &Node| node.at(&["metadata", "name"])?.as_scalar().map(|it| it.text.clone());
    states.flat_map(|state| [Some(state.id.name.clone()), written(&state.node)]).flatten().collect()
}

fn merged_effects<'e>(
    files: &[PathBuf],
    targets: impl Iterator<Item = &'e BTreeMap<PathBuf, FileEffects>>,
) -> BTreeMap<PathBuf, Arc<FileEffects>> {
    let mut merged: BTreeMap<PathBuf, FileEffects> = BTreeMap::new();
    for (file, effects) in targets.flatten().filter(|(file, _)| files.contains(file)) {
        merged.entry(file.clone()).or_default().merge(effects.clone());
    }
    merged.into_iter().map(|(file, effects)| (file, Arc::new(effects))).collect()
}

/// The errors of entries that name an edited file, at the place in the file: Kustomize reports a
/// patch that is no YAML, or no patch, at its entry, which the editor may not show.
fn findings_in_unusable_files(
    findings: &[SharedFinding],
    texts: &EditedTexts,
    repository: &Repository,
) -> Vec<SharedFinding> {
    let errors = findings.iter().filter(|found| found.severity == Severity::Error);
    let in_files = errors.flat_map(|found| {
        let named = named_files(found, repository);
        named.into_iter().filter_map(|file| in_file(found, file, texts.get(file)?))
    });
    in_files.collect()
}

fn named_files<'r>(found: &SharedFinding, repository: &'r Repository) -> Vec<&'r Path> {
    let folder = found.file.as_deref().and_then(Path::parent);
    let uses = folder.and_then(|folder| repository.target(folder)).map(|target| &target.uses);
    let uses = uses.into_iter().flatten();
    let uses = uses.filter(|it| found.file.as_ref() == Some(&it.file));
    let uses = uses.filter(|it| it.line == found.mark.line);
    let files = uses.filter_map(|it| match &it.to {
        ReferenceDestination::File(file) => Some(&**file),
        _ => None,
    });
    files.collect()
}

fn in_file(found: &SharedFinding, file: &Path, text: &[u8]) -> Option<SharedFinding> {
    let (line, column, message) = match parse_nodes(text).err() {
        Some(error) => {
            let (own, cause) = (&found.message, error.cause.to_string());
            let is_told = own.contains(&cause);
            let message = if is_told { own.clone() } else { format!("{own}: {cause}") };
            (error.line.max(1), error.column.max(1), message)
        }
        None if [Code::KZ043, Code::KZ121].contains(&found.code) => (1, 1, found.message.clone()),
        None => return None,
    };
    Some(SharedFinding {
        file: Some(file.to_owned()),
        mark: Mark { line, column, ..Mark::default() },
        message,
        entry: None,
        fix: None,
        fix_file: None,
        ..found.clone()
    })
}
