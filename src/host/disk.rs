//! The files of the machine.

use std::collections::{BTreeSet, VecDeque};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::names::{real, told, told_name};
use super::ownership;
use crate::engine::load::{FileError, FileKind, Files, below};

/// Links followed in one path before it counts as a loop, as in Go.
const MOST_LINKS: usize = 255;
/// Bytes of one file. No cluster takes a resource of this size.
const LARGEST: u64 = 256 << 20;

/// Reads the disk, every time anew: nothing is kept.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskFiles;

impl DiskFiles {
    /// Walks a path part by part as Go's `filepath.EvalSymlinks` does, so that the error names the first part
    /// that is missing.
    fn walk(mut resolved: PathBuf, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        let mut rest: VecDeque<OsString> = parts(path).collect();
        let mut kind = FileKind::Directory;
        let mut links = 0;
        while let Some(part) = rest.pop_front() {
            if part == ".." {
                resolved.pop();
                continue;
            }
            if kind == FileKind::File {
                return Err(FileError::Other { reason: "not a directory".to_owned() });
            }
            let next = resolved.join(&part);
            let found = next.symlink_metadata().map_err(|error| failure("lstat", &next, &error))?;
            if !found.is_symlink() {
                kind = if found.is_dir() { FileKind::Directory } else { FileKind::File };
                resolved = next;
                continue;
            }
            links += 1;
            if links > MOST_LINKS {
                return Err(FileError::Other { reason: "EvalSymlinks: too many links".to_owned() });
            }
            let target = next.read_link().map_err(|error| failure("readlink", &next, &error))?;
            if target.is_absolute() {
                resolved = PathBuf::new();
            }
            for part in parts(&target).collect::<Vec<_>>().into_iter().rev() {
                rest.push_front(part);
            }
        }
        if resolved.as_os_str().is_empty() {
            resolved.push(".");
        }
        Ok((resolved, kind))
    }
}

impl Files for DiskFiles {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        Self::walk(PathBuf::new(), &real(path)).map(as_text)
    }

    fn resolve_below(
        &self,
        directory: &Path,
        path: &Path,
    ) -> Result<(PathBuf, FileKind), FileError> {
        match below(path, directory) {
            // What an entry says is its text: no file of another name is meant by it.
            Some(rest) => Self::walk(real(directory).into_owned(), rest).map(as_text),
            None => self.resolve(path),
        }
    }

    /// Reads a regular file of a size that can be worked with: a pipe might never answer, a device never end.
    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        let path = &*real(path);
        let wrong =
            |error: io::Error| failure(if path.is_dir() { "read" } else { "open" }, path, &error);
        let refused = |call: &str, why: &str| FileError::Other {
            reason: format!("{call} {}: {why}", told(path).display()),
        };
        // Opening a pipe waits, so it is asked before.
        let found = std::fs::metadata(path).map_err(wrong)?;
        if !found.is_file() && !found.is_dir() {
            return Err(refused("open", "not a regular file"));
        }
        let file = File::open(path).map_err(wrong)?;
        let bytes = contents(file, found.len()).map_err(wrong)?;
        if bytes.len() as u64 > LARGEST {
            return Err(refused("read", &format!("it has more than {} MiB", LARGEST >> 20)));
        }
        Ok(bytes.into())
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        let path = &*real(path);
        let wrong = |error: io::Error| failure("open", path, &error);
        let mut names = Vec::new();
        for entry in std::fs::read_dir(path).map_err(wrong)? {
            names
                .push(told_name(&entry.map_err(wrong)?.file_name()).to_string_lossy().into_owned());
        }
        names.sort();
        Ok(names)
    }

    fn trusts_settings(&self, file: &Path, target: &Path, is_in_git: bool) -> bool {
        ownership::check_settings(&real(file), Some(&real(target)), is_in_git).is_ok()
    }
}

/// The files of the machine, with a word about settings that do not count, once for each.
pub struct NotingFiles<F> {
    told: F,
    noted: Mutex<BTreeSet<PathBuf>>,
}

impl<F: Fn(&str)> NotingFiles<F> {
    /// Tells it so.
    pub fn new(told: F) -> Self {
        Self { told, noted: Mutex::default() }
    }
}

impl<F: Fn(&str) + Send + Sync> Files for NotingFiles<F> {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        DiskFiles.resolve(path)
    }

    fn resolve_below(
        &self,
        directory: &Path,
        path: &Path,
    ) -> Result<(PathBuf, FileKind), FileError> {
        DiskFiles.resolve_below(directory, path)
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        DiskFiles.read(path)
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        DiskFiles.list(path)
    }

    fn trusts_settings(&self, file: &Path, target: &Path, is_in_git: bool) -> bool {
        let checked = ownership::check_settings(&real(file), Some(&real(target)), is_in_git);
        let Err(reason) = checked else { return true };
        if self.noted.lock().unwrap_or_else(PoisonError::into_inner).insert(file.to_owned()) {
            (self.told)(&reason.to_string());
        }
        false
    }
}

/// The bytes of a file of about this size, one more than [`LARGEST`] at most. A regular file that gives all that it has, and
/// less than it is asked for, is at its end and is not asked again.
fn contents(mut file: File, size: u64) -> io::Result<Vec<u8>> {
    let size = usize::try_from(size.min(LARGEST)).unwrap_or(0);
    let mut bytes = vec![0; size + 1];
    let read = loop {
        match file.read(&mut bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => break read?,
        }
    };
    bytes.truncate(read);
    if read != size {
        let rest = (LARGEST + 1).saturating_sub(read as u64);
        file.take(rest).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// What was found, as those above speak of it.
fn as_text((path, kind): (PathBuf, FileKind)) -> (PathBuf, FileKind) {
    (told(&path).into_owned(), kind)
}

/// The parts of a path, its root the first, `.` left out.
fn parts(path: &Path) -> impl Iterator<Item = OsString> {
    let parts = path.components().filter(|part| *part != Component::CurDir);
    parts.map(|part| part.as_os_str().to_owned())
}

/// An error in the words that Go uses.
fn failure(call: &str, path: &Path, error: &io::Error) -> FileError {
    if error.kind() == io::ErrorKind::NotFound {
        return FileError::Missing { path: told(path).into_owned() };
    }
    let words = error.to_string();
    let words = words.split(" (os error").next().unwrap_or(&words).to_lowercase();
    FileError::Other { reason: format!("{call} {}: {words}", told(path).display()) }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn follows_links_and_names_what_is_missing() {
        let scratch = tempfile::tempdir().unwrap();
        let top = scratch.path().canonicalize().unwrap();
        std::fs::create_dir_all(top.join("a/b")).unwrap();
        std::fs::write(top.join("a/b/f"), "x").unwrap();
        std::os::unix::fs::symlink("a/b", top.join("link")).unwrap();
        std::os::unix::fs::symlink("loop", top.join("loop")).unwrap();
        let resolve = |path: &str| DiskFiles.resolve(&top.join(path));
        assert_eq!(resolve("link/f"), Ok((top.join("a/b/f"), FileKind::File)));
        assert_eq!(resolve("link/.."), Ok((top.join("a"), FileKind::Directory)));
        assert_eq!(resolve("link/x/y"), Err(FileError::Missing { path: top.join("a/b/x") }));
        assert_eq!(resolve("a/b/f/x").unwrap_err().to_string(), "not a directory");
        assert_eq!(resolve("loop").unwrap_err().to_string(), "EvalSymlinks: too many links");
        for path in ["link/f", "link/..", "link/x/y", "a/b/f/x", "a/b/f", "none", "../x"] {
            let below = DiskFiles.resolve_below(&top, &top.join(path));
            assert_eq!(below, resolve(path), "{path}");
        }
        assert_eq!(DiskFiles.list(&top), Ok(["a", "link", "loop"].map(str::to_owned).to_vec()));
    }

    #[test]
    fn what_might_never_end_is_not_read() {
        let scratch = tempfile::tempdir().unwrap();
        let pipe = scratch.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let zeros = scratch.path().join("zeros");
        std::os::unix::fs::symlink("/dev/zero", &zeros).unwrap();
        for path in [&pipe, &zeros] {
            let refusal = DiskFiles.read(path).unwrap_err().to_string();
            assert_eq!(refusal, format!("open {}: not a regular file", path.display()));
        }
        let huge = scratch.path().join("huge");
        File::create(&huge).unwrap().set_len(LARGEST + 1).unwrap();
        let refusal = DiskFiles.read(&huge).unwrap_err().to_string();
        assert_eq!(refusal, format!("read {}: it has more than 256 MiB", huge.display()));
        let folder = DiskFiles.read(scratch.path()).unwrap_err().to_string();
        assert!(folder.starts_with("read ") && folder.ends_with("is a directory"), "{folder}");
    }

    /// A file may have grown or shrunk since it was looked at, and what a file system makes up has no size at all.
    #[test]
    fn all_of_a_file_is_read_whatever_its_size_was_said_to_be() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for text in ["", "a", "some words"] {
            std::fs::write(&path, text).unwrap();
            for size in [0, 1, 5, 10, 11, 4096] {
                let bytes = contents(File::open(&path).unwrap(), size).unwrap();
                assert_eq!(bytes, text.as_bytes(), "{size}");
            }
        }
    }
}
