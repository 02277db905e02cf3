//! Ownership checks: kzui's own files, and settings above a repository, are used only if the user
//! owns them and no other user can write them.

use std::io;
use std::path::{Path, PathBuf};

use super::folders::kzui_folders;
use super::read::{ReadError, read_file, read_text};
use crate::host::bounds::MAX_SETTINGS_BYTES;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OwnershipError {
    #[error(
        "{} belongs to another user (uid {uid}): it is not used; help: remove it, or make it yours with chown",
        path.display()
    )]
    OtherOwner { path: PathBuf, uid: u32 },
    #[error(
        "{} can be written by other users: it is not used; help: check its content, then run chmod go-w {}",
        path.display(),
        path.display()
    )]
    WritableByOthers { path: PathBuf },
}

impl From<OwnershipError> for io::Error {
    fn from(reason: OwnershipError) -> Self {
        Self::new(io::ErrorKind::PermissionDenied, reason)
    }
}

/// True for a user ID whose files count as the user's own: root can write everything, and under
/// `sudo` the calling user (`SUDO_UID`) counts too, as in git.
#[cfg(unix)]
fn is_trusted_owner(uid: u32) -> bool {
    let own = rustix::process::geteuid().as_raw();
    let sudo = || std::env::var("SUDO_UID").ok().and_then(|uid| uid.parse().ok());
    uid == own || uid == 0 || own == 0 && sudo() == Some(uid)
}

/// Checks a file or folder with known metadata. Write access for the group counts as write access
/// for others: the members of a group are not known, and kzui creates its files with owner-only
/// access whatever the umask is.
#[cfg(unix)]
pub(in crate::host) fn check_metadata(
    path: &Path,
    found: &std::fs::Metadata,
) -> Result<(), OwnershipError> {
    use std::os::unix::fs::MetadataExt as _;
    if !is_trusted_owner(found.uid()) {
        return Err(OwnershipError::OtherOwner { path: path.to_owned(), uid: found.uid() });
    }
    if !found.is_symlink() && found.mode() & 0o022 != 0 {
        return Err(OwnershipError::WritableByOthers { path: path.to_owned() });
    }
    Ok(())
}

#[cfg(not(unix))]
pub(in crate::host) fn check_metadata(
    _path: &Path,
    _found: &std::fs::Metadata,
) -> Result<(), OwnershipError> {
    Ok(())
}

/// Checks a path with its parent folders, up to kzui's own folder if the path is inside one. For
/// other paths, only the path and, for a file, its direct parent folder are checked. Both a link
/// and its target are checked. A missing path is accepted.
pub(in crate::host) fn check(path: &Path) -> Result<(), OwnershipError> {
    let own = kzui_folders().into_iter().find(|own| path.starts_with(own));
    let around = path.parent().filter(|_| !path.is_dir());
    let top = own.as_deref().or(around).unwrap_or(path);
    for place in path.ancestors().take_while(|place| place.starts_with(top)) {
        for found in [place.symlink_metadata(), place.metadata()].into_iter().flatten() {
            check_metadata(place, &found)?;
        }
    }
    Ok(())
}

/// The bytes of a file in a folder of kzui, at most `limit`.
pub(in crate::host) fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    check(path)?;
    read_file(path, limit).map_err(|error| named(path, error))
}

fn named(path: &Path, error: ReadError) -> io::Error {
    let words = format!("{}: {error}", path.display());
    io::Error::new(io::Error::from(error).kind(), words)
}

/// Checks the owner and the mode of a settings file of the user, or of one above a repository.
/// `tree` is the folder of the repository, and `is_in_git` is true if the file is in its git work
/// tree.
///
/// The owner of the repository decides about the build anyway, and may therefore own the file too:
/// a checkout by another user, as in a container, works. In a git work tree the mode does not
/// matter, as for all other files of the repository. Users create these files themselves: a file
/// that is writable by a user's private group (same ID, umask 002) is fine. The group of root is no
/// private group.
#[cfg(unix)]
pub(in crate::host) fn check_settings(
    path: &Path,
    tree: Option<&Path>,
    is_in_git: bool,
) -> Result<(), OwnershipError> {
    use std::os::unix::fs::MetadataExt as _;
    let owner = tree.and_then(|tree| tree.metadata().ok()).map(|found| found.uid());
    let has_own_group = |found: &std::fs::Metadata| {
        found.mode() & 0o002 == 0 && found.gid() == found.uid() && found.uid() != 0
    };
    for found in [path.symlink_metadata(), path.metadata()].into_iter().flatten() {
        match check_metadata(path, &found) {
            Err(OwnershipError::OtherOwner { uid, .. }) if Some(uid) == owner => {}
            Err(OwnershipError::WritableByOthers { .. }) if is_in_git || has_own_group(&found) => {}
            result => result?,
        }
    }
    Ok(())
}

#[cfg(not(unix))]
pub(in crate::host) fn check_settings(
    _path: &Path,
    _tree: Option<&Path>,
    _is_in_git: bool,
) -> Result<(), OwnershipError> {
    Ok(())
}

pub fn read_settings(path: &Path) -> io::Result<String> {
    let folder = path.parent().unwrap_or(path);
    check_settings(folder, None, false)?;
    check_settings(path, None, false)?;
    read_text(path, MAX_SETTINGS_BYTES).map_err(|error| named(path, error))
}
