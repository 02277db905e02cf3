//! Atomic writes of several files, all or none, and never over a change by another program.
//!
//! The new bytes go to a new file beside the old one, complete and on the disk. Then the two are
//! exchanged, and the replaced file is checked: if it differs from the base of the draft, they are
//! exchanged again. Meanwhile a journal in the user's state folder records the work, so that the
//! next start can revert an interrupted write.

mod journal;
mod likeness;
mod place;
#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use journal::Journal;
pub use journal::revert_incomplete_writes;
use place::{place, take_back};

use super::private_files::{
    BeforeCallHook, private_options, remove_if_present, sync_folder, write_pieces,
};
use crate::draft::FileChange;
use crate::host::bounds::MAX_FILE_BYTES;
use crate::host::fs::folders::state_folder;
use crate::host::fs::names::text_path;
use crate::host::fs::read::{ReadError, read_file};

/// Prefix of the names of new files until the exchange.
const PREFIX: &str = ".kzui-";

/// The reason why a file was not written; the file is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum FileWriteError {
    /// The path may not be written, or is not a file.
    #[error("{0}: no file was written")]
    Refused(String),
    /// The file differs from the base of the draft.
    #[error("{} was changed on disk since it was read: no file was written", path.display())]
    Changed { path: PathBuf },
    #[error("{} is read-only: no file was written", path.display())]
    ReadOnly { path: PathBuf },
    /// The new file would lose a property of the old one.
    #[error("{0}: no file was written; write it with your editor")]
    PropertyLost(String),
    /// The journal cannot be written, so that an interrupted write could not be reverted.
    #[error("cannot record the write in {}: {source}; no file was written", folder.display())]
    NotRecorded {
        folder: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("{0}")]
    System(#[from] io::Error),
    /// The system refused twice to restore the old text, which is kept under another name until the
    /// next start of kzui.
    #[error(
        "{source}; kzui removes the new content at its next start; the previous content is in {}",
        kept.display()
    )]
    NotRestored {
        /// The path of the text that could not be restored.
        kept: PathBuf,
        #[source]
        source: io::Error,
    },
}

/// Writes changes of files: all of them, or none. Permissions, owner and attributes stay; a symbolic
/// link stays, and its target is written; a removed link is removed itself.
///
/// # Errors
/// The index of the file that could not be written, and the reason. All files are unchanged.
pub fn write_files(changes: &[FileChange]) -> Result<(), (usize, FileWriteError)> {
    let folder = state_folder().map(|folder| folder.join("writes"));
    write_files_with_hook(changes, folder.as_deref(), &|_| Ok(()))
}

#[derive(Clone, Debug)]
struct PreparedWrite<'a> {
    change: &'a FileChange,
    target: PathBuf,
    /// The path beside the target, at which the new text is before the exchange, and the old text
    /// after it.
    beside: PathBuf,
}

fn write_files_with_hook(
    changes: &[FileChange],
    journal: Option<&Path>,
    before: BeforeCallHook<'_>,
) -> Result<(), (usize, FileWriteError)> {
    let prepared = changes.iter().enumerate();
    let prepared = prepared.map(|(at, change)| prepare(change, at).map_err(|error| (at, error)));
    let prepared = prepared.collect::<Result<Vec<_>, _>>()?;
    let folder = journal.map_or_else(PathBuf::new, Path::to_owned);
    let not_noted = |source| (0, FileWriteError::NotRecorded { folder: folder.clone(), source });
    let mut journal = Journal::begin(journal, &prepared, before).map_err(not_noted)?;
    let mut all = prepared.iter().enumerate();
    let made = all.try_for_each(|(at, one)| make(one, before).map_err(|error| (at, error)));
    let mut done: Vec<(usize, &PreparedWrite<'_>)> = Vec::new();
    let mut result = made.and_then(|()| {
        for (index, one) in prepared.iter().enumerate() {
            place(one, before).map_err(|error| (index, error))?;
            done.push((index, one));
        }
        journal.mark_complete(before).map_err(not_noted)
    });
    if result.is_err() {
        for (index, one) in done.into_iter().rev() {
            if let Err(error) = take_back(one, before) {
                result = Err((index, error));
            }
        }
    }
    // Each temporary file that remains is in the journal, and is removed at the next start.
    let is_stranded = matches!(&result, Err((_, FileWriteError::NotRestored { .. })));
    let mut all_gone = true;
    for one in prepared.iter().filter(|_| !is_stranded) {
        all_gone &= remove(&one.beside, before).is_ok();
        one.target.parent().into_iter().for_each(sync_folder);
    }
    if all_gone && !is_stranded {
        journal.end(before);
    }
    result
}

fn prepare(change: &FileChange, index: usize) -> Result<PreparedWrite<'_>, FileWriteError> {
    let path = || change.path.clone();
    let target = match change.draft {
        Some(_) => text_path(resolve_links(&change.path)?)?,
        None => change.path.clone(),
    };
    if read_current(&target)?.as_deref() != change.base.as_deref() {
        return Err(FileWriteError::Changed { path: path() });
    }
    if change.base.is_some() && change.draft.is_some() {
        let found = fs::metadata(&target)?;
        if found.permissions().readonly() {
            return Err(FileWriteError::ReadOnly { path: path() });
        }
        if let Some(what) = likeness::is_shared(&found) {
            return Err(FileWriteError::PropertyLost(what));
        }
    }
    let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let time = time.map_or(0, |time| time.as_nanos());
    let name = format!("{PREFIX}{:x}-{time:x}-{index}", std::process::id());
    let beside = target.parent().unwrap_or(Path::new(".")).join(name);
    Ok(PreparedWrite { change, target, beside })
}

/// Creates the new file: readable by its owner only until it is complete and has the attributes of
/// the old one.
fn make(one: &PreparedWrite<'_>, before: BeforeCallHook<'_>) -> Result<(), FileWriteError> {
    let Some(bytes) = &one.change.draft else { return Ok(()) };
    before("open")?;
    let mut file = private_options().write(true).create_new(true).open(&one.beside)?;
    write_pieces(&mut file, bytes, before)?;
    file.sync_all()?;
    if one.change.base.is_some() {
        likeness::copy_file_properties(&one.target, &one.beside, before)
            .map_err(FileWriteError::PropertyLost)
    } else {
        Ok(likeness::set_default_mode(&one.beside, before)?)
    }
}

/// Removes a file beside a target; a missing one is fine.
fn remove(path: &Path, before: BeforeCallHook<'_>) -> io::Result<()> {
    if !path.try_exists().unwrap_or(true) && !path.is_symlink() {
        return Ok(());
    }
    before("unlink")?;
    remove_if_present(path)
}

/// The target of a path: links followed, even if the file does not exist yet.
fn resolve_links(path: &Path) -> io::Result<PathBuf> {
    match path.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound && !path.is_symlink() => {
            let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
                return Err(error);
            };
            Ok(parent.canonicalize()?.join(name))
        }
        other => other,
    }
}

/// The bytes of an existing file; `None` if it is missing.
fn read_current(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match read_file(path, MAX_FILE_BYTES) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(ReadError::System(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}
