//! Changes of files that the client does not report.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::Server;

/// The comparison of the files on disk with those that were read, for a client that does not report
/// their changes. It runs on a thread.
pub(super) enum DiskComparison {
    Runs,
    /// The last comparison ended at this time; `None` before the first one.
    Ended(Option<Instant>),
}

impl Server<'_> {
    /// Orders a comparison of the files on disk with those that were read, if the client does not
    /// report their changes.
    pub(super) fn compare_with_disk(&mut self) {
        let is_due = match self.comparison {
            DiskComparison::Runs => false,
            DiskComparison::Ended(last) => {
                last.is_none_or(|it| it.elapsed() >= self.settings.comparison_pause)
            }
        };
        if is_due && !self.supports.watched_files {
            self.comparison = DiskComparison::Runs;
            // The thread ends only with the server.
            let _ = self.comparisons.send(());
        }
    }

    pub(super) fn take_disk_changes(&mut self, changed: Vec<PathBuf>) {
        self.comparison = DiskComparison::Ended(Some(Instant::now()));
        if !changed.is_empty() {
            self.order_check(Path::new(""), changed);
        }
    }
}
