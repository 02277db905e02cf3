//! Which files differ from a git commit.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::host::GitObjects;
use crate::repository::{CommitTree as _, Listing as _};

/// The files that differ from a commit, in the repository that contains a directory: modified,
/// added or deleted. Ignored files count only if the commit contains them. The repository is read
/// as by [`GitObjects`]: no program configured in it is run, and no file in it is written, not even
/// its index.
pub fn changed_since(directory: &Path, reference: &str) -> Result<Vec<PathBuf>, String> {
    let words = |error: &dyn std::fmt::Display| error.to_string();
    let git = Arc::new(GitObjects::around(directory).map_err(|error| words(&error))?);
    let commit = git.commit(reference).map_err(|error| words(&error))?;
    let tree = git.tree(&commit).map_err(|error| words(&error))?;
    let paths = git.not_ignored(git.work_tree());
    let mut paths = paths.map_err(|error| words(&error))?.unwrap_or_default();
    paths.extend(tree.files_below(git.work_tree()).map_err(|error| words(&error))?);
    paths.sort_unstable();
    paths.dedup();
    paths.retain(|path| tree.differs_on_disk(path));
    Ok(paths)
}
