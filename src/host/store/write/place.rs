//! The exchange of the new text and the old one, and its reversal.

use std::fs;
use std::io;
use std::path::Path;

use super::{BeforeCallHook, FileWriteError, PreparedWrite, read_current};

/// A change that was made on disk and can be taken back.
pub(super) struct AppliedChange<'p> {
    write: &'p PreparedWrite<'p>,
}

/// Makes a change, unless the replaced file differs from the base.
pub(super) fn place<'p>(
    one: &'p PreparedWrite<'p>,
    before: BeforeCallHook<'_>,
) -> Result<AppliedChange<'p>, FileWriteError> {
    let changed = || FileWriteError::Changed { path: one.change.path.clone() };
    let unless = |kind: io::ErrorKind| {
        move |error: io::Error| if error.kind() == kind { changed() } else { error.into() }
    };
    let (target, beside) = (&*one.target, &*one.beside);
    match (&one.change.base, &one.change.draft) {
        (None, None) => {}
        (None, Some(_)) => {
            move_to_unused(beside, target, before).map_err(unless(io::ErrorKind::AlreadyExists))?;
        }
        (Some(_), Some(_)) => {
            exchange(beside, target, before).map_err(unless(io::ErrorKind::NotFound))?;
        }
        (Some(_), None) => move_to_unused(target, beside, before)?,
    }
    let placed = AppliedChange { write: one };
    let came_out = match one.change.base.as_deref() {
        Some(base) => read_current(beside).map(|bytes| bytes.as_deref() == Some(base)),
        None => Ok(true),
    };
    match came_out {
        Ok(true) => Ok(placed),
        Ok(false) => {
            placed.take_back(before)?;
            Err(changed())
        }
        Err(error) => {
            placed.take_back(before)?;
            Err(error.into())
        }
    }
}

impl AppliedChange<'_> {
    pub(super) fn take_back(self, before: BeforeCallHook<'_>) -> Result<(), FileWriteError> {
        let (target, beside) = (&*self.write.target, &*self.write.beside);
        let put_back = || match (&self.write.change.base, &self.write.change.draft) {
            (None, None) => Ok(()),
            (None, Some(_)) => move_to_unused(target, beside, before),
            (Some(_), Some(_)) => exchange(beside, target, before),
            (Some(_), None) => move_to_unused(beside, target, before),
        };
        let stranded =
            |source| FileWriteError::NotRestored { kept: self.write.beside.clone(), source };
        // The failure may be temporary: try once more.
        put_back().or_else(|_| put_back()).map_err(stranded)?;
        let change = self.write.change;
        let Some(bytes) = change.draft.as_deref().filter(|_| change.base.is_some()) else {
            return Ok(());
        };
        if read_current(beside).is_ok_and(|now| now.as_deref() == Some(bytes)) {
            return Ok(());
        }
        // Another program wrote at this very moment: its text is the newest, and stays.
        exchange(beside, target, before).map_err(stranded)?;
        Err(stranded(io::Error::other("another program wrote the file at the same moment")))
    }
}

/// Exchanges two files atomically.
pub(super) fn exchange(beside: &Path, target: &Path, before: BeforeCallHook<'_>) -> io::Result<()> {
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
fn exchange_by_link(beside: &Path, target: &Path, before: BeforeCallHook<'_>) -> io::Result<()> {
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

pub(super) fn move_to_unused(from: &Path, to: &Path, before: BeforeCallHook<'_>) -> io::Result<()> {
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
