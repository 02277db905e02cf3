//! The findings and line effects of the targets that some files affect, for files that are edited.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::report_rows::{lower_unwanted, remove_unrequested};
use super::target_check::{TargetCheck, drop_unverified_fixes};
use crate::answers::provenance::line_effects::FileEffects;
use crate::answers::secrets::Secrets;
use crate::answers::{CustomTypes, PassedFlags, SharedFinding};
use crate::engine::evaluate::{BuildOptions, Ports};
use crate::repository::{LocatedDeploymentObject, Repository};

/// The findings and line effects of some edited files.
pub struct FileCheck {
    /// The repository with the edited files.
    pub repository: Repository,
    /// The ports of the builds, whose files have the edited texts.
    pub ports: Ports,
    /// The findings of all targets that the files affect, in the order of their locations.
    pub findings: Vec<SharedFinding>,
    /// The effects of the lines of each file on these targets.
    pub effects: BTreeMap<PathBuf, FileEffects>,
    /// The targets that the files affect.
    pub targets: Vec<PathBuf>,
    /// The types of the repository's `CustomResourceDefinitions`.
    pub types: Arc<CustomTypes>,
}

impl FileCheck {
    /// Builds the targets of the repository that the files affect.
    pub(super) fn new(
        files: &[PathBuf],
        (repository, objects): (Repository, Vec<LocatedDeploymentObject>),
        (options, ports): (&BuildOptions, &Ports),
        types: Arc<CustomTypes>,
        salt: [u8; 16],
    ) -> Self {
        let secrets = Mutex::new(Secrets::masked(salt));
        let names: BTreeSet<PathBuf> = repository.all_target_names(&objects).into_iter().collect();
        let targets = repository.affected_targets(&names, &objects, files);
        let effects: Mutex<BTreeMap<PathBuf, BTreeMap<PathBuf, FileEffects>>> = Mutex::default();
        let observe = |target: &Path, recording: &_, secrets: &Secrets| {
            let recording: &crate::answers::Recording = recording;
            let found = recording.line_effects(target, files, secrets);
            let mut all = effects.lock().unwrap_or_else(PoisonError::into_inner);
            all.insert(target.to_owned(), found);
        };
        let passed = PassedFlags::read((&repository, &objects), &*ports.files);
        let work = TargetCheck {
            options,
            ports,
            current: &repository.root.clone(),
            salt,
            secrets: &secrets,
            passed: &passed,
            changed: None,
            observer: Some(&observe),
        };
        let mut report = work.report(&targets);
        work.add_overridden_entries(&mut report);
        let checked = report.checked();
        let mut findings = report.into_sorted_findings(&*ports.files);
        let around = [(repository, objects)];
        drop_unverified_fixes(&mut findings, &checked, Some(&around));
        lower_unwanted(&mut findings, &around);
        let [(repository, _)] = around;
        remove_unrequested(&mut findings, |_| false);
        let mut merged: BTreeMap<PathBuf, FileEffects> = BTreeMap::new();
        let by_target = effects.into_inner().unwrap_or_else(PoisonError::into_inner);
        for (file, found) in by_target.into_values().flatten() {
            merged.entry(file).or_default().merge(found);
        }
        Self { repository, ports: ports.clone(), findings, effects: merged, targets, types }
    }
}
