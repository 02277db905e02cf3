//! Where fetched repositories and files are kept, below the user's cache folder.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

use crate::engine::load::GitTarget;

use super::bounds::{FILE_LIMIT, SETTINGS_LIMIT};
use super::private::{cache_folder, private_folder, write_whole};
use super::read::{read_file, read_text};

/// How long an older commit of a repository is kept after a newer one came.
const OLD: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// How long a half-made clone is kept: nobody is still making it after that.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);
/// The file that names the commit fetched last.
const LATEST: &str = "latest";

/// A folder for what was fetched. Entries are named by hashes, so that no credentials show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// The user's own cache folder (`~/.cache/kzui`), or one among the temporary files where there is none.
    pub fn of_user() -> Self {
        Self { folder: cache_folder() }
    }

    /// A cache in this folder.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    fn git(&self, target: &GitTarget) -> PathBuf {
        let submodules = if target.submodules { "+" } else { "-" };
        self.folder.join("git").join(hash(&[&target.repo, &target.reference, submodules]))
    }

    /// The clone of this repository and ref that was made last.
    pub(super) fn clone_of(&self, target: &GitTarget) -> Option<PathBuf> {
        let folder = self.git(target);
        let commit = read_text(&folder.join(LATEST), SETTINGS_LIMIT).ok()?;
        let tree = folder.join(commit.trim());
        (is_commit(commit.trim()) && tree.is_dir())
            .then_some(tree)
            .and_then(|tree| tree.canonicalize().ok())
    }

    /// A new folder to clone into; it goes away by itself unless it is [kept](Self::keep_clone).
    pub(super) fn new_clone(&self, target: &GitTarget) -> io::Result<tempfile::TempDir> {
        let folder = self.git(target);
        private_folder(&folder)?;
        remove_abandoned(&folder);
        tempfile::Builder::new().prefix("kustomize-").tempdir_in(folder)
    }

    /// Keeps a finished clone under its commit and gives its final place.
    pub(super) fn keep_clone(
        &self,
        target: &GitTarget,
        clone: tempfile::TempDir,
        commit: &str,
    ) -> io::Result<PathBuf> {
        let folder = self.git(target);
        let place = folder.join(commit);
        let made = clone.keep();
        if place.is_dir() {
            fs_err::remove_dir_all(&made)?;
        } else if let Err(error) = fs_err::rename(&made, &place) {
            let _ = fs_err::remove_dir_all(&made);
            // Another process may have been faster with the same commit.
            if !place.is_dir() {
                return Err(error);
            }
        }
        write_whole(&folder.join(LATEST), commit.as_bytes())?;
        remove_older(&folder, commit);
        place.canonicalize()
    }

    /// The body of a URL that was fetched before.
    pub(super) fn body_of(&self, url: &str) -> Option<Vec<u8>> {
        read_file(&self.folder.join("http").join(hash(&[url])), FILE_LIMIT).ok()
    }

    /// Keeps the body of a URL. That it cannot be kept is no failure of the build.
    pub(super) fn keep_body(&self, url: &str, body: &[u8]) {
        let _ = write_whole(&self.folder.join("http").join(hash(&[url])), body);
    }
}

/// True for what git calls a full object name.
pub(super) fn is_commit(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn hash(parts: &[&str]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part.as_bytes());
        digest.update([0]);
    }
    let bytes: Vec<String> =
        digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    bytes.concat()
}

fn remove_abandoned(folder: &Path) {
    remove_where(folder, ABANDONED, |name| name.starts_with("kustomize-"));
}

fn remove_older(folder: &Path, commit: &str) {
    remove_where(folder, OLD, |name| is_commit(name) && name != commit);
}

fn remove_where(folder: &Path, age: Duration, matches: impl Fn(&str) -> bool) {
    let Ok(entries) = fs_err::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_old = entry
            .metadata()
            .and_then(|meta| meta.modified())
            .is_ok_and(|at| SystemTime::now().duration_since(at).is_ok_and(|gone| gone > age));
        if is_old && matches(&entry.file_name().to_string_lossy()) {
            let _ = fs_err::remove_dir_all(entry.path());
        }
    }
}
