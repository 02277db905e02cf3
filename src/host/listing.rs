//! The files below a folder of this machine, as git sees them.

use std::path::{Path, PathBuf};

use super::GitObjects;
use super::names::{real, told};
use crate::engine::load::FileError;
use crate::repository::Listing;

/// Lists the disk. In a repository what git ignores is left out, by git's own rules; elsewhere only `.git` is. Links are
/// not followed, and nothing that the repository names is run.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskListing;

impl Listing for DiskListing {
    fn files_below(&self, folder: &Path) -> Result<Vec<PathBuf>, FileError> {
        let real_folder = real(folder);
        let wrong = |error: std::io::Error| FileError::Other { reason: error.to_string() };
        let found = std::fs::read_dir(&real_folder).map_err(wrong);
        drop(found?);
        // Without git, or outside a repository, everything counts.
        let of_git = GitObjects::around(folder).ok().and_then(|git| git.not_ignored(folder));
        let mut files = of_git.unwrap_or_else(|| walk(&real_folder));
        files.sort();
        Ok(files)
    }
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        // A folder that may not be read is one that no build can read.
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for entry in entries.flatten().filter(|entry| entry.file_name() != ".git") {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                _ => files.push(told(&entry.path()).into_owned()),
            }
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(DiskListing.files_below(&top.join("none")).is_err());
    }
}
