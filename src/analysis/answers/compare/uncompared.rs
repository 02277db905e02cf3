//! Targets that cannot be compared, and the bases that are compared in their place.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::comparison::{CompareSettings, ComparedTarget, compare_common_target, relative_text};
use super::side_targets::SideTargets;
use super::sides::SideCaches;
use super::{FileEdits, Outcomes};
use crate::repository::map_slice_in_parallel;

/// Drops the targets that fail on both sides without any changed file: their builds read none, and
/// no changed file rewrites their deployment objects.
pub(super) fn drop_unaffected_failures(
    (old, new): &(SideTargets<'_>, SideTargets<'_>),
    compared: &mut Vec<ComparedTarget>,
    changed: &[PathBuf],
) {
    let fails = |target: &ComparedTarget| {
        let Outcomes { before, after, .. } = &target.outcomes;
        before.outcome.is_err() && after.outcome.is_err()
    };
    if !compared.iter().any(fails) {
        return;
    }
    let (was, is) = (old.changed_inputs(changed), new.changed_inputs(changed));
    compared.retain(|target| {
        let (name, Outcomes { before, after, .. }) =
            (target_folder(&target.name), &target.outcomes);
        !fails(target)
            || was.reach(&old.path(&name), |file| before.watched.contains(file))
            || is.reach(&new.path(&name), |file| after.watched.contains(file))
    });
}

/// For each target that cannot be compared, records the changed files that affect it, and compares
/// in its place those of its bases that the change affects and that build. If a base does not
/// build, its own bases are tried. The targets in `listed` are compared anyway.
pub(super) fn compare_bases_of_uncompared(
    trees: &(SideTargets<'_>, SideTargets<'_>),
    listed: &BTreeSet<PathBuf>,
    compared: &mut Vec<ComparedTarget>,
    (changed, edits): (&[PathBuf], &[FileEdits]),
    settings: &CompareSettings<'_>,
) {
    let (old, new) = trees;
    if compared.iter().all(|target| target.outcomes.is_compared()) {
        return;
    }
    let reached = |file: &PathBuf| {
        let file = std::slice::from_ref(file);
        &old.affected_targets(file) | &new.affected_targets(file)
    };
    let reached: Vec<BTreeSet<PathBuf>> = map_slice_in_parallel(changed, reached);
    let mut open: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    for target in compared.iter_mut().filter(|target| !target.outcomes.is_compared()) {
        let folder = target_folder(&target.name);
        let reaching = changed.iter().zip(&reached).filter(|(_, all)| all.contains(&folder));
        target.changed_files =
            reaching.map(|(file, _)| relative_text(Path::new(""), file)).collect();
        for below in old.used_targets(&folder).intersection(&new.used_targets(&folder)) {
            open.entry(below.clone()).or_default().insert(target.name.clone());
        }
    }
    let mut seen = listed.clone();
    while !open.is_empty() {
        open.retain(|target, _| {
            seen.insert(target.clone()) && reached.iter().any(|all| all.contains(target))
        });
        let (targets, users): (Vec<PathBuf>, Vec<BTreeSet<String>>) =
            std::mem::take(&mut open).into_iter().unzip();
        let is_built = |target: &PathBuf| old.is_buildable(target) && new.is_buildable(target);
        let built = map_slice_in_parallel(&targets, |target| {
            is_built(target).then(|| {
                compare_common_target(&mut SideCaches::default(), trees, target, edits, settings)
            })
        });
        for ((folder, users), built) in targets.iter().zip(users).zip(built) {
            match built {
                Some(target) if target.outcomes.is_compared() => {
                    let in_place_of = users.into_iter().collect();
                    compared.push(ComparedTarget { in_place_of, ..target });
                }
                _ => {
                    for below in old.used_targets(folder).intersection(&new.used_targets(folder)) {
                        open.entry(below.clone()).or_default().extend(users.iter().cloned());
                    }
                }
            }
        }
    }
}

/// The path of a target name, where `.` is the empty path.
fn target_folder(name: &str) -> PathBuf {
    if name == "." { PathBuf::new() } else { PathBuf::from(name) }
}
