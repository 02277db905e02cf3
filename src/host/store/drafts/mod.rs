//! Drafts that are not written to files yet, kept in the user's state folder.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::draft::{DraftHolder, FileChange, ListedDraft, StoredDraft};
use crate::engine::load::{Digest, Files as _};

use super::private_files::{
    BeforeCallHook, kept_for, parse_kept, private_folder, private_options, remove_if_present,
    try_lock, write_atomically_with,
};
use super::trust_file::now;
use crate::host::bounds::MAX_KEPT_FILE_BYTES;
use crate::host::fs::disk::DiskFiles;
use crate::host::fs::folders::state_folder;
use crate::host::fs::ownership;
use crate::host::fs::ownership::OwnershipError;

/// The kept drafts of one repository, one file each, readable by the user only. Nothing is created
/// before the first draft.
///
/// A workbench locks its current draft while it is open, so that no other workbench writes or
/// discards it. Files of named drafts have that name; files of unnamed ones are numbered, one for
/// each workbench that has the repository open.
#[derive(Clone, Debug)]
pub struct DraftFiles {
    folder: Option<PathBuf>,
    name: String,
    root: PathBuf,
    own: Arc<Mutex<Option<LockedDraft>>>,
}

#[derive(Debug)]
struct LockedDraft {
    place: PathBuf,
    _held: DraftLock,
}

/// The lock of a draft, held until it is dropped. A starting program has a copy of the open file
/// for a moment, so that closing the file alone would not release the lock in time.
#[derive(Debug)]
struct DraftLock(std::fs::File);

impl Drop for DraftLock {
    fn drop(&mut self) {
        #[cfg(unix)]
        let _ = rustix::fs::flock(&self.0, rustix::fs::FlockOperation::Unlock);
    }
}

const VERSION: u32 = 3;

/// The maximum number of workbenches on one repository that keep an unnamed draft.
const MAX_UNNAMED_DRAFTS: usize = 64;

impl DraftFiles {
    /// The drafts of the user for the repository with this root (`~/.local/state/kzui/drafts/…`).
    /// Nothing is kept if the user has no home.
    pub fn of_user(root: &Path) -> Self {
        Self::in_folder(state_folder().map(|folder| folder.join("drafts")).as_deref(), root)
    }

    pub fn in_folder(folder: Option<&Path>, root: &Path) -> Self {
        let name = Digest::compute(root.as_os_str().as_encoded_bytes()).hex();
        let folder = folder.map(Path::to_owned);
        Self { folder, name, root: root.to_owned(), own: Arc::default() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The newest draft that no workbench has locked; this process locks it. Files in another
    /// format, or of another repository, are ignored.
    pub fn last(&self) -> Option<StoredDraft> {
        let mut own = self.locked_draft();
        if let Some(own) = own.as_ref() {
            return self.read(&own.place).map(|(draft, _)| draft);
        }
        let kept = self.kept_with_paths(None).into_iter();
        let (held, draft) = lock_newest(kept.filter(|(_, kept)| kept.draft.has_edits()))?;
        *own = Some(held);
        Some(draft)
    }

    /// The last kept draft; `None` if the files on disk already equal it: then the last process
    /// ended after a write, before it could remove the draft.
    pub fn last_unwritten(&self) -> Option<StoredDraft> {
        let kept = self.last()?;
        let is_written = |change: &FileChange| match DiskFiles.read(&change.path) {
            Ok(bytes) => change.draft.as_ref() == Some(&bytes),
            Err(_) => change.draft.is_none() && !change.path.exists(),
        };
        if !kept.left_out.is_empty() || !kept.files.iter().all(is_written) {
            return Some(kept);
        }
        // If this fails, the draft is offered again at the next start.
        let _ = self.keep(&StoredDraft { name: kept.name, ..StoredDraft::default() });
        None
    }

    /// All kept drafts, named ones first, by name. Nothing is created or locked.
    pub fn all(&self) -> Vec<ListedDraft> {
        let own = self.locked_draft().as_ref().map(|own| own.place.clone());
        let kept = self.kept_with_paths(own.as_deref()).into_iter();
        let mut all: Vec<ListedDraft> = kept.map(|(_, kept)| kept).collect();
        all.sort_by_key(|kept| (kept.draft.name.is_none(), kept.draft.name.clone()));
        all
    }

    /// The reasons why drafts of the repository are not used: they fail the ownership check.
    pub fn refused(&self) -> Vec<OwnershipError> {
        let Ok(folder) = self.folder() else { return Vec::new() };
        if let Err(reason) = ownership::check(folder) {
            return vec![reason];
        }
        let places = self.places(folder);
        places.iter().filter_map(|place| ownership::check(place).err()).collect()
    }

    /// Releases the draft of this process, which stays kept, and switches to the draft with this
    /// name, or to the newest unnamed one. `None` if no such draft exists yet.
    ///
    /// # Errors
    /// Another workbench has locked the draft, or the user has no home.
    pub fn take(&self, name: Option<&str>) -> io::Result<Option<StoredDraft>> {
        let folder = self.folder()?;
        let mut own = self.locked_draft();
        let Some(name) = name else {
            *own = None;
            let kept = self.kept_with_paths(None).into_iter();
            let found = lock_newest(kept.filter(|(_, kept)| kept.draft.name.is_none())).unzip();
            *own = found.0;
            return Ok(found.1);
        };
        let place = self.named(folder, name);
        if own.as_ref().is_none_or(|own| own.place != place) {
            *own = Some(self.lock_path(folder, Some(name), false)?);
        }
        Ok(self.read(&place).map(|(draft, _)| draft))
    }

    /// Releases the draft of this process; it stays kept.
    pub fn leave(&self) {
        *self.locked_draft() = None;
    }

    /// Saves a draft over the current one of this process, under its current name. An unnamed draft
    /// without changes is removed.
    ///
    /// # Errors
    /// The system refuses, the user has no home, or another draft has the name.
    pub fn keep(&self, draft: &StoredDraft) -> io::Result<()> {
        self.keep_with_hook(draft, &|_| Ok(()))
    }

    /// Saves a draft under an unused name, next to the current draft of this process, and switches
    /// to it.
    pub fn keep_copy(&self, draft: &StoredDraft) -> io::Result<()> {
        if let Some(name) = draft.name.as_deref()
            && self.named(self.folder()?, name).exists()
        {
            return Err(name_taken_error(name));
        }
        self.leave();
        self.keep(draft)
    }

    fn keep_with_hook(&self, draft: &StoredDraft, before: BeforeCallHook<'_>) -> io::Result<()> {
        let folder = self.folder()?;
        let mut own = self.locked_draft();
        if draft.is_empty() {
            if let Some(held) = own.as_ref() {
                remove(&held.place, before)?;
            }
            *own = None;
            return Ok(());
        }
        let name = draft.name.as_deref();
        let mut former = None;
        if own.as_ref().is_none_or(|own| !self.belongs(&own.place, folder, name)) {
            let held = self.lock_path(folder, name, own.is_some())?;
            former = own.replace(held);
        }
        let Some(held) = own.as_ref() else { return Ok(()) };
        let text = kept_for(&self.root, VERSION, &(now(), draft))?;
        write_atomically_with(&held.place, &text, true, before)?;
        // The draft is saved under a new name: remove the old file.
        former.map_or(Ok(()), |former| remove(&former.place, before))
    }

    /// Locks the path of a named draft, which may not exist if it `is_new`, or an unused number.
    fn lock_path(
        &self,
        folder: &Path,
        name: Option<&str>,
        is_new: bool,
    ) -> io::Result<LockedDraft> {
        private_folder(folder)?;
        let Some(name) = name else {
            let mut free = self.numbered(folder).filter(|place| !place.exists());
            let many = || io::Error::other("too many workbenches are open in this folder");
            return free.find_map(lock_draft).ok_or_else(many);
        };
        let place = self.named(folder, name);
        if place.exists() && is_new {
            return Err(name_taken_error(name));
        }
        if place.exists() && self.read(&place).is_none() {
            let place = place.display();
            let text = format!("the draft `{name}` was kept by another version of kzui: {place}");
            return Err(io::Error::other(text));
        }
        lock_draft(place).ok_or_else(|| held_elsewhere_error(name))
    }

    /// Removes the draft with this name unless it is locked.
    ///
    /// # Errors
    /// No such draft, it is locked, or the system refuses.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        let place = self.named(self.folder()?, name);
        if !place.is_file() {
            return Err(io::Error::other(format!("no draft `{name}`")));
        }
        let held = lock_draft(place).ok_or_else(|| held_elsewhere_error(name))?;
        remove(&held.place, &|_| Ok(()))
    }

    fn locked_draft(&self) -> MutexGuard<'_, Option<LockedDraft>> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn folder(&self) -> io::Result<&Path> {
        let none = || io::Error::other("no home folder to keep drafts in");
        self.folder.as_deref().ok_or_else(none)
    }

    fn numbered(&self, folder: &Path) -> impl Iterator<Item = PathBuf> {
        let (folder, name) = (folder.to_owned(), self.name.clone());
        (0..MAX_UNNAMED_DRAFTS).map(move |number| {
            let behind = if number == 0 { String::new() } else { format!("-{number}") };
            folder.join(format!("{name}{behind}.json"))
        })
    }

    fn named(&self, folder: &Path, name: &str) -> PathBuf {
        let behind = Digest::compute(name.as_bytes()).hex();
        folder.join(format!("{}.{}.json", self.name, behind.get(..32).unwrap_or(&behind)))
    }

    /// The kept drafts with their paths: unnamed ones by number, then named ones.
    fn kept_with_paths(&self, own: Option<&Path>) -> Vec<(PathBuf, ListedDraft)> {
        let Ok(folder) = self.folder() else { return Vec::new() };
        let kept = self.places(folder).into_iter().filter_map(|place| {
            let (draft, at) = self.read(&place)?;
            let held_by = match own {
                Some(own) if *own == place => DraftHolder::ThisWorkbench,
                _ if is_held(&lock_path(&place)) => DraftHolder::AnotherWorkbench,
                _ => DraftHolder::NoWorkbench,
            };
            Some((place, ListedDraft { draft, at, held_by }))
        });
        kept.collect()
    }

    fn places(&self, folder: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).ok().into_iter().flatten().flatten();
        let named = entries.filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let end = name.strip_prefix(&self.name)?.strip_prefix('.')?.strip_suffix(".json")?;
            (end.len() == 32).then(|| entry.path())
        });
        let mut named: Vec<PathBuf> = named.collect();
        named.sort_unstable();
        self.numbered(folder).chain(named).collect()
    }

    /// The draft in a file, with the time at which it was kept; `None` if the draft's name does not
    /// belong to this path.
    fn read(&self, place: &Path) -> Option<(StoredDraft, String)> {
        let bytes = ownership::read(place, MAX_KEPT_FILE_BYTES).ok()?;
        let (at, draft): (String, StoredDraft) = parse_kept(&bytes, &self.root, VERSION)?;
        let folder = place.parent()?;
        self.belongs(place, folder, draft.name.as_deref()).then_some((draft, at))
    }

    /// True for the path of the draft with this name, or for one of those without a name.
    fn belongs(&self, place: &Path, folder: &Path, name: Option<&str>) -> bool {
        match name {
            Some(name) => self.named(folder, name) == *place,
            None => self.numbered(folder).any(|numbered| numbered == *place),
        }
    }
}

fn lock_path(place: &Path) -> PathBuf {
    place.with_extension("lock")
}

fn held_elsewhere_error(name: &str) -> io::Error {
    io::Error::other(format!("the draft `{name}` is open in another workbench"))
}

fn name_taken_error(name: &str) -> io::Error {
    io::Error::other(format!("a draft `{name}` exists already"))
}

/// The newest draft that no workbench has locked, locked from now on.
fn lock_newest(
    kept: impl Iterator<Item = (PathBuf, ListedDraft)>,
) -> Option<(LockedDraft, StoredDraft)> {
    let mut kept: Vec<(PathBuf, ListedDraft)> = kept.collect();
    // Times in drafts have a resolution of one second; ties are broken by the time of the file.
    let written = |place: &Path| std::fs::metadata(place)?.modified();
    kept.sort_by_cached_key(|(place, _)| std::cmp::Reverse(written(place).ok()));
    kept.into_iter().find_map(|(place, kept)| Some((lock_draft(place)?, kept.draft)))
}

fn remove(place: &Path, before: BeforeCallHook<'_>) -> io::Result<()> {
    for gone in [place, &lock_path(place)] {
        before("unlink")?;
        remove_if_present(gone)?;
    }
    Ok(())
}

/// True while a workbench holds this lock. Creates no file.
fn is_held(lock: &Path) -> bool {
    let Ok(file) = private_options().write(true).open(lock) else { return false };
    !try_lock(&DraftLock(file).0)
}

/// Locks a path, unless another workbench has locked it.
fn lock_draft(place: PathBuf) -> Option<LockedDraft> {
    let mut options = private_options();
    options.create(true).truncate(false).write(true);
    let file = options.open(lock_path(&place)).ok()?;
    if !try_lock(&file) {
        return None;
    }
    let held = DraftLock(file);
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        // The previous holder may have removed the lock file meanwhile; the lock would have no
        // effect.
        let (is, named) = (held.0.metadata().ok()?, std::fs::metadata(lock_path(&place)).ok()?);
        if (is.dev(), is.ino()) != (named.dev(), named.ino()) {
            return None;
        }
    }
    Some(LockedDraft { place, _held: held })
}

#[cfg(test)]
mod tests;
