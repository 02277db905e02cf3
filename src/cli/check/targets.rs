//! The checked targets, and the findings of each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::answers::secrets::Secrets;
use crate::answers::{
    Finding, Recording, SharedFinding, SharedFindings, complete_with, findings,
    report_charts_as_pending,
};
use crate::draft::{WriteScope, work_tree};
use crate::engine::diagnostic::{BuildRemark, Code};
use crate::engine::evaluate::{BuildCache, BuildOptions, Ports, evaluate};
use crate::engine::load::Files;
use crate::repository::{Manager, Repository, UnreachedRemote, side_by_side};

/// `K/N`
pub(super) fn shard(text: &str) -> Result<(usize, usize), String> {
    let pair = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    pair.filter(|(k, n): &(usize, usize)| (1..=*n).contains(k))
        .ok_or_else(|| format!("--shard takes K/N, as in 1/4; got `{text}`"))
}

/// The targets of one part.
pub(super) fn part_of(all: &BTreeSet<PathBuf>, shard: Option<(usize, usize)>) -> Vec<PathBuf> {
    let (part, parts) = shard.unwrap_or((1, 1));
    let mine = |(index, _): &(usize, &PathBuf)| index % parts == part - 1;
    all.iter().enumerate().filter(mine).map(|(_, target)| target.clone()).collect()
}

/// The findings that this part reports: those whose first target is in it. A finding without a
/// target goes with the others of its file, and those of unlisted manifests to the first part.
pub(super) fn owned(
    found: &[SharedFinding],
    is_own: &dyn Fn(&PathBuf) -> bool,
    is_first: bool,
) -> Vec<bool> {
    let of_file = |file: &Option<PathBuf>| {
        let same = found.iter().filter(|other| other.file == *file);
        same.filter_map(|other| other.targets.first()).min()
    };
    let first =
        |one: &SharedFinding| one.targets.first().cloned().or_else(|| of_file(&one.file).cloned());
    let is_kept = |one: &SharedFinding| match one.code {
        Code::KZ222 => is_first,
        _ => first(one).is_none_or(|target| is_own(&target)),
    };
    found.iter().map(is_kept).collect()
}

/// The options and ports of the builds.
pub(super) struct CheckContext<'a> {
    pub(super) options: &'a BuildOptions,
    /// Shared by all targets, so that each file and remote is read once.
    pub(super) ports: &'a Ports,
    pub(super) current: &'a Path,
    pub(super) salt: [u8; 16],
    /// The values of Secrets of all targets.
    pub(super) secrets: &'a Mutex<Secrets>,
    /// The files that count as changed; `None` checks all targets.
    pub(super) changed: Option<&'a [PathBuf]>,
}

/// Neighbouring targets that are built one after the other, so that shared bases are read and built
/// once.
const TOGETHER: usize = 24;

impl CheckContext<'_> {
    /// Builds the targets on all cores. The report has the order of a sequential build.
    pub(super) fn report(&self, targets: &[PathBuf]) -> SharedFindings {
        let parts: Vec<&[PathBuf]> = targets.chunks(TOGETHER).collect();
        let reports = side_by_side(&parts, |part| {
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

    /// Builds the targets of other parts that read a file with a finding, so that this part reports
    /// the finding as a check without parts would.
    pub(super) fn complete(
        &self,
        report: &mut SharedFindings,
        all: &BTreeSet<PathBuf>,
        repositories: &[(Repository, Vec<Manager>)],
    ) {
        let named = report.files();
        let affected =
            repositories.iter().flat_map(|(it, objects)| it.affected(all, objects, &named));
        let others: Vec<PathBuf> = affected.filter(|it| !report.targets.contains(it)).collect();
        let more = self.report(&others);
        report.merge(more);
    }

    /// Builds a target and adds its findings.
    fn add(&self, target: &Path, report: &mut SharedFindings, memory: &mut BuildCache) {
        let Self { options, ports, current, changed, salt, secrets } = self;
        let dir = target.to_string_lossy();
        let remote = Arc::new(UnreachedRemote::new(ports.remote.clone()));
        let ports = &Ports { remote: remote.clone(), ..(*ports).clone() };
        let mut built = evaluate(&dir, current, options, ports, memory);
        let is_changed = |changed: &&[PathBuf]| {
            changed.iter().any(|file| built.watched.iter().any(|watched| watched == file))
        };
        if changed.is_some_and(|changed| !is_changed(&changed)) {
            return;
        }
        complete_with(&mut built, (&*dir, current), options, ports, &*memory);
        let files = &*ports.files;
        let recording = Recording::new(built, target);
        secrets.lock().unwrap_or_else(PoisonError::into_inner).learn(&recording.trace);
        let mut own = Secrets::masked(*salt);
        own.learn(&recording.trace);
        let mut found = findings(&recording);
        report_charts_as_pending(&recording, &mut found);
        if let Some(why) = remote.first() {
            for finding in &mut found {
                report_as_not_fetched(finding, &why);
            }
        }
        report.add(target, &recording, &found, files, &own);
    }
}

/// Replaces the build failure of a target with a base that cannot be fetched now: its problems are
/// not known.
fn report_as_not_fetched(finding: &mut Finding, why: &str) {
    if finding.is_failure() {
        finding.replace(BuildRemark::NotFetched(why.to_owned()));
    }
}

/// Drops fixes in files that unchecked targets of the repository build with: a fix has to be
/// verified in every target that builds with its file.
pub(super) fn drop_unverified_fixes(
    found: &mut [SharedFinding],
    checked: &BTreeSet<PathBuf>,
    repositories: Option<&[(Repository, Vec<Manager>)]>,
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
        .map(|(repository, objects)| repository.all_selected(objects).into_iter().collect())
        .collect();
    let mut known: BTreeMap<PathBuf, bool> = BTreeMap::new();
    for one in found.iter_mut().filter(|found| found.has_fix()) {
        let Some(file) = one.fix_file.clone() else { continue };
        let reaches = known.entry(file.clone()).or_insert_with(|| {
            let file = std::slice::from_ref(&file);
            let mut affected = repositories
                .iter()
                .zip(&all)
                .flat_map(|((it, objects), names)| it.affected(names, objects, file));
            affected.any(|target| !checked.contains(&target))
        });
        if *reaches {
            one.fix = None;
            one.untried = Some("the file is also used by targets that are not checked".to_owned());
        }
    }
}

/// The files that fixes may change: those of the git work trees around these paths; without git,
/// those below the paths.
pub(super) fn write_scope(paths: &[PathBuf], files: &dyn Files) -> WriteScope {
    WriteScope::below(paths.iter().filter_map(|path| work_tree(path, files)))
}
