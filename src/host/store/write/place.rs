//! The exchange of the new text and the old one, and its reversal.

use std::fs;
use std::io;
use std::path::Path;

use super::{BeforeCall, FileWriteError, PreparedWrite, read_current};

/// A change that was made on disk and can be taken back.
pub(super) struct AppliedChange<'p> {
    write: &'p PreparedWrite<'p>,
}

/// Makes a change, unless the replaced file differs from the base.
pub(super) fn place<'p>(
    one: &'p PreparedWrite<'p>,
    before: BeforeCall<'_>,
) -> Result<AppliedChange<'p>, FileWriteError> {
    let path = || one.change.path.to_owned();
    let system = |source| FileWriteError::System { path: path(), source };
    let (target, beside) = (&*one.target, &*one.beside);
    match (one.change.base, one.change.bytes) {
        (None, None) => {}
        (None, Some(_)) => move_to_unused(beside, target, before).map_err(|error| {
            if error.kind() == io::ErrorKind::AlreadyExists {
                FileWriteError::Changed { path: path() }
            } else {
                system(error)
            }
        })?,
        (Some(_), Some(_)) => exchange(beside, target, before).map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound {
                FileWriteError::Changed { path: path() }
            } else {
                system(error)
            }
        })?,
        (Some(_), None) => move_to_unused(target, beside, before).map_err(system)?,
    }
    let placed = AppliedChange { write: one };
    let came_out = match one.change.base {
        Some(base) => read_current(beside).map(|bytes| bytes.as_deref() == Some(base)),
        None => Ok(true),
    };
    match came_out {
        Ok(true) => Ok(placed),
        Ok(false) => {
            placed.take_back(before)?;
            Err(FileWriteError::Changed { path: path() })
        }
        Err(error) => {
            placed.take_back(before)?;
            Err(system(error))
        }
    }
}

impl AppliedChange<'_> {
    /// Restores the replaced file.
    pub(super) fn take_back(self, before: BeforeCall<'_>) -> Result<(), FileWriteError> {
        let (target, beside) = (&*self.write.target, &*self.write.beside);
        let put_back = || match (self.write.change.base, self.write.change.bytes) {
            (None, None) => Ok(()),
            (None, Some(_)) => move_to_unused(target, beside, before),
            (Some(_), Some(_)) => exchange(beside, target, before),
            (Some(_), None) => move_to_unused(beside, target, before),
        };
        // The failure may be temporary: try once more.
        put_back().or_else(|_| put_back()).map_err(|source| FileWriteError::NotRestored {
            path: self.write.change.path.to_owned(),
            kept: self.write.beside.clone(),
            source,
        })?;
        let Some(bytes) = self.write.change.bytes.filter(|_| self.write.change.base.is_some())
        else {
            return Ok(());
        };
        if read_current(beside).is_ok_and(|now| now.as_deref() == Some(bytes)) {
            return Ok(());
        }
        // Another program wrote at this very moment: its text is the newest, and stays.
        let stranded = |source| FileWriteError::NotRestored {
            path: self.write.change.path.to_owned(),
            kept: self.write.beside.clone(),
            source,
        };
        exchange(beside, target, before).map_err(stranded)?;
        Err(stranded(io::Error::other("another program wrote the file at the same moment")))
    }
}

/// Exchanges two files atomically.
pub(super) fn exchange(beside: &Path, target: &Path, before: BeforeCall<'_>) -> io::Result<()> {
    before("exchange")?;
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(CWD, beside, CWD, target, RenameFlags::EXCHANGE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
            done => return done.map_err(Into::into),
        }
    }
    exchange_by_link(beside, target, before)
}

/// As [`exchange`], in three steps, for a system without an atomic exchange; the target exists at
/// all times.
fn exchange_by_link(beside: &Path, target: &Path, before: BeforeCall<'_>) -> io::Result<()> {
    let mut name = beside.as_os_str().to_owned();
    name.push("-old");
    let old = Path::new(&name);
    before("link")?;
    fs::hard_link(target, old)?;
    let moved = before("rename").and_then(|()| fs::rename(beside, target));
    if let Err(error) = moved {
        let _ = fs::remove_file(old);
        return Err(error);
    }
    fs::rename(old, beside)
}

/// Moves a file to an unused name.
pub(super) fn move_to_unused(from: &Path, to: &Path, before: BeforeCall<'_>) -> io::Result<()> {
    before("rename")?;
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
            done => return done.map_err(Into::into),
        }
    }
    fs::hard_link(from, to)?;
    fs::remove_file(from)
}
