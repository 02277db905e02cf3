//! The exchange of the new text and the old one, and its reversal.

use std::fs;
use std::io;
use std::path::Path;

use super::{BeforeCallHook, FileWriteError, PreparedWrite, read_current};

/// Makes a change, unless the replaced file differs from the base.
pub(super) fn place(
    one: &PreparedWrite<'_>,
    before: BeforeCallHook<'_>,
) -> Result<(), FileWriteError> {
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
    let Some(base) = one.change.base.as_deref() else { return Ok(()) };
    let error = match read_current(beside) {
        Ok(bytes) if bytes.as_deref() == Some(base) => return Ok(()),
        Ok(_) => changed(),
        Err(error) => error.into(),
    };
    take_back(one, before)?;
    Err(error)
}

/// Restores the replaced file of a change that was made.
pub(super) fn take_back(
    one: &PreparedWrite<'_>,
    before: BeforeCallHook<'_>,
) -> Result<(), FileWriteError> {
    let (target, beside, change) = (&*one.target, &*one.beside, one.change);
    let put_back = || match (&change.base, &change.draft) {
        (None, None) => Ok(()),
        (None, Some(_)) => move_to_unused(target, beside, before),
        (Some(_), Some(_)) => exchange(beside, target, before),
        (Some(_), None) => move_to_unused(beside, target, before),
    };
    let stranded = |source| FileWriteError::NotRestored { kept: one.beside.clone(), source };
    // The failure may be temporary: try once more.
    put_back().or_else(|_| put_back()).map_err(stranded)?;
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
