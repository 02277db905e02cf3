//! The result of each target in a list: whether it builds, its contents, its findings.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::target_check::{OverriddenEntries, TargetCheck};
use crate::answers::lint::passed_flags::fails_without_helm_flag;
use crate::answers::lint::unknown_cause::UnknownCause;
use crate::answers::recording::build::is_pending;
use crate::answers::secrets::Secrets;
use crate::answers::{Recording, SharedFinding, SharedFindings, headline};
use crate::engine::diagnostic::{Code, Severity};
use crate::engine::evaluate::{ErrorCause, StepOutcome};
use crate::repository::Repository;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TargetBuildState {
    Fails,
    /// The build has a pending step: a remote base is not fetched, or a function is not trusted.
    Waits,
    Builds,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetSummary {
    pub standing: TargetBuildState,
    pub objects: usize,
    pub waits: usize,
    pub errors: usize,
    pub warnings: usize,
    pub notes: usize,
    pub codes: Vec<Code>,
    /// The worst finding of the target alone, in one line; `None` without findings.
    pub worst: Option<String>,
}

impl TargetSummary {
    fn of_build(recording: &Recording) -> Self {
        let waits = recording.trace.steps.iter().filter(|step| is_pending(step)).count();
        let needs_charts = recording.error.as_deref().is_some_and(fails_without_helm_flag);
        let standing = match () {
            () if recording.error.is_some() && !needs_charts => TargetBuildState::Fails,
            () if waits > 0 || needs_charts => TargetBuildState::Waits,
            () => TargetBuildState::Builds,
        };
        Self {
            standing,
            objects: recording.output.len(),
            waits: waits + usize::from(needs_charts),
            errors: 0,
            warnings: 0,
            notes: 0,
            codes: Vec::new(),
            worst: missing_entry(recording),
        }
    }

    /// Takes the findings of the target alone: their counts, and the worst of them.
    fn take_findings(&mut self, mut found: Vec<SharedFinding>) {
        let is_unfetched = |one: &SharedFinding| one.unknown == Some(UnknownCause::NotFetched);
        let has_failure = found.iter().any(|one| one.is_failure);
        if self.standing == TargetBuildState::Fails
            && !has_failure
            && found.iter().any(is_unfetched)
        {
            // The build stopped at a remote: `kzui check` checked the target in part.
            self.standing = TargetBuildState::Waits;
            self.waits += 1;
        }
        let waits = self.standing == TargetBuildState::Waits;
        let is_reason = |one: &SharedFinding| one.is_failure || waits && is_unfetched(one);
        found.sort_by_key(|one| (one.severity, !is_reason(one)));
        let worst = found.first().map(|one| headline(&Secrets::without_salt(&one.message)));
        self.worst = self.worst.take().or(worst);
        self.count(&found);
    }

    /// Counts the findings of the target with their severities, instead of those so far.
    fn count<'f>(&mut self, found: impl IntoIterator<Item = &'f SharedFinding>) {
        (self.errors, self.warnings, self.notes) = (0, 0, 0);
        let mut codes = BTreeSet::new();
        for one in found.into_iter().filter(|one| one.waived.is_none()) {
            match one.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
                Severity::Note => self.notes += 1,
            }
            codes.insert(one.code);
        }
        self.codes = codes.into_iter().collect();
        self.codes.sort_by_key(|code| code.as_str());
    }
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

#[derive(Clone, Debug, Default)]
pub struct RepositoryReport {
    pub findings: Vec<SharedFinding>,
    pub targets: BTreeSet<PathBuf>,
}

impl RepositoryReport {
    /// Counts the findings of each checked target; the others keep their counts.
    pub fn count_in<'s>(
        &self,
        summaries: impl IntoIterator<Item = (&'s PathBuf, &'s mut TargetSummary)>,
    ) {
        let mut by_target: BTreeMap<&Path, Vec<&SharedFinding>> = BTreeMap::new();
        for found in &self.findings {
            for target in &found.targets {
                by_target.entry(target).or_default().push(found);
            }
        }
        for (target, summary) in summaries.into_iter().filter(|it| self.targets.contains(it.0)) {
            summary.count(by_target.remove(&**target).unwrap_or_default());
        }
    }
}

/// The findings of a target, and the facts observed in its build: `None` for a name that is no target.
type TargetReport<T> = (SharedFindings, Option<T>);

/// The reports of the targets that were built, from which the findings of all are merged.
#[derive(Clone)]
pub(super) struct TargetReports<T> {
    pub(super) reports: BTreeMap<PathBuf, Arc<TargetReport<T>>>,
    overridden: OverriddenEntries,
}

impl<T> Default for TargetReports<T> {
    fn default() -> Self {
        Self { reports: BTreeMap::new(), overridden: OverriddenEntries::new() }
    }
}

impl TargetReports<TargetSummary> {
    /// Builds these targets in parallel. `report` receives each summary when the build ends, with
    /// the findings of the target alone; `None` for a name that is no target.
    pub(super) fn build(
        &mut self,
        work: &TargetCheck<'_>,
        targets: &[PathBuf],
        report: &(dyn Fn(&Path, Option<TargetSummary>) + Sync),
    ) {
        let observe =
            |_: &Path, recording: &Recording, _: &Secrets| TargetSummary::of_build(recording);
        self.observe(work, targets, &observe, &|target, (own, summary)| {
            let summary = summary.clone().map(|mut summary| {
                summary.take_findings(own.clone().into_sorted_findings(&*work.ports.files));
                summary
            });
            report(target, summary);
        });
    }

    /// The merged report of these targets, without findings about the repository. Targets that are
    /// not built yet are built.
    pub(super) fn merge(
        &mut self,
        work: &TargetCheck<'_>,
        targets: &BTreeSet<PathBuf>,
    ) -> SharedFindings {
        let missing = targets.iter().filter(|target| !self.reports.contains_key(*target));
        self.build(work, &missing.cloned().collect::<Vec<_>>(), &|_, _| {});
        self.merged(work, |target| targets.contains(target))
    }

    pub(super) fn affected(&self, repository: &Repository, files: &[PathBuf]) -> BTreeSet<PathBuf> {
        let names: BTreeSet<PathBuf> = self.reports.keys().cloned().collect();
        repository.affected_targets(&names, files).into_iter().collect()
    }
}

impl<T: Send + Sync> TargetReports<T> {
    pub(super) fn observe(
        &mut self,
        work: &TargetCheck<'_>,
        targets: &[PathBuf],
        observe: &(dyn Fn(&Path, &Recording, &Secrets) -> T + Sync),
        report: &(dyn Fn(&Path, &TargetReport<T>) + Sync),
    ) {
        self.overridden.retain(|(target, _), _| !targets.contains(target));
        let reports = Mutex::new(&mut self.reports);
        work.report_each(targets, observe, &|target, own, seen| {
            let built = Arc::new((own, seen));
            let mut reports = reports.lock().unwrap_or_else(PoisonError::into_inner);
            reports.insert(target.to_owned(), built.clone());
            drop(reports);
            report(target, &built);
        });
    }

    pub(super) fn merged(
        &mut self,
        work: &TargetCheck<'_>,
        is_part: impl Fn(&Path) -> bool,
    ) -> SharedFindings {
        let mut merged = SharedFindings::new(work.current.to_owned());
        for (_, built) in self.reports.iter().filter(|(target, _)| is_part(target)) {
            merged.merge(built.0.clone());
        }
        work.add_overridden_entries_with(&mut merged, &mut self.overridden);
        merged
    }

    pub(super) fn remove(&mut self, is_outdated: impl Fn(&Path, &SharedFindings) -> bool) {
        let Self { reports, overridden } = self;
        reports.retain(|target, built| !is_outdated(target, &built.0));
        overridden.retain(|(target, _), _| reports.contains_key(target));
    }
}
