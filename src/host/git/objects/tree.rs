//! The files of one commit, as an implementation of the file port.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::{GitError, GitObjects};
use crate::engine::load::{FileError, FileKind, Files, clean};
use crate::host::DiskFiles;
use crate::host::fs::links::{PathPart, resolve_links};
use crate::repository::{CommitTree, Listing};

/// An entry of a commit, with the ID of its git object.
#[derive(Clone, Debug, PartialEq, Eq)]
enum GitTreeEntry {
    Blob(String),
    /// A symbolic link, whose target is the content of the blob.
    Link(String),
    /// A submodule: its files are not in this repository.
    Elsewhere(String),
}

/// The files of a commit, at the paths of the work tree. Paths outside of it, such as the cache of
/// fetched repositories, are read from the disk.
#[derive(Clone)]
pub struct GitTree {
    objects: Arc<GitObjects>,
    entries: Arc<BTreeMap<PathBuf, GitTreeEntry>>,
    folders: Arc<BTreeSet<PathBuf>>,
    has_links: bool,
    /// The files whose content is not in the object store.
    unread: Arc<Mutex<BTreeSet<PathBuf>>>,
}

impl GitTree {
    /// Parses the output of `git ls-tree -r -z`.
    pub(super) fn parse(objects: Arc<GitObjects>, listed: &[u8]) -> Self {
        let top = objects.work_tree().to_owned();
        let mut entries = BTreeMap::new();
        let mut folders = BTreeSet::from([top.clone()]);
        for line in listed.split(|byte| *byte == 0) {
            // `MODE TYPE ID<tab>PATH`
            let text = String::from_utf8_lossy(line);
            let Some((what, path)) = text.split_once('\t') else { continue };
            let mut words = what.split(' ');
            let (Some(mode), _, Some(id)) = (words.next(), words.next(), words.next()) else {
                continue;
            };
            let entry = match mode {
                "120000" => GitTreeEntry::Link(id.to_owned()),
                "160000" => GitTreeEntry::Elsewhere(id.to_owned()),
                _ => GitTreeEntry::Blob(id.to_owned()),
            };
            let path = top.join(path);
            for above in path.ancestors().skip(1).take_while(|above| above.starts_with(&top)) {
                if !folders.insert(above.to_owned()) {
                    break;
                }
            }
            entries.insert(path, entry);
        }
        let has_links = entries.values().any(|entry| matches!(entry, GitTreeEntry::Link(_)));
        let (entries, folders) = (Arc::new(entries), Arc::new(folders));
        Self { objects, entries, folders, has_links, unread: Arc::default() }
    }

    /// The files that differ between the two commits, or exist in only one of them.
    pub fn changed(&self, other: &Self) -> Vec<PathBuf> {
        let paths: BTreeSet<&PathBuf> = self.entries.keys().chain(other.entries.keys()).collect();
        let differs = |path: &&&PathBuf| self.entries.get(**path) != other.entries.get(**path);
        paths.iter().filter(differs).map(|path| (*path).clone()).collect()
    }

    fn walk(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        let top = self.objects.work_tree();
        let Ok(below) = path.strip_prefix(top) else { return DiskFiles.resolve(path) };
        resolve_links(top.to_owned(), below, |path| match self.entries.get(path) {
            _ if self.folders.contains(path) || top.starts_with(path) => Ok(PathPart::Folder),
            Some(GitTreeEntry::Blob(_)) => Ok(PathPart::File),
            Some(GitTreeEntry::Link(id)) => {
                let target = PathBuf::from(&*String::from_utf8_lossy(&self.bytes(path, id)?));
                // A path outside the work tree would be read from the disk, not from this commit.
                if target.is_absolute() {
                    return Err(FileError::Missing { path: target });
                }
                Ok(PathPart::Link(target))
            }
            _ => Err(FileError::Missing { path: path.to_owned() }),
        })
    }

    fn bytes(&self, path: &Path, id: &str) -> Result<Arc<[u8]>, FileError> {
        let read = self.recorded(path, self.objects.blob(id));
        read.map_err(|error| FileError::Other { reason: error.to_string() })
    }

    /// Records a file whose content is not in the object store.
    fn recorded<T>(&self, path: &Path, read: Result<T, GitError>) -> Result<T, GitError> {
        if matches!(read, Err(GitError::NoObject(_))) {
            let mut unread = self.unread.lock().unwrap_or_else(PoisonError::into_inner);
            unread.insert(path.to_owned());
        }
        read
    }

    /// True for a path outside the commit. The folder `.git` belongs to every commit: its remotes
    /// identify the repository.
    fn is_on_disk(&self, path: &Path) -> bool {
        path.strip_prefix(self.objects.work_tree()).map_or(true, |below| below.starts_with(".git"))
    }
}

impl Files for GitTree {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        let path = clean(path);
        if self.is_on_disk(&path) {
            return DiskFiles.resolve(&path);
        }
        if !self.has_links {
            if matches!(self.entries.get(&path), Some(GitTreeEntry::Blob(_))) {
                return Ok((path, FileKind::File));
            }
            if self.folders.contains(&path) {
                return Ok((path, FileKind::Directory));
            }
        }
        self.walk(&path)
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        let path = clean(path);
        if self.is_on_disk(&path) {
            return DiskFiles.read(&path);
        }
        if let Some(GitTreeEntry::Blob(id)) = self.entries.get(&path) {
            return self.bytes(&path, id);
        }
        let (resolved, _) = self.resolve(&path)?;
        match self.entries.get(&resolved) {
            Some(GitTreeEntry::Blob(id)) => self.bytes(&resolved, id),
            Some(_) => Err(FileError::Missing { path: resolved }),
            None => {
                let reason = format!("read {}: is a directory", resolved.display());
                Err(FileError::Other { reason })
            }
        }
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        let (folder, kind) = self.resolve(path)?;
        if !folder.starts_with(self.objects.work_tree()) {
            return DiskFiles.list(&folder);
        }
        if kind == FileKind::File {
            let reason = format!("open {}: not a directory", folder.display());
            return Err(FileError::Other { reason });
        }
        let name = |below: &PathBuf| {
            let mut parts = below.strip_prefix(&folder).ok()?.components();
            Some(parts.next()?.as_os_str().to_string_lossy().into_owned())
        };
        let below = self.entries.range(folder.clone()..).map(|(path, _)| path);
        let below = below.take_while(|path| path.starts_with(&folder));
        let names: BTreeSet<String> = below.filter_map(name).collect();
        Ok(names.into_iter().collect())
    }
}

impl Listing for GitTree {
    fn files_below(&self, folder: &Path) -> Result<Vec<PathBuf>, FileError> {
        let files = self.entries.iter().filter(|(path, entry)| {
            path.starts_with(folder) && !matches!(entry, GitTreeEntry::Elsewhere(_))
        });
        Ok(files.map(|(path, _)| path.clone()).collect())
    }
}

impl CommitTree for GitTree {
    fn differs_on_disk(&self, path: &Path) -> bool {
        let here = |id| self.recorded(path, self.objects.read_uncached_blob(id)).ok();
        match self.entries.get(path) {
            Some(GitTreeEntry::Elsewhere(_)) => false,
            Some(GitTreeEntry::Link(id)) => {
                let there = path.read_link().ok();
                let there = there.map(|target| target.into_os_string().into_encoded_bytes());
                there.as_deref() != here(id).as_deref()
            }
            Some(GitTreeEntry::Blob(id)) => {
                DiskFiles.read(path).ok().as_deref() != here(id).as_deref()
            }
            None => DiskFiles.read(path).is_ok(),
        }
    }

    fn unread_files(&self) -> Vec<PathBuf> {
        self.unread.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}
