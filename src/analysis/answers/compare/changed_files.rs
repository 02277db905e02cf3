//! The files in which the sides of a comparison differ, and their edits.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::side_sources::Tree;
use super::{FileEdits, file_edits};

fn below(paths: impl IntoIterator<Item = PathBuf>, root: &Path) -> Vec<PathBuf> {
    let relative = |path: PathBuf| path.strip_prefix(root).ok().map(Path::to_owned);
    paths.into_iter().filter_map(relative).collect()
}

/// The relative paths of the files that differ between the two sides.
pub(super) fn changed_paths(one: &Tree, other: &Tree) -> Vec<PathBuf> {
    let differs =
        |before: &Path, after: &Path| one.files.read(before).ok() != other.files.read(after).ok();
    let is_same_place = one.root == other.root && one.scope == other.scope;
    let known: Option<Vec<PathBuf>> = match (&one.commit, &other.commit) {
        _ if !is_same_place => None,
        (Some(from), Some(to)) => from.commits.changed(&from.id, &to.id).ok(),
        (Some(commit), None) | (None, Some(commit)) => {
            let disk = if one.commit.is_some() { other } else { one };
            let listed = disk.listing.files_below(&disk.root).unwrap_or_default().into_iter();
            let listed = listed.chain(commit.tree.files_below(&disk.root).unwrap_or_default());
            let is_changed = |path: &PathBuf| {
                let is_drafted = disk.drafted.contains(path);
                is_drafted && differs(path, path)
                    || !is_drafted && commit.tree.differs_on_disk(path)
            };
            Some(listed.collect::<BTreeSet<_>>().into_iter().filter(is_changed).collect())
        }
        // Both sides read the disk except for drafted files, so only drafted files can differ.
        (None, None) => {
            let drafted: BTreeSet<&PathBuf> = one.drafted.iter().chain(&other.drafted).collect();
            Some(drafted.into_iter().filter(|path| differs(path, path)).cloned().collect())
        }
    };
    if let Some(paths) = known {
        return below(paths, &one.root);
    }
    let frames = if is_same_place { (&one.root, &other.root) } else { (&one.scope, &other.scope) };
    let list = |tree: &Tree, frame: &Path| {
        below(tree.listing.files_below(frame).unwrap_or_default(), frame)
    };
    let mut paths: BTreeSet<PathBuf> = list(one, frames.0).into_iter().collect();
    paths.extend(list(other, frames.1));
    paths.retain(|path| differs(&frames.0.join(path), &frames.1.join(path)));
    paths.into_iter().collect()
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
