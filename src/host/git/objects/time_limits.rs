//! Time limits of git commands, and the file on which a command blocks.

use std::fs::FileType;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::GitError;

const MAX_COMMAND_DURATION: Duration = Duration::from_secs(600);
/// The time after which a running git command is checked for files that block reads (FIFOs,
/// devices).
const BLOCKING_CHECK_DELAY: Duration = Duration::from_secs(1);
/// The maximum number of files and folders to visit in the check for blocking files.
const MAX_CHECKED_ENTRIES: usize = 1_000_000;

pub(super) struct RunningGit<'f> {
    folders: &'f [PathBuf],
    top: &'f Path,
    begun: Instant,
    special: OnceLock<Option<PathBuf>>,
}

impl<'f> RunningGit<'f> {
    pub(super) const TICK: Duration = Duration::from_millis(20);

    /// Starts the clock of a command that reads git's own folders and the ignore rules of a work
    /// tree.
    pub(super) fn begin(folders: &'f [PathBuf], top: &'f Path) -> Self {
        Self { folders, top, begun: Instant::now(), special: OnceLock::new() }
    }

    /// The reason why the command must be stopped; `None` if it may go on.
    pub(super) fn fault(&self) -> Option<GitError> {
        let time = self.begun.elapsed();
        if time < BLOCKING_CHECK_DELAY {
            return None;
        }
        match self.special.get_or_init(|| find_blocking_file(self.folders, self.top)) {
            Some(path) => Some(GitError::Special(path.clone())),
            None => (time > MAX_COMMAND_DURATION)
                .then(|| GitError::Overdue(MAX_COMMAND_DURATION.as_secs())),
        }
    }
}

/// A pipe or a device in one of git's own folders or in place of a `.gitignore`: reading such a
/// file may block forever.
fn find_blocking_file(folders: &[PathBuf], top: &Path) -> Option<PathBuf> {
    let mut left = MAX_CHECKED_ENTRIES;
    let mut next: Vec<(PathBuf, bool)> = vec![(top.to_owned(), false)];
    next.extend(folders.iter().map(|folder| (folder.clone(), true)));
    while let Some((folder, is_gits)) = next.pop() {
        for entry in std::fs::read_dir(&folder).ok().into_iter().flatten().flatten() {
            left = left.checked_sub(1)?;
            let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
            if kind.is_dir() {
                let is_gits = is_gits || path.ends_with(".git");
                next.push((path, is_gits));
            } else if (is_gits || path.ends_with(".gitignore")) && !kind.is_file() {
                // The type is that of the link's target.
                let found = std::fs::metadata(&path);
                if found.is_ok_and(|found| can_block(found.file_type())) {
                    return Some(path);
                }
            }
        }
    }
    None
}

/// True for a type of file whose reading may block forever.
#[cfg(unix)]
fn can_block(kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    kind.is_fifo() || kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn can_block(_kind: FileType) -> bool {
    false
}
