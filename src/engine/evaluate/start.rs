//! Where a build begins, and whether anything depends on it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The build root. What was made without a look at it is the same in the build of any other target.
#[derive(Debug, Default)]
pub(super) struct Start {
    path: PathBuf,
    // Files are read side by side by threads that share the build; whether one of them looks changes no answer.
    was_seen: AtomicBool,
}

impl Start {
    /// Nobody has looked yet.
    pub(super) fn at(path: &Path) -> Self {
        Self { path: path.to_owned(), was_seen: AtomicBool::new(false) }
    }

    /// The directory. Whoever asks for it depends on it.
    pub(super) fn path(&self) -> &Path {
        self.see(true);
        &self.path
    }

    /// The same directory, without depending on it: to be compared with another build's.
    pub(super) fn unseen(&self) -> &Path {
        &self.path
    }

    /// Notes that something depends on it, if it does.
    pub(super) fn see(&self, sees: bool) {
        self.was_seen.fetch_or(sees, Ordering::Relaxed);
    }

    /// True when something has depended on it since this was asked last.
    pub(super) fn take_seen(&self) -> bool {
        self.was_seen.swap(false, Ordering::Relaxed)
    }
}
