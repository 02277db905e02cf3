//! The cache of fetched repositories and files, below the user's cache folder.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::engine::load::{Digest, GitTarget};

use super::private_files::{private_folder, write_atomically};
use super::tree_digest::tree_digest;
use crate::host::bounds::{MAX_FILE_BYTES, MAX_SETTINGS_BYTES};
use crate::host::fs::folders::{cache_folder, state_folder};
use crate::host::fs::ownership;
use crate::host::fs::ownership::OwnershipError;

/// Age at which the clone of another commit of a repository is removed.
const OLD: Duration = Duration::from_secs(7 * 24 * 60 * 60);
const ABANDONED_CLONE_AGE: Duration = Duration::from_secs(24 * 60 * 60);
const INCOMPLETE_PREFIX: &str = "kustomize-";

/// A folder for fetched content. Entries are named by hashes, so that names contain no credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    pub(in crate::host) folder: PathBuf,
    /// The folder of records: for each repository and ref, a file with the last fetched commit and
    /// the digest of its clone. Outside the cache, so that a manipulated clone cannot bring a
    /// matching digest.
    records: PathBuf,
}

#[derive(Debug, thiserror::Error)]
pub(in crate::host) enum BadClone {
    #[error("{0}")]
    NotOwn(#[from] OwnershipError),
    #[error("the cached clone of commit {commit} was changed since it was fetched")]
    Changed { commit: String },
}

impl Cache {
    /// The user's cache folder (`~/.cache/kzui`), or one among the temporary files if the user has
    /// no home.
    pub fn for_current_user() -> Self {
        let folder = cache_folder();
        let records = state_folder().unwrap_or_else(|| folder.clone()).join("clones");
        Self { folder, records }
    }

    pub fn at(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        let records = folder.join("clones");
        Self { folder, records }
    }

    fn git(&self, target: &GitTarget) -> PathBuf {
        self.folder.join("git").join(name(target))
    }

    fn record(&self, target: &GitTarget) -> PathBuf {
        self.records.join(name(target))
    }

    /// The newest clone of this repository and ref, with every byte verified.
    pub(in crate::host) fn clone_of(
        &self,
        target: &GitTarget,
    ) -> Result<Option<PathBuf>, BadClone> {
        let record = self.record(target);
        ownership::check(&record)?;
        let Ok(text) = ownership::read(&record, MAX_SETTINGS_BYTES) else { return Ok(None) };
        let text = String::from_utf8_lossy(&text);
        let Some((commit, digest)) = text.trim().split_once(' ') else { return Ok(None) };
        let tree = self.git(target).join(commit);
        if !is_full_commit_id(commit) || !tree.is_dir() {
            return Ok(None);
        }
        ownership::check(&tree)?;
        match (tree_digest(&tree), tree.canonicalize()) {
            (Ok(now), Ok(tree)) if now == digest => Ok(Some(tree)),
            _ => Err(BadClone::Changed { commit: commit.to_owned() }),
        }
    }

    /// A new folder to clone into. It is removed on drop unless it is [kept](Self::keep_clone).
    pub(in crate::host) fn new_clone(&self, target: &GitTarget) -> io::Result<tempfile::TempDir> {
        let folder = self.git(target);
        private_folder(&folder)?;
        remove_where(&folder, ABANDONED_CLONE_AGE, |name| name.starts_with(INCOMPLETE_PREFIX));
        tempfile::Builder::new().prefix(INCOMPLETE_PREFIX).tempdir_in(folder)
    }

    /// Keeps a finished clone under its commit and returns its final path.
    pub(in crate::host) fn keep_clone(
        &self,
        target: &GitTarget,
        clone: tempfile::TempDir,
        commit: &str,
    ) -> io::Result<PathBuf> {
        let folder = self.git(target);
        let place = folder.join(commit);
        let known = ownership::read(&self.record(target), MAX_SETTINGS_BYTES).unwrap_or_default();
        let known = String::from_utf8_lossy(&known).trim().to_owned();
        let is_kept = |place: &Path| {
            known.split_once(' ').is_some_and(|(latest, digest)| {
                latest == commit && tree_digest(place).is_ok_and(|now| now == digest)
            })
        };
        // Keep a clone that is already there: another process may be reading it.
        if place.is_dir() && is_kept(&place) {
            remove_old_clones(&folder, commit);
            return place.canonicalize();
        }
        let digest = tree_digest(clone.path())?;
        let made = clone.keep();
        let mut moved = fs_err::rename(&made, &place);
        if moved.is_err() && place.is_dir() {
            let old = tempfile::Builder::new().prefix(INCOMPLETE_PREFIX).tempdir_in(&folder)?;
            moved = fs_err::rename(&place, old.path().join(commit))
                .and_then(|()| fs_err::rename(&made, &place));
        }
        if let Err(error) = moved {
            let _ = fs_err::remove_dir_all(&made);
            return Err(error);
        }
        write_atomically(&self.record(target), format!("{commit} {digest}\n").as_bytes())?;
        remove_old_clones(&folder, commit);
        place.canonicalize()
    }

    pub(in crate::host) fn cached_body(&self, url: &str) -> Option<Vec<u8>> {
        ownership::read(&self.folder.join("http").join(hash(&[url])), MAX_FILE_BYTES).ok()
    }

    /// Stores the body of a URL. A failure does not fail the build.
    pub(in crate::host) fn keep_body(&self, url: &str, body: &[u8]) {
        let path = self.folder.join("http").join(hash(&[url]));
        let _ = write_atomically(&path, body);
    }
}

/// True for a full object name in git's sense.
pub(in crate::host) fn is_full_commit_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The hash that names a repository at a ref.
fn name(target: &GitTarget) -> String {
    let submodules = if target.submodules { "+" } else { "-" };
    hash(&[&target.repo, &target.reference, submodules])
}

fn hash(parts: &[&str]) -> String {
    let bytes: Vec<u8> = parts.iter().flat_map(|part| part.bytes().chain([0])).collect();
    let mut hash = Digest::compute(&bytes).hex();
    hash.truncate(32);
    hash
}

fn remove_old_clones(folder: &Path, commit: &str) {
    remove_where(folder, OLD, |name| is_full_commit_id(name) && name != commit);
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
