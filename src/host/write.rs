//! Writing a file in one piece, and never over what somebody else wrote.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Why a file was not written; it is as it was.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file has other bytes than those that the draft is based on.
    #[error("{} was changed on disk since it was read: nothing was written", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The file may not be written.
    #[error("{} is read-only: nothing was written", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// The system refused.
    #[error("{}: {source}", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// The system's words.
        #[source]
        source: io::Error,
    },
}

/// Replaces the bytes of a file, `base` being what is expected there (`None`: nothing). The bytes go to a new file
/// in the same directory, which takes the place of the old one when it is complete and on the disk. Permissions
/// stay; a symbolic link stays, and the file that it leads to is written.
pub fn write_file(path: &Path, base: Option<&[u8]>, bytes: &[u8]) -> Result<(), WriteError> {
    let system = |source| WriteError::System { path: path.to_owned(), source };
    let target = target_of(path).map_err(system)?;
    if current(&target).map_err(system)?.as_deref() != base {
        return Err(WriteError::Changed { path: path.to_owned() });
    }
    let permissions = match base {
        Some(_) => Some(fs::metadata(&target).map_err(system)?.permissions()),
        None => None,
    };
    if permissions.as_ref().is_some_and(fs::Permissions::readonly) {
        return Err(WriteError::ReadOnly { path: path.to_owned() });
    }
    let directory = target.parent().unwrap_or(Path::new("."));
    let mut new = begin(directory).map_err(system)?;
    new.write_all(bytes).map_err(system)?;
    if let Some(permissions) = permissions {
        new.as_file().set_permissions(permissions).map_err(system)?;
    }
    new.as_file().sync_all().map_err(system)?;
    if current(&target).map_err(system)?.as_deref() != base {
        return Err(WriteError::Changed { path: path.to_owned() });
    }
    let placed = if base.is_some() { new.persist(&target) } else { new.persist_noclobber(&target) };
    placed.map_err(|error| system(error.error))?;
    // The name is as good as written even where a directory cannot be synced.
    if let Ok(directory) = fs::File::open(directory) {
        let _ = directory.sync_all();
    }
    Ok(())
}

/// Removes a file that has the bytes of `base`. A symbolic link goes itself, not what it leads to.
pub fn remove_file(path: &Path, base: Option<&[u8]>) -> Result<(), WriteError> {
    let system = |source| WriteError::System { path: path.to_owned(), source };
    if current(path).map_err(system)?.as_deref() != base {
        return Err(WriteError::Changed { path: path.to_owned() });
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(system(error)),
        _ => Ok(()),
    }
}

/// The file behind a path: links followed, also when the file is yet to be made.
fn target_of(path: &Path) -> io::Result<PathBuf> {
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

fn current(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn begin(directory: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".kzui-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(directory)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn writes_through_links_and_keeps_permissions() {
        let scratch = tempfile::tempdir().unwrap();
        let (file, link) = (scratch.path().join("f"), scratch.path().join("link"));
        write_file(&file, None, b"one").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("f", &link).unwrap();
        write_file(&link, Some(b"one"), b"two").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 2);
    }

    #[test]
    fn refuses_what_others_changed() {
        let scratch = tempfile::tempdir().unwrap();
        let file = scratch.path().join("f");
        fs::write(&file, "theirs").unwrap();
        for base in [Some(&b"mine"[..]), None] {
            assert!(matches!(write_file(&file, base, b"x"), Err(WriteError::Changed { .. })));
        }
        assert!(matches!(remove_file(&file, Some(b"mine")), Err(WriteError::Changed { .. })));
        assert_eq!(fs::read(&file).unwrap(), b"theirs");
        remove_file(&file, Some(b"theirs")).unwrap();
        assert!(!file.exists());
    }
}
