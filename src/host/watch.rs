//! Tells when files of a build changed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crossbeam_channel::{Receiver, unbounded};
use notify::{Config, EventKind, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, Debouncer, NoCache, new_debouncer_opt};

/// Watching is not possible, or not for a path; the rest goes on.
#[derive(Debug, thiserror::Error)]
#[error("cannot watch files: {0}")]
pub struct WatchError(#[from] notify::Error);

/// Watches the directories of a build's files, so that editors that replace a file are seen as well. Ends when
/// dropped.
pub struct Watch {
    debouncer: Debouncer<RecommendedWatcher, NoCache>,
    directories: BTreeSet<PathBuf>,
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").field("directories", &self.directories).finish_non_exhaustive()
    }
}

impl Watch {
    /// Starts without any path. What changed comes in bundles, sorted, once nothing more has happened to it for
    /// the given time; an empty bundle means that events were lost and everything may have changed.
    pub fn start(quiet: Duration) -> Result<(Self, Receiver<Vec<PathBuf>>), WatchError> {
        let (sender, receiver) = unbounded();
        let handler = move |result: DebounceEventResult| {
            let changed = match result {
                Ok(events) => {
                    let events =
                        events.iter().filter(|event| !matches!(event.kind, EventKind::Access(_)));
                    let paths: BTreeSet<PathBuf> =
                        events.flat_map(|event| event.paths.iter().cloned()).collect();
                    if paths.is_empty() {
                        return;
                    }
                    paths.into_iter().collect()
                }
                Err(_) => Vec::new(),
            };
            // Nobody listens any more: the workbench is closing.
            let _ = sender.send(changed);
        };
        let debouncer = new_debouncer_opt(quiet, None, handler, NoCache, Config::default())?;
        Ok((Self { debouncer, directories: BTreeSet::new() }, receiver))
    }

    /// Watches the directories of these files and directories, and no others any more. A directory that cannot
    /// be watched is left out; the first such error comes back.
    pub fn set(&mut self, paths: &[PathBuf]) -> Result<(), WatchError> {
        let wanted: BTreeSet<PathBuf> =
            paths.iter().filter_map(|path| directory_of(path)).collect();
        for gone in self.directories.difference(&wanted) {
            // It may have been deleted, which ends the watch as well.
            let _ = self.debouncer.unwatch(gone);
        }
        let mut first = None;
        let mut watched = BTreeSet::new();
        for directory in wanted {
            if !self.directories.contains(&directory)
                && let Err(error) = self.debouncer.watch(&directory, RecursiveMode::NonRecursive)
            {
                first.get_or_insert(error);
                continue;
            }
            watched.insert(directory);
        }
        self.directories = watched;
        first.map_or(Ok(()), |error| Err(error.into()))
    }
}

/// The directory to watch for a path; for what is missing, the nearest one above.
fn directory_of(path: &Path) -> Option<PathBuf> {
    path.ancestors().find(|above| above.is_dir()).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_of_a_replaced_file_and_not_of_reading() {
        let scratch = tempfile::tempdir().unwrap();
        let file = scratch.path().join("f");
        std::fs::write(&file, "a").unwrap();
        let (mut watch, changes) = Watch::start(Duration::from_millis(20)).unwrap();
        watch.set(std::slice::from_ref(&file)).unwrap();
        std::fs::read(&file).unwrap();
        assert!(changes.recv_timeout(Duration::from_millis(150)).is_err());
        super::super::write_file(&file, Some(b"a"), b"b").unwrap();
        let changed = changes.recv_timeout(Duration::from_secs(5)).unwrap();
        assert!(changed.iter().any(|path| path.ends_with("f")), "{changed:?}");
    }
}
