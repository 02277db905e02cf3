//! The files in which the sides of a comparison differ, and their edits.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::side_sources::Tree;
use super::{FileEdits, file_edits};

/// The paths below a folder, relative to it.
fn below(paths: impl IntoIterator<Item = PathBuf>, root: &Path) -> Vec<PathBuf> {
    let relative = |path: PathBuf| path.strip_prefix(root).ok().map(Path::to_owned);
    paths.into_iter().filter_map(relative).collect()
}

/// The relative paths of the files that differ between the two sides.
pub(super) fn changed_paths(one: &Tree, other: &Tree) -> Vec<PathBuf> {
    if one.root == other.root {
        if let (Some(from), Some(to)) = (&one.commit, &other.commit)
            && one.scope == other.scope
            && let Ok(paths) = from.commits.changed(&from.id, &to.id)
        {
            return below(paths, &one.root);
        }
        let with_disk = match (&one.commit, &other.commit) {
            (Some(commit), None) => Some((commit, other)),
            (None, Some(commit)) => Some((commit, one)),
            _ => None,
        };
        if let Some((commit, disk)) = with_disk.filter(|_| one.scope == other.scope) {
            let listed = disk.listing.files_below(&disk.root).unwrap_or_default().into_iter();
            let mut listed: BTreeSet<PathBuf> = listed.collect();
            listed.extend(commit.tree.files_below(&disk.root).unwrap_or_default());
            listed.retain(|path| {
                if disk.drafted.contains(path) {
                    one.files.read(path).ok() != other.files.read(path).ok()
                } else {
                    commit.tree.differs_on_disk(path)
                }
            });
            return below(listed, &one.root);
        }
    }
    let is_same_place = one.root == other.root && one.scope == other.scope;
    if is_same_place && one.commit.is_none() && other.commit.is_none() {
        // Both sides read the disk except for drafted files, so only drafted files can differ.
        let mut paths: BTreeSet<PathBuf> = one.drafted.iter().cloned().collect();
        paths.extend(other.drafted.iter().cloned());
        paths.retain(|path| one.files.read(path).ok() != other.files.read(path).ok());
        return below(paths, &one.root);
    }
    let frames = if is_same_place { (&one.root, &other.root) } else { (&one.scope, &other.scope) };
    let list = |tree: &Tree, frame: &Path| {
        below(tree.listing.files_below(frame).unwrap_or_default(), frame)
    };
    let mut paths: BTreeSet<PathBuf> = list(one, frames.0).into_iter().collect();
    paths.extend(list(other, frames.1));
    let differs = |path: &PathBuf| {
        one.files.read(&frames.0.join(path)).ok() != other.files.read(&frames.1.join(path)).ok()
    };
    paths.into_iter().filter(differs).collect()
}

const MAX_CHANGED_BYTES: usize = 512 << 20;
const LINE_OVERHEAD_BYTES: usize = 64;

/// The edits of the files in `changed`. These paths are relative to `frames`, a folder of each
/// side.
pub(super) fn changed_file_edits(
    one: &Tree,
    other: &Tree,
    frames: (&Path, &Path),
    changed: &[PathBuf],
) -> Result<Vec<FileEdits>, String> {
    let mut left = MAX_CHANGED_BYTES;
    let both = |path: &PathBuf| {
        let (before, after) = (frames.0.join(path), frames.1.join(path));
        let texts = (one.files.read(&before).ok(), other.files.read(&after).ok());
        let size =
            [&texts.0, &texts.1].into_iter().flatten().map(|text| text_memory_bytes(text)).sum();
        left = left.checked_sub(size).ok_or_else(|| {
            format!(
                "{}: the changed files up to this one are larger than {} MiB; compare a single folder or target",
                path.display(),
                MAX_CHANGED_BYTES >> 20
            )
        })?;
        Ok(file_edits(&before, &after, texts.0, texts.1))
    };
    changed.iter().map(both).collect()
}

/// The estimated memory in bytes for a text that is stored as lines.
fn text_memory_bytes(text: &[u8]) -> usize {
    text.len() + text.split(|byte| *byte == b'\n').count() * LINE_OVERHEAD_BYTES
}
