//! The findings of many targets, as `kzui check` and the workbench list them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::unlisted_manifests;
use crate::answers::secrets::Secrets;
use crate::answers::{
    Finding, PassedFlags, Recording, SharedFinding, SharedFindings, add_trial_findings_with_cache,
    findings, lower_template_findings, lower_undeployed, remove_unrequested,
    report_charts_as_pending,
};
use crate::engine::diagnostic::{BuildRemark, Fault, LayerFault};
use crate::engine::evaluate::{BuildCache, BuildOptions, ErrorCause, Evaluation, Ports, evaluate};
use crate::repository::{
    LocatedDeploymentObject, ReachabilityRecorder, Repository, is_object_name,
    map_slice_in_parallel,
};

/// Called with each target that is checked, its recording, and its own Secrets.
pub type RecordingObserver<'a> = dyn Fn(&Path, &Recording, &Secrets) + Sync + 'a;

/// A check of targets: the options and ports of its builds, and the data that all targets share.
pub struct TargetCheck<'a> {
    pub options: &'a BuildOptions,
    /// Shared by all targets, so that each file and remote is read once.
    pub ports: &'a Ports,
    pub current: &'a Path,
    pub salt: [u8; 16],
    /// The values of Secrets of all targets.
    pub secrets: &'a Mutex<Secrets>,
    /// The flags that build files of the repository pass.
    pub passed: &'a PassedFlags,
    /// The changes that select targets; `None` checks all targets.
    pub changed: Option<&'a ChangedInputs>,
    pub observer: Option<&'a RecordingObserver<'a>>,
}

/// The changes that select the targets of a check.
pub struct ChangedInputs {
    pub files: Vec<PathBuf>,
    /// The objects with changed parents, variables or settings, whose builds may not read the files.
    pub objects: BTreeSet<PathBuf>,
}

impl ChangedInputs {
    /// The changed files, and the objects of these repositories that they rewrite.
    pub fn new(
        files: Vec<PathBuf>,
        repositories: &[(Repository, Vec<LocatedDeploymentObject>)],
    ) -> Self {
        let objects = repositories.iter().flat_map(|(it, objects)| it.rewritten(objects, &files));
        let objects = objects.collect();
        Self { files, objects }
    }

    fn reach(&self, target: &Path, built: &Evaluation) -> bool {
        self.files.iter().any(|file| built.watched.contains(file))
            || self.objects.iter().any(|object| is_object_name(object, target))
    }
}

/// The number of neighbouring targets that are built one after the other, so that shared bases are
/// read and built once.
const TOGETHER: usize = 24;

impl TargetCheck<'_> {
    /// Builds the targets on all cores. The report has the order of a sequential build.
    pub fn report(&self, targets: &[PathBuf]) -> SharedFindings {
        let parts: Vec<&[PathBuf]> = targets.chunks(TOGETHER).collect();
        let reports = map_slice_in_parallel(&parts, |part| {
            let mut report = SharedFindings::new(self.current.to_owned());
            let mut memory = BuildCache::default();
            for target in *part {
                self.add(target, &mut report, &mut memory);
            }
            report
        });
        let mut report = SharedFindings::new(self.current.to_owned());
        for part in reports {
            report.merge(part);
        }
        report
    }

    /// Adds targets outside this part that read a file with a finding, so that this part reports
    /// the same finding as a check of all targets.
    pub fn add_affected_targets(
        &self,
        report: &mut SharedFindings,
        all: &BTreeSet<PathBuf>,
        repositories: &[(Repository, Vec<LocatedDeploymentObject>)],
    ) {
        let named = report.files();
        let affected =
            repositories.iter().flat_map(|(it, objects)| it.affected_targets(all, objects, &named));
        let others: Vec<PathBuf> = affected.filter(|it| !report.targets.contains(it)).collect();
        let more = self.report(&others);
        report.merge(more);
    }

    /// Builds a target and adds its findings.
    fn add(&self, target: &Path, report: &mut SharedFindings, memory: &mut BuildCache) {
        let Self { options, ports, current, changed, salt, secrets, passed, .. } = self;
        let dir = target.to_string_lossy();
        let remote = Arc::new(ReachabilityRecorder::new(ports.remote.clone()));
        let ports = &Ports { remote: remote.clone(), ..(*ports).clone() };
        let mut built = evaluate(&dir, current, options, ports, memory);
        if is_absent(&built) {
            return;
        }
        if changed.is_some_and(|changed| !changed.reach(target, &built)) {
            return;
        }
        add_trial_findings_with_cache(&mut built, (&*dir, current), options, ports, &*memory);
        let files = &*ports.files;
        let recording = Recording::new(built, target);
        secrets.lock().unwrap_or_else(PoisonError::into_inner).learn(&recording.trace);
        let mut own = Secrets::masked(*salt);
        own.learn(&recording.trace);
        let mut found = findings(&recording);
        report_charts_as_pending(&recording, &mut found);
        if let (Some(error), Some(failure)) = (&recording.error, found.first_mut()) {
            passed.add_hint(failure, error);
        }
        if let Some(why) = remote.first_unreachable() {
            for finding in &mut found {
                report_as_not_fetched(finding, &why);
            }
        }
        report.add(target, &recording, &found, files, &own);
        if let Some(observer) = self.observer {
            observer(target, &recording, &own);
        }
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
    repositories: Option<&[(Repository, Vec<LocatedDeploymentObject>)]>,
) {
    let Some(repositories) = repositories else {
        for one in found.iter_mut().filter(|found| found.has_fix()) {
            one.fix = None;
            one.untried = Some("targets of the file not known".to_owned());
        }
        return;
    };
    let all: Vec<BTreeSet<PathBuf>> = repositories
        .iter()
        .map(|(repository, objects)| repository.all_target_names(objects).into_iter().collect())
        .collect();
    let mut known: BTreeMap<PathBuf, bool> = BTreeMap::new();
    for one in found.iter_mut().filter(|found| found.has_fix()) {
        let Some(file) = one.fix_file.clone() else { continue };
        let reaches = known.entry(file.clone()).or_insert_with(|| {
            let file = std::slice::from_ref(&file);
            let mut affected = repositories
                .iter()
                .zip(&all)
                .flat_map(|((it, objects), names)| it.affected_targets(names, objects, file));
            affected.any(|target| !checked.contains(&target))
        });
        if *reaches {
            one.fix = None;
            one.untried = Some("the file is also used by targets that are not checked".to_owned());
        }
    }
}

/// The findings of all targets of a repository, as `kzui check` reports them.
pub fn findings_of_repository(
    repository: &(Repository, Vec<LocatedDeploymentObject>),
    options: &BuildOptions,
    ports: &Ports,
    salt: [u8; 16],
) -> Vec<SharedFinding> {
    let secrets = Mutex::new(Secrets::masked(salt));
    let root = repository.0.root.clone();
    let passed = &PassedFlags::read(&root, &*ports.files);
    let work = TargetCheck {
        options,
        ports,
        current: &root,
        salt,
        secrets: &secrets,
        passed,
        changed: None,
        observer: None,
    };
    let targets: BTreeSet<PathBuf> =
        repository.0.all_target_names(&repository.1).into_iter().collect();
    let targets: Vec<PathBuf> = targets.into_iter().collect();
    let mut report = work.report(&targets);
    let around = std::slice::from_ref(repository);
    unlisted_manifests::add_unlisted_manifests(
        std::slice::from_ref(&root),
        around,
        &mut report,
        &*ports.files,
    );
    let checked = report.targets.clone();
    let mut found = report.into_sorted_findings(&*ports.files);
    drop_unverified_fixes(&mut found, &checked, Some(around));
    lower_template_findings(&mut found, &[&root]);
    lower_undeployed(&mut found, &repository.0);
    remove_unrequested(&mut found, |_| false);
    found
}
