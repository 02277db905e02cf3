//! The parts of a check with `--shard`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::answers::SharedFinding;
use crate::answers::compare::Shard;
use crate::engine::diagnostic::Code;

pub(super) fn parse_shard(text: &str) -> Result<Shard, String> {
    Shard::parse(text).ok_or_else(|| format!("--shard takes K/N, as in 1/4; got `{text}`"))
}

/// The targets of one part of a check; without a part, all targets.
pub(super) fn shard_targets(all: &BTreeSet<PathBuf>, shard: Option<Shard>) -> Vec<PathBuf> {
    let mine = |(index, _): &(usize, &PathBuf)| shard.is_none_or(|shard| shard.has(*index));
    all.iter().enumerate().filter(mine).map(|(_, target)| target.clone()).collect()
}

/// For each finding, whether this part of a check with `--shard` reports it: its first target is in
/// the part. A finding without a target belongs to the part with the other findings of its file,
/// and findings of unlisted manifests belong to the first part.
pub(super) fn flag_shard_findings(
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
