//! The journal of a write in progress: after a crash, the next start uses it to revert the write.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::engine::load::Digest;

use super::place::{exchange, move_to_unused};
use super::{BeforeCallHook, PREFIX, PreparedWrite, read_current};
use crate::host::bounds::MAX_SETTINGS_BYTES;
use crate::host::fs::folders::state_folder;
use crate::host::fs::ownership;
use crate::host::fs::ownership::OwnershipError;
use crate::host::fs::read::{open_regular, read_opened};
use crate::host::store::private_files::{
    private_folder, private_options, remove_if_present, sync_folder, try_lock, write_pieces,
};

/// The changes of one write. The journal file is locked as long as the writing process runs.
#[derive(Serialize, Deserialize)]
struct WriteJournal {
    files: Vec<JournalEntry>,
}

#[derive(Serialize, Deserialize)]
struct JournalEntry {
    target: PathBuf,
    beside: PathBuf,
    base: Option<String>,
    new: Option<String>,
}

/// The journal of one write; empty if the user has no home.
pub(super) struct Journal {
    kept: Option<(PathBuf, fs::File)>,
}

impl Journal {
    pub(super) fn begin(
        folder: Option<&Path>,
        prepared: &[PreparedWrite<'_>],
        before: BeforeCallHook<'_>,
    ) -> io::Result<Self> {
        let Some(folder) = folder else { return Ok(Self { kept: None }) };
        before("mkdir")?;
        private_folder(folder)?;
        let digest = |bytes: Option<&[u8]>| bytes.map(|bytes| Digest::compute(bytes).hex());
        let files = prepared.iter().map(|one| JournalEntry {
            target: one.target.clone(),
            beside: one.beside.clone(),
            base: digest(one.change.base.as_deref()),
            new: digest(one.change.draft.as_deref()),
        });
        let text = serde_json::to_vec(&WriteJournal { files: files.collect() })?;
        let name = prepared.first().and_then(|one| one.beside.file_name()).unwrap_or_default();
        let path =
            folder.join(name.to_string_lossy().trim_start_matches('.')).with_extension("begun");
        before("open")?;
        let mut file = private_options().write(true).create_new(true).open(&path)?;
        try_lock(&file);
        let written = write_pieces(&mut file, &text, before).and_then(|()| file.sync_all());
        if let Err(error) = written {
            let _ = fs::remove_file(&path);
            return Err(error);
        }
        sync_folder(folder);
        Ok(Self { kept: Some((path, file)) })
    }

    /// Marks the write as complete: from now on it is not reverted.
    pub(super) fn mark_complete(&mut self, before: BeforeCallHook<'_>) -> io::Result<()> {
        let Some((path, _)) = &mut self.kept else { return Ok(()) };
        let done = path.with_extension("done");
        before("rename")?;
        fs::rename(&*path, &done)?;
        *path = done;
        path.parent().into_iter().for_each(sync_folder);
        Ok(())
    }

    /// Removes the journal, once the temporary files are removed.
    pub(super) fn end(self, before: BeforeCallHook<'_>) {
        if let Some((path, _)) = self.kept {
            // A file that cannot be removed now is removed at the next start.
            let _ = before("unlink").and_then(|()| fs::remove_file(path));
        }
    }
}

/// Reverts incomplete writes of killed processes, and removes their temporary files. Returns the
/// reverted files, and the errors of journals that others can write: those are ignored.
pub fn revert_incomplete_writes() -> (Vec<PathBuf>, Vec<OwnershipError>) {
    state_folder().map(|folder| revert_writes_in(&folder.join("writes"))).unwrap_or_default()
}

pub(super) fn revert_writes_in(folder: &Path) -> (Vec<PathBuf>, Vec<OwnershipError>) {
    let (mut taken, mut refused) = (Vec::new(), Vec::new());
    if let Err(reason) = ownership::check(folder) {
        return (taken, vec![reason]);
    }
    let Ok(entries) = fs::read_dir(folder) else { return (taken, refused) };
    for path in entries.flatten().map(|entry| entry.path()) {
        // A journal that others can write may name any file of the user.
        if let Err(reason) = ownership::check(&path) {
            refused.push(reason);
            continue;
        }
        let Ok(mut file) = open_regular(&path) else { continue };
        // Another process is still writing: it holds the lock.
        if !try_lock(&file) {
            continue;
        }
        let record = read_opened(&mut file, MAX_SETTINGS_BYTES).ok();
        let record = record.and_then(|text| serde_json::from_slice::<WriteJournal>(&text).ok());
        let is_begun = path.extension().is_some_and(|extension| extension == "begun");
        let mut is_clear = true;
        for entry in record.iter().flat_map(|record| record.files.iter().rev()) {
            let before = if is_begun { entry.take_back() } else { Ok(false) };
            match before {
                Ok(true) => taken.push(entry.target.clone()),
                Ok(false) => {}
                Err(_) => is_clear = false,
            }
            is_clear &= is_clear && entry.remove_temporary_files().is_ok();
        }
        if is_clear {
            let _ = fs::remove_file(&path);
        }
    }
    (taken, refused)
}

impl JournalEntry {
    /// Reverts the change of one file if the change was made; returns true if it was.
    fn take_back(&self) -> io::Result<bool> {
        let (target, beside) = (&*self.target, &*self.beside);
        let digest = |path: &Path| {
            read_current(path).map(|bytes| bytes.map(|bytes| Digest::compute(&bytes).hex()))
        };
        let (there, other) = (digest(target)?, digest(beside)?);
        let allowed: BeforeCallHook<'_> = &|_| Ok(());
        if other == self.base && there == self.new && self.base != self.new {
            match (&self.base, &self.new) {
                (Some(_), Some(_)) => exchange(beside, target, allowed)?,
                (Some(_), None) => move_to_unused(beside, target, allowed)?,
                (None, _) => move_to_unused(target, beside, allowed)?,
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Removes the temporary files beside the targets, and only those of kzui.
    fn remove_temporary_files(&self) -> io::Result<()> {
        let name = self.beside.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with(PREFIX) {
            return Ok(());
        }
        for end in ["", "-old", "-mode"] {
            remove_if_present(&self.beside.with_file_name(format!("{name}{end}")))?;
        }
        Ok(())
    }
}
