//! The digest of all files below a folder.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use sha2::{Digest as _, Sha256};

use crate::engine::load::Digest;
use crate::host::bounds::MAX_FILE_BYTES;
use crate::host::fs::read::read_file;

/// One file, link or folder below the folder: path, kind, content.
struct DigestEntry {
    path: PathBuf,
    found: Metadata,
}

/// The SHA-256 of names, kinds, contents, link targets, and executable bits.
pub(in crate::host) fn tree_digest(folder: &Path) -> io::Result<String> {
    let mut entries = Vec::new();
    walk(folder, &mut entries)?;
    let digests: Vec<[u8; 32]> =
        entries.par_iter().map(|entry| digest(entry, folder)).collect::<io::Result<_>>()?;
    Ok(Digest::compute(&digests.concat()).hex())
}

fn walk(folder: &Path, entries: &mut Vec<DigestEntry>) -> io::Result<()> {
    let mut here = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    here.sort_by_key(fs::DirEntry::file_name);
    for entry in here {
        let (path, found) = (entry.path(), entry.metadata()?);
        let is_folder = found.is_dir();
        entries.push(DigestEntry { path: path.clone(), found });
        if is_folder {
            walk(&path, entries)?;
        }
    }
    Ok(())
}

fn digest(entry: &DigestEntry, folder: &Path) -> io::Result<[u8; 32]> {
    let DigestEntry { path, found } = entry;
    let mut digest = Sha256::new();
    let name = path.strip_prefix(folder).unwrap_or(path).as_os_str().as_encoded_bytes();
    digest.update((name.len() as u64).to_le_bytes());
    digest.update(name);
    if found.is_dir() {
        digest.update(b"d");
    } else if found.is_symlink() {
        digest.update(b"l");
        digest.update(fs::read_link(path)?.as_os_str().as_encoded_bytes());
    } else if found.is_file() {
        digest.update(if is_executable(found) { b"x" } else { b"f" });
        digest.update(read_file(path, MAX_FILE_BYTES)?);
    } else {
        return Err(io::Error::other(format!("{}: not a regular file", path.display())));
    }
    Ok(digest.finalize().into())
}

#[cfg(unix)]
fn is_executable(found: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    found.mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_found: &Metadata) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use crate::host::store::tree_digest::*;

    #[test]
    fn every_change_changes_the_digest() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let scratch = tempfile::tempdir().unwrap();
        let path = |name: &str| scratch.path().join(name);
        fs::create_dir(path("a")).unwrap();
        fs::write(path("a/x"), "one").unwrap();
        symlink("a/x", path("link")).unwrap();
        let mut seen = vec![tree_digest(scratch.path()).unwrap()];
        assert_eq!(tree_digest(scratch.path()).unwrap(), seen[0]);
        let mut look = |what: &str| {
            let now = tree_digest(scratch.path()).unwrap();
            assert!(!seen.contains(&now), "{what}");
            seen.push(now);
        };
        fs::write(path("a/x"), "onE").unwrap();
        look("content");
        fs::set_permissions(path("a/x"), fs::Permissions::from_mode(0o755)).unwrap();
        look("mode");
        fs::rename(path("a/x"), path("a/y")).unwrap();
        look("name");
        fs::write(path("a/z"), "").unwrap();
        look("a file more");
        fs::create_dir(path("b")).unwrap();
        look("an empty folder more");
        fs::remove_file(path("link")).unwrap();
        symlink("a/y", path("link")).unwrap();
        look("the target of a link");
        fs::remove_file(path("a/y")).unwrap();
        look("a file less");
    }
}
