//! Bases that a comparison of all targets does not list, although no listed target shows their change.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::report::CompareReport;
use super::side_targets::SideTargets;

/// The bases of both sides that a change reaches and that no reported target uses. The report lists
/// only the targets in `listed`; with `has_bases`, it lists every base.
pub(super) fn hidden_bases(
    (old, new): (&SideTargets<'_>, &SideTargets<'_>),
    (listed, reached): (&BTreeSet<PathBuf>, &BTreeSet<PathBuf>),
    report: &CompareReport,
    has_bases: bool,
) -> Vec<PathBuf> {
    if has_bases {
        return Vec::new();
    }
    let mut shown: BTreeSet<PathBuf> = BTreeSet::new();
    let mut open: Vec<PathBuf> =
        report.targets.iter().map(|target| target_folder(&target.target)).collect();
    while let Some(target) = open.pop() {
        let below = [old.used_targets(&target), new.used_targets(&target)];
        for base in below.into_iter().flatten() {
            if shown.insert(base.clone()) {
                open.push(base);
            }
        }
    }
    let in_both = &old.targets(true) & &new.targets(true);
    let is_hidden =
        |base: &PathBuf| reached.contains(base) && !listed.contains(base) && !shown.contains(base);
    in_both.into_iter().filter(is_hidden).collect()
}

/// The sentence about bases that differ and are not listed; `None` without such bases.
pub(super) fn hidden_bases_sentence(count: usize) -> Option<String> {
    match count {
        0 => None,
        1 => Some("1 base changes: `kzui diff --bases` lists it".to_owned()),
        count => Some(format!("{count} bases change: `kzui diff --bases` lists them")),
    }
}

/// The path of a target name, where `.` is the empty path.
pub(super) fn target_folder(name: &str) -> PathBuf {
    if name == "." { PathBuf::new() } else { PathBuf::from(name) }
}

/// The innermost folder that contains both paths, or `other` if the paths share no folder below the
/// root of the file system. Paths of both sides are shown relative to it.
pub(super) fn common_root(one: &Path, other: &Path) -> PathBuf {
    let parts = one.components().zip(other.components()).take_while(|(one, other)| one == other);
    let common: PathBuf = parts.map(|(part, _)| part).collect();
    if common.parent().is_some() { common } else { other.to_owned() }
}
