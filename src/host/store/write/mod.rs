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
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use journal::Journal;
pub use journal::revert_incomplete_writes;
use place::{AppliedChange, place};

use super::private_files::{private_options, sync_folder};
use crate::draft::OutOfScope;
use crate::host::bounds::MAX_FILE_BYTES;
use crate::host::fs::folders::state_folder;
use crate::host::fs::names::to_os_path;
use crate::host::fs::read::{ReadError, read_file};

/// Prefix of the names of new files until the exchange.
const PREFIX: &str = ".kzui-";

/// The reason why a file was not written; the file is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum FileWriteError {
    /// The path may not be written, or is not a file.
    #[error("{0}: no file was written")]
    Refused(OutOfScope),
    /// The file differs from the base of the draft.
    #[error("{} was changed on disk since it was read: no file was written", path.display())]
    Changed { path: PathBuf },
    #[error("{} is read-only: no file was written", path.display())]
    ReadOnly { path: PathBuf },
    /// The new file would lose a property of the old one.
    #[error("{property}: no file was written; write it with your editor")]
    PropertyLost { path: PathBuf, property: String },
    /// The journal cannot be written, so that an interrupted write could not be reverted.
    #[error("cannot record the write in {}: {source}; no file was written", folder.display())]
    NotRecorded {
        folder: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("{source}")]
    System {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// The system refused twice to restore the old text, which is kept under another name until the
    /// next start of kzui.
    #[error(
        "{source}; kzui removes the new content at its next start; the previous content is in {}",
        kept.display()
    )]
    NotRestored {
        path: PathBuf,
        /// The path of the text that could not be restored.
        kept: PathBuf,
        #[source]
        source: io::Error,
    },
}

#[derive(Clone, Copy, Debug)]
pub struct FileWrite<'a> {
    pub path: &'a Path,
    /// The expected bytes; `None` if the file is expected not to exist.
    pub base: Option<&'a [u8]>,
    /// The new bytes; `None` to remove the file.
    pub bytes: Option<&'a [u8]>,
}

/// Called before every system call that changes a file; an error prevents the call.
type BeforeCall<'a> = &'a dyn Fn(&'static str) -> io::Result<()>;

/// Writes files: all of them, or none. Permissions, owner and attributes stay; a symbolic link
/// stays, and its target is written; a removed link is removed itself.
///
/// # Errors
/// The index of the file that could not be written, and the reason. All files are unchanged.
pub fn write_files(changes: &[FileWrite<'_>]) -> Result<(), (usize, FileWriteError)> {
    let folder = state_folder().map(|folder| folder.join("writes"));
    write_files_with_hook(changes, folder.as_deref(), &|_| Ok(()))
}

/// A change that can be applied, with its resolved path and its temporary file.
#[derive(Clone, Debug)]
struct PreparedWrite<'a> {
    change: FileWrite<'a>,
    target: PathBuf,
    /// The path beside the target, at which the new text is before the exchange, and the old text
    /// after it.
    beside: PathBuf,
}

fn write_files_with_hook(
    changes: &[FileWrite<'_>],
    journal: Option<&Path>,
    before: BeforeCall<'_>,
) -> Result<(), (usize, FileWriteError)> {
    let mut prepared = Vec::with_capacity(changes.len());
    for (index, change) in changes.iter().enumerate() {
        prepared.push(prepare(*change, index).map_err(|error| (index, error))?);
    }
    let folder = journal.map_or_else(PathBuf::new, Path::to_owned);
    let not_noted = |source| (0, FileWriteError::NotRecorded { folder: folder.clone(), source });
    let mut journal = Journal::begin(journal, &prepared, before).map_err(not_noted)?;
    let mut made = Ok(());
    for (index, one) in prepared.iter().enumerate() {
        if let Err(error) = make(one, before) {
            made = Err((index, error));
            break;
        }
    }
    let mut done: Vec<(usize, AppliedChange<'_>)> = Vec::new();
    let placed = made.and_then(|()| {
        for (index, one) in prepared.iter().enumerate() {
            done.push((index, place(one, before).map_err(|error| (index, error))?));
        }
        journal.mark_complete(before).map_err(not_noted)
    });
    let mut result = placed;
    if result.is_err() {
        for (index, one) in done.into_iter().rev() {
            if let Err(error) = one.take_back(before) {
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

/// Checks that a change can be made, and finds its paths.
fn prepare(change: FileWrite<'_>, index: usize) -> Result<PreparedWrite<'_>, FileWriteError> {
    let path = || change.path.to_owned();
    let system = |source| FileWriteError::System { path: path(), source };
    let place = to_os_path(change.path);
    let target = match change.bytes {
        Some(_) => resolve_links(&place).map_err(system)?,
        None => place.into_owned(),
    };
    if read_current(&target).map_err(system)?.as_deref() != change.base {
        return Err(FileWriteError::Changed { path: path() });
    }
    if change.base.is_some() && change.bytes.is_some() {
        let found = fs::metadata(&target).map_err(system)?;
        if found.permissions().readonly() {
            return Err(FileWriteError::ReadOnly { path: path() });
        }
        if let Some(what) = likeness::is_shared(&found) {
            return Err(FileWriteError::PropertyLost { path: path(), property: what });
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
fn make(one: &PreparedWrite<'_>, before: BeforeCall<'_>) -> Result<(), FileWriteError> {
    let Some(bytes) = one.change.bytes else { return Ok(()) };
    let write = || -> io::Result<()> {
        before("open")?;
        let mut file = private_options().write(true).create_new(true).open(&one.beside)?;
        // Written in two pieces, so that a test can inject a fault between them.
        let (first, second) = bytes.split_at(bytes.len() / 2);
        for piece in [first, second] {
            before("write")?;
            file.write_all(piece)?;
        }
        before("fsync")?;
        file.sync_all()
    };
    let system = |source| FileWriteError::System { path: one.change.path.to_owned(), source };
    write().map_err(system)?;
    if one.change.base.is_some() {
        likeness::copy_file_properties(&one.target, &one.beside, before).map_err(|what| {
            FileWriteError::PropertyLost { path: one.change.path.to_owned(), property: what }
        })
    } else {
        likeness::set_default_mode(&one.beside, before).map_err(system)
    }
}

/// Removes a file beside a target; a missing one is fine.
fn remove(path: &Path, before: BeforeCall<'_>) -> io::Result<()> {
    if !path.try_exists().unwrap_or(true) && !path.is_symlink() {
        return Ok(());
    }
    before("unlink")?;
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
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
