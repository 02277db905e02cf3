//! Folders that only the user can read, the files that kzui keeps in them, and atomic writes to
//! them.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::host::fs::folders::state_folder;
use crate::host::fs::ownership;
use crate::host::fs::read::read_text;

/// Creates a folder that only its owner can read, because its files may be secret. Refuses an
/// existing one that others can write.
pub(in crate::host) fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    ownership::check(path)?;
    Ok(())
}

/// Writes a fault report to the user's state folder, over the previous one, and returns its path.
pub fn keep_report(text: &str) -> io::Result<PathBuf> {
    let path = state_file("fault.txt")?;
    write_atomically(&path, text.as_bytes())?;
    Ok(path)
}

fn state_file(name: &str) -> io::Result<PathBuf> {
    Ok(state_folder().ok_or_else(|| io::Error::other("no home folder"))?.join(name))
}

const PANE_SIZES_FILE: &str = "panes.yaml";

const MAX_PANE_SIZES_BYTES: u64 = 1 << 16;

/// The sizes of panes that an earlier session kept; `None` if there are none that can be read.
pub fn read_pane_sizes() -> Option<String> {
    read_text(&state_file(PANE_SIZES_FILE).ok()?, MAX_PANE_SIZES_BYTES).ok()
}

pub fn keep_pane_sizes(text: &str) -> io::Result<()> {
    write_atomically(&state_file(PANE_SIZES_FILE)?, text.as_bytes())
}

/// Opens the log in the user's state folder (`log.txt`) at its end, readable by the user only.
///
/// # Errors
/// The user has no home, other users can write the file or its folder, or the system refuses.
pub fn open_log() -> io::Result<std::fs::File> {
    let path = state_file("log.txt")?;
    path.parent().map_or(Ok(()), private_folder)?;
    if path.exists() {
        ownership::check(&path)?;
    }
    private_options().create(true).append(true).open(path)
}

/// Opens files that only their owner can read, if they are new. A named pipe does not block.
pub(in crate::host) fn private_options() -> std::fs::OpenOptions {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has these options"))]
    let mut options = std::fs::OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600).custom_flags(crate::host::fs::read::nonblocking_flags());
    }
    options
}

/// Locks a file until it is closed; false if another process has locked it. Only Unix has this lock.
#[cfg_attr(not(unix), expect(unused_variables, reason = "only Unix has this lock"))]
pub(in crate::host) fn try_lock(file: &std::fs::File) -> bool {
    #[cfg(unix)]
    {
        use rustix::fs::{FlockOperation, flock};
        flock(file, FlockOperation::NonBlockingLockExclusive).is_ok()
    }
    #[cfg(not(unix))]
    true
}

/// Formats a value that is kept for the repository with this root.
pub(super) fn kept_for(root: &Path, version: u32, value: &impl Serialize) -> io::Result<Vec<u8>> {
    Ok(serde_json::to_vec(&(version, root, value))?)
}

/// Reads a value that is kept for a repository; `None` for that of another one or in another format.
pub(super) fn parse_kept<T: DeserializeOwned>(
    bytes: &[u8],
    root: &Path,
    version: u32,
) -> Option<T> {
    let (own, kept, value): (u32, PathBuf, T) = serde_json::from_slice(bytes).ok()?;
    (own == version && kept == root).then_some(value)
}

/// Writes the names in a folder to the disk. Failures are ignored.
pub(in crate::host) fn sync_folder(folder: &Path) {
    if let Ok(folder) = std::fs::File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// Called before every system call that changes a file; an error prevents the call. Tests inject
/// faults here.
pub(in crate::host) type BeforeCallHook<'a> = &'a dyn Fn(&'static str) -> io::Result<()>;

/// Writes a file atomically, readable by its owner only. Creates its folder.
pub(in crate::host) fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_atomically_with(path, bytes, true, &|_| Ok(()))
}

/// As [`write_atomically`]; returns an error if the file exists and may not be replaced. `before` is
/// called before each system call, so that a test can inject faults.
pub(in crate::host) fn write_atomically_with(
    path: &Path,
    bytes: &[u8],
    may_replace: bool,
    before: BeforeCallHook<'_>,
) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    before("mkdir")?;
    private_folder(folder)?;
    before("open")?;
    // A complete file beside the target, which is removed unless it gets its place.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    write_pieces(&mut file, bytes, before)?;
    file.as_file().sync_all()?;
    before("rename")?;
    let placed = if may_replace { file.persist(path) } else { file.persist_noclobber(path) };
    placed.map_err(|error| error.error)?;
    sync_folder(folder);
    Ok(())
}

/// Removes a file, which may be absent.
pub(in crate::host) fn remove_if_present(path: &Path) -> io::Result<()> {
    match fs_err::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Writes the bytes of a file, which is synced to the disk next: in two pieces, so that a test can
/// inject a fault between them.
pub(in crate::host) fn write_pieces(
    file: &mut impl Write,
    bytes: &[u8],
    before: BeforeCallHook<'_>,
) -> io::Result<()> {
    let (first, second) = bytes.split_at(bytes.len() / 2);
    for piece in [first, second] {
        before("write")?;
        file.write_all(piece)?;
    }
    before("fsync")
}

/// Repeats an action with a fault at each of its calls in turn, and finally without one. Returns
/// the number of calls.
#[cfg(test)]
pub(in crate::host) fn with_faults(
    mut act: impl FnMut(BeforeCallHook<'_>) -> io::Result<()>,
) -> usize {
    for number in 0.. {
        let calls = std::cell::Cell::new(0);
        let before = |_: &'static str| {
            calls.set(calls.get() + 1);
            if calls.get() == number + 1 { Err(io::Error::other("no space")) } else { Ok(()) }
        };
        let done = act(&before);
        if calls.get() <= number {
            assert!(done.is_ok(), "without a fault: {done:?}");
            return number;
        }
        assert!(done.is_err(), "the fault at call {number} was not reported");
    }
    0
}
