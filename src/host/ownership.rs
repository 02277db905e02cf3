//! Who may decide what kzui believes: its own files, and settings above a tree, count only where the user owns them and
//! others cannot write them.

use std::io;
use std::path::{Path, PathBuf};

use super::bounds::SETTINGS_LIMIT;
use super::folders::own_folders;
use super::read::{ReadError, read_file, read_text};

/// Why a file or folder is not used, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotOwn {
    /// Another user owns it.
    #[error(
        "{} belongs to another user (uid {uid}): it is not used; help: remove it, or make it yours with chown",
        path.display()
    )]
    Owner {
        /// The file, folder or link.
        path: PathBuf,
        /// Its owner.
        uid: u32,
    },
    /// Others can write it.
    #[error(
        "{} can be written by other users: it is not used; help: look at what is in it, then chmod go-w {}",
        path.display(),
        path.display()
    )]
    Writable {
        /// The file or folder.
        path: PathBuf,
    },
}

impl From<NotOwn> for io::Error {
    fn from(reason: NotOwn) -> Self {
        Self::new(io::ErrorKind::PermissionDenied, reason)
    }
}

/// The users whose files count as the user's own: root may write everything, and one who works as root by `sudo` keeps
/// the files of before (`SUDO_UID`, as git has it).
#[cfg(unix)]
fn is_own(uid: u32) -> bool {
    let own = rustix::process::geteuid().as_raw();
    let sudo = || std::env::var("SUDO_UID").ok().and_then(|uid| uid.parse().ok());
    uid == own || uid == 0 || own == 0 && sudo() == Some(uid)
}

/// The check of one file or folder whose metadata are known. A group counts as others: who is in it cannot be seen in
/// the file, and kzui makes its own files for their owner alone, whatever the umask is.
#[cfg(unix)]
pub(super) fn check_found(path: &Path, found: &std::fs::Metadata) -> Result<(), NotOwn> {
    use std::os::unix::fs::MetadataExt as _;
    if !is_own(found.uid()) {
        return Err(NotOwn::Owner { path: path.to_owned(), uid: found.uid() });
    }
    if !found.is_symlink() && found.mode() & 0o022 != 0 {
        return Err(NotOwn::Writable { path: path.to_owned() });
    }
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn check_found(_path: &Path, _found: &std::fs::Metadata) -> Result<(), NotOwn> {
    Ok(())
}

/// Checks a file or folder, and the folders around it as far as they are kzui's; elsewhere the one folder around a file. A
/// link is checked as well as what it leads to. One that is not there is no danger.
pub(super) fn check(path: &Path) -> Result<(), NotOwn> {
    let own = own_folders().into_iter().find(|own| path.starts_with(own));
    let around = path.parent().filter(|_| !path.is_dir());
    let top = own.as_deref().or(around).unwrap_or(path);
    for place in path.ancestors().take_while(|place| place.starts_with(top)) {
        for found in [place.symlink_metadata(), place.metadata()].into_iter().flatten() {
            check_found(place, &found)?;
        }
    }
    Ok(())
}

/// The bytes of a file in a folder of kzui, at most `limit`.
pub(super) fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    check(path)?;
    read_file(path, limit).map_err(|error| named(path, error))
}

fn named(path: &Path, error: ReadError) -> io::Error {
    let words = format!("{}: {error}", path.display());
    io::Error::new(io::Error::from(error).kind(), words)
}

/// Checks a settings file: of the user, or above a tree.
///
/// Who owns the tree decides what is built anyway, so its owner may own the file as well: a checkout that another user
/// made, as in a container, works. In a git work tree the mode does not matter, as for all other files of the tree.
/// People make these files themselves: where a user has a group of their own (the same number, umask 002), that the
/// group can write them is no danger. Root's group is no such group.
#[cfg(unix)]
pub(super) fn check_settings(
    path: &Path,
    tree: Option<&Path>,
    is_in_git: bool,
) -> Result<(), NotOwn> {
    use std::os::unix::fs::MetadataExt as _;
    let owner = tree.and_then(|tree| tree.metadata().ok()).map(|found| found.uid());
    let has_own_group = |found: &std::fs::Metadata| {
        found.mode() & 0o002 == 0 && found.gid() == found.uid() && found.uid() != 0
    };
    for found in [path.symlink_metadata(), path.metadata()].into_iter().flatten() {
        match check_found(path, &found) {
            Err(NotOwn::Owner { uid, .. }) if Some(uid) == owner => {}
            Err(NotOwn::Writable { .. }) if is_in_git || has_own_group(&found) => {}
            result => result?,
        }
    }
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn check_settings(
    _path: &Path,
    _tree: Option<&Path>,
    _is_in_git: bool,
) -> Result<(), NotOwn> {
    Ok(())
}

/// The text of a settings file of the user.
///
/// # Errors
/// There is none, or it is not used.
pub fn read_settings(path: &Path) -> io::Result<String> {
    let folder = path.parent().unwrap_or(path);
    check_settings(folder, None, false)?;
    check_settings(path, None, false)?;
    read_text(path, SETTINGS_LIMIT).map_err(|error| named(path, error))
}
