//! The files below a folder of this machine, as git sees them.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::engine::load::FileError;
use crate::host::{GitError, GitObjects};
use crate::repository::{CommitTree as _, Listing};

/// Lists files on the disk. In a repository, ignored files are left out by git's own rules;
/// elsewhere only `.git` is left out. Links are not followed, and no program configured in the
/// repository is run.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskListing;

impl Listing for DiskListing {
    fn files_below(&self, folder: &Path) -> Result<Vec<PathBuf>, FileError> {
        match self.files_within_bounds(folder)? {
            (files, None) => Ok(files),
            (_, Some(why)) => {
                let folder = folder.display();
                let reason =
                    format!("{folder} is not a git repository, and {why}: use a smaller folder");
                Err(FileError::Other { reason })
            }
        }
    }

    fn known_files(&self, folder: &Path) -> Option<Vec<PathBuf>> {
        GitObjects::around(folder).ok().and_then(|git| git.tracked(folder))
    }

    fn files_within_bounds(
        &self,
        folder: &Path,
    ) -> Result<(Vec<PathBuf>, Option<String>), FileError> {
        let wrong = |error: std::io::Error| FileError::Other { reason: error.to_string() };
        drop(std::fs::read_dir(folder).map_err(wrong)?);
        let (mut files, left_out) = match list_not_ignored(folder)? {
            Some(files) => (files, None),
            None => walk(folder, MAX_ENTRIES, None),
        };
        files.sort_unstable();
        Ok((files, left_out))
    }
}

/// The maximum number of entries to visit outside of a repository: a home folder may contain
/// millions.
const MAX_ENTRIES: usize = 100_000;
const MAX_DIRECTORY_DEPTH: usize = 32;

/// The files that git does not ignore; `None` without git, outside of a repository and in a folder
/// that git ignores, where all files count.
fn list_not_ignored(folder: &Path) -> Result<Option<Vec<PathBuf>>, FileError> {
    let listed = match GitObjects::around(folder) {
        Ok(git) => git
            .not_ignored(folder)
            .map(|files| files.filter(|files| !files.is_empty() || git.work_tree() == folder)),
        Err(error @ GitError::Special(_)) => Err(error),
        Err(_) => Ok(None),
    };
    listed.map_err(|error| FileError::Other { reason: error.to_string() })
}

/// The files below a folder that are found in this time, nearest first. Runs no program.
pub fn files_within(folder: &Path, time: Duration) -> Vec<PathBuf> {
    walk(folder, MAX_ENTRIES, Some(Instant::now() + time)).0
}

/// The files below a folder, nearest first, and the reason if the list is incomplete; after the end
/// no more folders are read. With an end, hidden folders and `node_modules` are left out.
fn walk(folder: &Path, most: usize, end: Option<Instant>) -> (Vec<PathBuf>, Option<String>) {
    let mut files = Vec::new();
    let mut folders = VecDeque::from([(folder.to_owned(), 0)]);
    let (mut left, mut is_too_deep) = (most, false);
    while let Some((folder, depth)) = folders.pop_front() {
        if end.is_some_and(|end| Instant::now() > end) {
            break;
        }
        // An unreadable folder is left out, because a build cannot read it either.
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for entry in entries.flatten().filter(|entry| entry.file_name() != ".git") {
            let Some(rest) = left.checked_sub(1) else {
                return (files, Some(format!("has more than {most} files and folders")));
            };
            left = rest;
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && end.is_some() && is_aside(&entry.file_name()) => {}
                Ok(kind) if kind.is_dir() && depth == MAX_DIRECTORY_DEPTH => is_too_deep = true,
                Ok(kind) if kind.is_dir() => folders.push_back((entry.path(), depth + 1)),
                _ => files.push(entry.path()),
            }
        }
    }
    let deep = || format!("has folders that are more than {MAX_DIRECTORY_DEPTH} deep");
    (files, is_too_deep.then(deep))
}

fn is_aside(name: &OsStr) -> bool {
    name == "node_modules" || name.as_encoded_bytes().starts_with(b".")
}

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

#[cfg(test)]
mod tests {
    use crate::host::git::listing::*;

    fn tree() -> tempfile::TempDir {
        let scratch = tempfile::tempdir().unwrap();
        for (path, text) in [
            (".gitignore", "out/\n*.tmp\n"),
            (".argocd/app.yaml", "a: 1\n"),
            ("base/kustomization.yaml", ""),
            ("base/x.tmp", ""),
            ("out/rendered.yaml", ""),
        ] {
            let file = scratch.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        scratch
    }

    fn listed(top: &Path) -> Vec<String> {
        let listed = DiskListing.files_below(top).unwrap();
        let shown = listed.iter().map(|file| file.strip_prefix(top).unwrap());
        shown.map(|file| file.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn lists_what_git_does_not_ignore() {
        let scratch = tree();
        let top = scratch.path().canonicalize().unwrap();
        assert_eq!(listed(&top).len(), 5, "outside a repository everything counts");
        let made = std::process::Command::new("git").arg("init").arg("-q").arg(&top).status();
        assert!(made.unwrap().success());
        assert_eq!(listed(&top), [".argocd/app.yaml", ".gitignore", "base/kustomization.yaml"]);
        assert_eq!(listed(&top.join("base")), ["kustomization.yaml"]);
        assert_eq!(listed(&top.join("out")), ["rendered.yaml"], "an ignored folder");
        assert!(DiskListing.files_below(&top.join("none")).is_err());
    }

    #[test]
    fn files_at_a_glance_reads_only_the_index() {
        let scratch = tree();
        let top = scratch.path().canonicalize().unwrap();
        assert_eq!(DiskListing.known_files(&top), None, "no repository exists");
        let git = |words: &[&str]| {
            let done = std::process::Command::new("git").args(words).current_dir(&top).status();
            assert!(done.unwrap().success());
        };
        git(&["init", "-q"]);
        assert_eq!(DiskListing.known_files(&top), None, "no index exists");
        git(&["add", "base/kustomization.yaml", ".argocd"]);
        git(&["config", "core.fsmonitor", "touch ran; false"]);
        let index = std::fs::read(top.join(".git/index")).unwrap();
        let known = DiskListing.known_files(&top).unwrap();
        assert_eq!(known, [top.join(".argocd/app.yaml"), top.join("base/kustomization.yaml")]);
        let below = DiskListing.known_files(&top.join("base")).unwrap();
        assert_eq!(below, [top.join("base/kustomization.yaml")]);
        assert_eq!(std::fs::read(top.join(".git/index")).unwrap(), index);
        assert!(!top.join("ran").exists() && !top.join("base/ran").exists());
        std::fs::write(top.join(".git/index"), "no index").unwrap();
        assert_eq!(DiskListing.known_files(&top), None, "it cannot be read");
    }

    #[test]
    fn walk_outside_a_repository_is_limited_and_reports_the_omission() {
        let scratch = tree();
        std::fs::write(scratch.path().join("near.yaml"), "").unwrap();
        let (files, left_out) = walk(scratch.path(), 5, None);
        assert!(files.contains(&scratch.path().join("near.yaml")), "{files:?}");
        assert!(!files.contains(&scratch.path().join("out/rendered.yaml")), "{files:?}");
        assert_eq!(left_out.as_deref(), Some("has more than 5 files and folders"));
        assert_eq!(walk(scratch.path(), 50, None).1, None);
        let mut deep = scratch.path().to_owned();
        (0..=MAX_DIRECTORY_DEPTH).for_each(|_| deep.push("d"));
        std::fs::create_dir_all(deep.join("e")).unwrap();
        let words = walk(scratch.path(), 500, None).1.unwrap();
        assert_eq!(words, "has folders that are more than 32 deep");
    }
}
