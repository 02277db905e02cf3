//! The findings of many targets, as `kzui check` and the workbench list them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::proposed_values::ResultTrials;
use super::{shared_paths, unlisted_manifests};
use crate::answers::experiments::verification::{add_entry_trials, add_trial_findings_of_steps};
use crate::answers::lint::shared_findings::{ActiveEntry, active_entry};
use crate::answers::lint::verified_findings::StepFilter;
use crate::answers::secrets::Secrets;
use crate::answers::{
    Finding, PassedFlags, RebuildTarget, Recording, SharedFinding, SharedFindings, findings,
    lower_unwanted, offline_ports, remove_unrequested, report_charts_as_pending,
};
use crate::engine::diagnostic::{BuildRemark, Code, Diagnostic, EntryEffect, Fault, LayerFault};
use crate::engine::evaluate::{
    BuildCache, BuildOptions, ErrorCause, Evaluation, FunctionAnswers, Ports, Step, Trace, evaluate,
};
use crate::engine::load::{FileKind, Files};
use crate::repository::{
    FailureRecorder, MAX_TARGETS_PER_CACHE, Repository, is_object_name, map_in_parallel,
    map_slice_in_parallel, map_with_cache,
};

/// A check of targets: the options and ports of its builds, and the data that all targets share.
pub struct TargetCheck<'a> {
    pub options: &'a BuildOptions,
    /// Shared by all targets, so that each file and remote is read once.
    pub ports: &'a Ports,
    pub current: &'a Path,
    pub salt: [u8; 16],
    secrets: Mutex<Secrets>,
    pub passed: &'a PassedFlags,
    /// The changes that select targets; `None` checks all targets.
    pub changed: Option<&'a ChangedInputs>,
    /// The answers of functions in trials, for the verification of fixes.
    pub answers: TrialAnswers,
}

#[derive(Debug, Default)]
pub struct TrialAnswers(Mutex<FunctionAnswers>);

impl TrialAnswers {
    fn all(&self) -> FunctionAnswers {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn extend(&self, later: FunctionAnswers) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(later);
    }
}

pub struct ChangedInputs {
    pub files: Vec<PathBuf>,
    /// The objects with changed parents, variables or settings, whose builds may not read the files.
    pub objects: BTreeSet<PathBuf>,
}

impl ChangedInputs {
    /// The changed files, and the objects of these repositories that they rewrite.
    pub fn new(files: Vec<PathBuf>, repositories: &[Arc<Repository>]) -> Self {
        let objects = repositories.iter().flat_map(|it| it.rewritten(&files));
        let objects = objects.collect();
        Self { files, objects }
    }

    fn reach(&self, target: &Path, built: &Evaluation) -> bool {
        self.files.iter().any(|file| built.watched.contains(file))
            || self.objects.iter().any(|object| is_object_name(object, target))
    }
}

struct TargetBuild {
    built: Evaluation,
    options: BuildOptions,
    remark: Option<Diagnostic>,
}

/// For a target and an entry that was tried in it, the findings for the entry: none if the target
/// needs it.
pub(super) type OverriddenEntries = BTreeMap<(PathBuf, ActiveEntry), Vec<SharedFindings>>;

impl<'a> TargetCheck<'a> {
    pub fn new(
        options: &'a BuildOptions,
        ports: &'a Ports,
        current: &'a Path,
        salt: [u8; 16],
        passed: &'a PassedFlags,
    ) -> Self {
        let (secrets, answers) = (Mutex::new(Secrets::masked(salt)), TrialAnswers::default());
        Self { options, ports, current, salt, secrets, passed, changed: None, answers }
    }

    pub fn secrets(&self) -> Secrets {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Builds the targets on all cores. The report has the order of a sequential build.
    pub fn report(&self, targets: &[PathBuf]) -> SharedFindings {
        let new = || SharedFindings::new(self.current.to_owned());
        let parts = map_in_parallel(targets.chunks(MAX_TARGETS_PER_CACHE).collect(), |part| {
            let (mut report, mut memory) = (new(), BuildCache::default());
            for target in part {
                self.add(target, &mut report, &mut memory, &mut |_, _| {});
            }
            report
        });
        let mut all = new();
        for part in parts {
            all.merge(part);
        }
        all
    }

    /// Builds the targets on all cores. `take` receives the report of each, and the facts that
    /// `observe` reads from its recording and its own Secrets, if it is a target.
    pub(super) fn report_each<T>(
        &self,
        targets: &[PathBuf],
        observe: &(dyn Fn(&Path, &Recording, &Secrets) -> T + Sync),
        take: &(dyn Fn(&Path, SharedFindings, Option<T>) + Sync),
    ) {
        map_with_cache(targets, (MAX_TARGETS_PER_CACHE, BuildCache::default), |target, memory| {
            let mut report = SharedFindings::new(self.current.to_owned());
            let mut seen = None;
            self.add(target, &mut report, memory, &mut |recording, secrets| {
                seen = Some(observe(target, recording, secrets));
            });
            take(target, report, seen);
        });
    }

    /// Adds targets outside this part that read a file with a finding, so that this part reports
    /// the same finding as a check of all targets.
    pub fn add_affected_targets(
        &self,
        report: &mut SharedFindings,
        all: &BTreeSet<PathBuf>,
        repositories: &[Arc<Repository>],
    ) {
        let named = report.files();
        let affected = repositories.iter().flat_map(|it| it.affected_targets(all, &named));
        let others: Vec<PathBuf> = affected.filter(|it| !report.targets.contains(it)).collect();
        let more = self.report(&others);
        report.merge(more);
    }

    fn add(
        &self,
        target: &Path,
        report: &mut SharedFindings,
        memory: &mut BuildCache,
        observe: &mut dyn FnMut(&Recording, &Secrets),
    ) {
        let Self { ports, current, changed, salt, secrets, passed, .. } = self;
        let dir = target.to_string_lossy();
        let remote = Arc::new(FailureRecorder::new(ports.remote.clone()));
        let ports = &Ports { remote: remote.clone(), ..(*ports).clone() };
        let TargetBuild { mut built, options, remark } =
            build_as_deployed(target, (current, self.options), ports, passed, memory);
        if is_absent(&built) {
            report.add_absent(target);
            return;
        }
        if changed.is_some_and(|changed| !changed.reach(target, &built)) {
            return;
        }
        let mut suspected = Vec::new();
        let suspect = &mut |trace: &Trace, step: &Step| {
            suspected.extend(active_entry(trace, step));
            false
        };
        let trials = (&*memory, suspect as &mut StepFilter<'_>);
        add_trial_findings_of_steps(&mut built, (&*dir, current), &options, ports, trials);
        let files = &*ports.files;
        let recording = Recording::new(built, target);
        secrets.lock().unwrap_or_else(PoisonError::into_inner).learn(&recording.trace);
        let mut own = Secrets::masked(*salt);
        own.learn(&recording.trace);
        let mut found = findings(&recording);
        found.extend(remark.map(Finding::of_target));
        report_charts_as_pending(&recording, &mut found);
        if recording.trace.steps.iter().any(|step| step.run.is_some()) {
            self.answers.extend(memory.answers());
            self.add_proposed_values(target, &recording, &options, &mut found);
        }
        if let (Some(error), Some(failure)) = (&recording.error, found.first_mut()) {
            passed.add_hint(failure, error);
            passed.report_written_file(failure, error);
        }
        if let Some(why) = remote.first_unreachable() {
            for finding in &mut found {
                report_as_not_fetched(finding, &why);
            }
        }
        report.add(target, &recording, &found, files, &own);
        report.add_suspected(target, suspected);
        observe(&recording, &own);
    }

    /// Adds the edits that write values which functions propose. A trial runs the functions that
    /// ran in the check, and keeps their answers for the later verification in every target.
    fn add_proposed_values(
        &self,
        target: &Path,
        recording: &Recording,
        options: &BuildOptions,
        found: &mut [Finding],
    ) {
        let (current, dir) = (self.current, target.to_string_lossy());
        let mut build = |files: Arc<dyn Files>| {
            let ports = Ports { files, ..self.ports.clone() };
            let mut memory = BuildCache::default().with_answers(&self.answers.all());
            let built = evaluate(&dir, current, options, &ports, &mut memory);
            self.answers.extend(memory.answers());
            built
        };
        let files = &self.ports.files;
        ResultTrials { target, current, recording, files, build: &mut build }
            .add_proposed_values(found);
    }

    /// Adds the entries that every target overrides. A build without the entry verifies this in
    /// each of the targets; the first one is tried alone, because most entries are needed there.
    pub fn add_overridden_entries(&self, report: &mut SharedFindings) {
        self.add_overridden_entries_with(report, &mut OverriddenEntries::default());
    }

    /// As [`Self::add_overridden_entries`], with the results of earlier checks in `known`. The
    /// results that this check does not use are removed.
    pub(super) fn add_overridden_entries_with(
        &self,
        report: &mut SharedFindings,
        known: &mut OverriddenEntries,
    ) {
        let mut used = OverriddenEntries::default();
        let mut entries = report.suspected_everywhere();
        for is_first in [true, false] {
            let mut by_target: BTreeMap<&Path, BTreeSet<&ActiveEntry>> = BTreeMap::new();
            for (entry, targets) in &entries {
                let numbered = targets.iter().enumerate();
                for (_, target) in numbered.filter(|(number, _)| (*number == 0) == is_first) {
                    by_target.entry(target).or_default().insert(entry);
                }
            }
            let by_target: Vec<(&Path, BTreeSet<&ActiveEntry>)> = by_target.into_iter().collect();
            let found = map_slice_in_parallel(&by_target, |(target, entries)| {
                self.overridden_entries(target, entries, known)
            });
            let found: OverriddenEntries = found.into_iter().flatten().collect();
            let needed = found.iter().filter(|(_, reports)| reports.is_empty());
            let needed: BTreeSet<&ActiveEntry> = needed.map(|((_, entry), _)| entry).collect();
            entries.retain(|entry, _| !needed.contains(entry));
            used.extend(found);
        }
        for ((_, entry), reports) in &used {
            if entries.contains_key(entry) {
                for found in reports {
                    report.merge(found.clone());
                }
            }
        }
        *known = used;
    }

    /// The findings for each of these entries, if the target overrides it. The target is built
    /// without each entry whose result is not known.
    fn overridden_entries(
        &self,
        target: &Path,
        entries: &BTreeSet<&ActiveEntry>,
        known: &OverriddenEntries,
    ) -> OverriddenEntries {
        let key = |entry: &ActiveEntry| (target.to_owned(), entry.clone());
        let results = entries.iter().map(|entry| (key(entry), known.get(&key(entry))));
        let mut found: OverriddenEntries =
            results.map(|(key, known)| (key, known.cloned().unwrap_or_default())).collect();
        let new: BTreeSet<&ActiveEntry> =
            entries.iter().filter(|entry| !known.contains_key(&key(entry))).copied().collect();
        if new.is_empty() {
            return found;
        }
        let Self { ports, current, salt, passed, .. } = self;
        let dir = target.to_string_lossy();
        let mut memory = BuildCache::default();
        let TargetBuild { mut built, options, .. } =
            build_as_deployed(target, (current, self.options), ports, passed, &mut memory);
        let mut is_wanted = |trace: &Trace, step: &Step| {
            active_entry(trace, step).is_some_and(|it| new.contains(&it))
        };
        let trials = (&memory, &mut is_wanted as &mut StepFilter<'_>);
        add_entry_trials(&mut built, (&*dir, current), &options, ports, trials);
        let recording = Recording::new(built, target);
        let mut secrets = Secrets::masked(*salt);
        secrets.learn(&recording.trace);
        let is_overridden =
            |it: &Finding| it.diagnostic.code().effect() == Some(EntryEffect::Overridden);
        for finding in findings(&recording).into_iter().filter(is_overridden) {
            let step = finding.step.and_then(|step| recording.step(step));
            let entry = step.and_then(|step| active_entry(&recording.trace, step));
            let is_known = |it: &ActiveEntry| entries.contains(it) && !new.contains(it);
            let Some(entry) = entry.filter(|entry| !is_known(entry)) else { continue };
            let mut report = SharedFindings::new(current.to_path_buf());
            report.add_finding(target, &recording, finding, &*ports.files, &secrets);
            found.entry(key(&entry)).or_default().push(report);
        }
        found
    }
}

/// True for an Application that its `ApplicationSet` does not generate as the parent deploys the
/// set: the list of targets has the Applications of the file.
fn is_absent(built: &Evaluation) -> bool {
    let cause = built.outcome.as_ref().err().map(|error| &error.cause);
    matches!(cause, Some(ErrorCause::Fault(Fault::Layer(LayerFault::NoElement(..)))))
}

/// Replaces the failure of a build whose base could not be fetched: the findings of the target are
/// not known.
fn report_as_not_fetched(finding: &mut Finding, why: &str) {
    if finding.is_failure() {
        finding.replace_failure(BuildRemark::NotFetched(why.to_owned()));
    }
}

/// Drops fixes in files that other, unchecked targets also use: a fix has to be verified in every
/// target that builds with its file.
pub fn drop_unverified_fixes(
    found: &mut [SharedFinding],
    checked: &BTreeSet<PathBuf>,
    repositories: Option<&[Arc<Repository>]>,
) {
    let Some(repositories) = repositories else {
        for one in found.iter_mut().filter(|found| found.has_fix()) {
            one.fix = None;
            one.untried = Some("targets of the file not known".to_owned());
        }
        return;
    };
    let names: Vec<BTreeSet<PathBuf>> =
        repositories.iter().map(|it| it.all_target_names()).collect();
    let unchecked = names.iter().map(|names| names.difference(checked).cloned().collect());
    let unchecked: Vec<BTreeSet<PathBuf>> = unchecked.collect();
    let mut known: BTreeMap<PathBuf, bool> = BTreeMap::new();
    for one in found.iter_mut().filter(|found| found.has_fix()) {
        let Some(file) = one.fix_file.clone() else { continue };
        let reaches = known.entry(file.clone()).or_insert_with(|| {
            let file = std::slice::from_ref(&file);
            let mut others =
                repositories.iter().zip(&unchecked).filter(|(_, names)| !names.is_empty());
            others.any(|(it, names)| !it.affected_targets(names, file).is_empty())
        });
        if *reaches {
            one.fix = None;
            one.untried = Some("the file is also used by targets that are not checked".to_owned());
        } else {
            let file = std::slice::from_ref(&file);
            one.bases = repositories
                .iter()
                .zip(&names)
                .flat_map(|(it, names)| it.affected_bases(names, file))
                .collect();
        }
    }
}

/// Builds a target. A folder that fails only because of the load restrictions is built again
/// without them if the repository is built so.
fn build_as_deployed(
    target: &Path,
    (current, options): (&Path, &BuildOptions),
    ports: &Ports,
    passed: &PassedFlags,
    memory: &mut BuildCache,
) -> TargetBuild {
    let (dir, options) = (target.to_string_lossy(), options.clone());
    let built = evaluate(&dir, current, &options, ports, memory);
    let is_folder = ports.files.resolve(target).is_ok_and(|it| it.1 == FileKind::Directory);
    let refused = built.outcome.as_ref().err().filter(|it| it.code() == Code::KZ021);
    let Some(mark) = refused.filter(|_| is_folder).map(|error| error.mark) else {
        return TargetBuild { built, options, remark: None };
    };
    let settings = options.settings.with_repository_files();
    let open = BuildOptions { settings, ..options.clone() };
    let again = evaluate(&dir, current, &open, ports, memory);
    match passed.unrestricted_cause(&again) {
        Some(cause) if again.outcome.as_ref().err().map(|it| it.code()) != Some(Code::KZ021) => {
            let remark = Diagnostic::new(BuildRemark::Unrestricted(cause), mark);
            TargetBuild { built: again, options: open, remark: Some(remark) }
        }
        _ => TargetBuild { built, options, remark: None },
    }
}

/// A function that builds targets with the files of a trial, as a check builds them, without
/// network and programs. A function with one of these answers to the same input is not pending.
pub fn rebuilder<'a>(
    current: &'a Path,
    options: &'a BuildOptions,
    ports: &'a Ports,
    passed: &'a PassedFlags,
    answers: &'a TrialAnswers,
) -> Box<RebuildTarget<'a>> {
    let mut memory = BuildCache::default();
    Box::new(move |target: &Path, files: Arc<dyn Files>| {
        let ports = offline_ports(ports, files);
        // A cache drops the answers that its last builds did not need.
        memory = std::mem::take(&mut memory).with_answers(&answers.all());
        Some(build_as_deployed(target, (current, options), &ports, passed, &mut memory).built)
    })
}

pub fn findings_of_repository(
    repository: &Arc<Repository>,
    options: &BuildOptions,
    ports: &Ports,
    salt: [u8; 16],
) -> Vec<SharedFinding> {
    let passed = PassedFlags::read(repository, &*ports.files);
    let work = TargetCheck::new(options, ports, &repository.root, salt, &passed);
    let targets: Vec<PathBuf> = repository.all_target_names().into_iter().collect();
    let mut report = work.report(&targets);
    work.add_overridden_entries(&mut report);
    finish_report(&work, report, repository)
}

/// The findings of a report on all targets of a repository, with those about the repository.
pub(super) fn finish_report(
    work: &TargetCheck<'_>,
    mut report: SharedFindings,
    repository: &Arc<Repository>,
) -> Vec<SharedFinding> {
    let (around, files) = (std::slice::from_ref(repository), &*work.ports.files);
    let root = [repository.root.clone()];
    shared_paths::add_shared_paths(around, &mut report);
    unlisted_manifests::add_unlisted_manifests(&root, around, &mut report, files);
    listed_findings(report, repository, files)
}

/// The findings of a report that are listed without a request, each with its severity and fix.
pub(super) fn listed_findings(
    report: SharedFindings,
    repository: &Arc<Repository>,
    files: &dyn Files,
) -> Vec<SharedFinding> {
    let (around, checked) = (std::slice::from_ref(repository), report.checked());
    let mut found = report.into_sorted_findings(files);
    drop_unverified_fixes(&mut found, &checked, Some(around));
    lower_unwanted(&mut found, around, files, &|_| false);
    remove_unrequested(&mut found, |_| false);
    found
}
