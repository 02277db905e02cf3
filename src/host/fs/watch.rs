//! Watches the files of a build for changes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crossbeam_channel::{Receiver, Sender, unbounded};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    #[error("cannot watch files: {0}")]
    Refused(#[from] notify::Error),
    #[error("cannot watch files any more")]
    Ended,
}

/// Continuous changes are reported after this multiple of the quiet time.
const MAX_QUIET_PERIODS: u32 = 10;

/// An event for the thread that bundles changes: changed paths, a loss of events, or the end of the
/// watch.
enum WatchEvent {
    Changed(Vec<PathBuf>),
    Lost,
    End,
}

/// Watches the directories of a build's files, so that replaced files are noticed as well. Ends
/// when dropped.
pub struct Watch {
    /// `None` while the watch is being dropped.
    watcher: Option<RecommendedWatcher>,
    directories: BTreeSet<PathBuf>,
    events: Sender<WatchEvent>,
    /// The time of the start, or of the last call of [`Watch::set`]. A file in a directory that is
    /// not watched yet may have been read since then, so its later changes are reported when the
    /// directory is added.
    since: SystemTime,
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").field("directories", &self.directories).finish_non_exhaustive()
    }
}

impl Watch {
    /// Starts without any path. Changes are sent in sorted bundles, each after a time of `quiet`
    /// without further changes; an empty bundle means that events were lost and everything may have
    /// changed. The thread sleeps while no events arrive.
    pub fn start(quiet: Duration) -> Result<(Self, Receiver<Vec<PathBuf>>), WatchError> {
        let (events, raw) = unbounded();
        let (sender, receiver) = unbounded();
        let unseen = events.clone();
        let handler = move |event: Result<notify::Event, notify::Error>| {
            let news = match event {
                Ok(event) if event.need_rescan() => WatchEvent::Lost,
                Ok(event) if matches!(event.kind, EventKind::Access(_)) => return,
                Ok(event) => WatchEvent::Changed(event.paths),
                Err(_) => WatchEvent::Lost,
            };
            // Fails only if the bundling thread has ended, because the receiver is dropped.
            let _ = events.send(news);
        };
        let watcher = Some(run_catching_panics(|| notify::recommended_watcher(handler))??);
        // If the thread cannot start, the receiver is disconnected at once, which reports that
        // watching has stopped.
        let gathers = move || gather(&raw, &sender, quiet);
        let _ = std::thread::Builder::new().name("watch".to_owned()).spawn(gathers);
        let (directories, since) = (BTreeSet::new(), SystemTime::now());
        Ok((Self { watcher, directories, events: unseen, since }, receiver))
    }

    /// Watches exactly the directories of these files and directories. A directory that cannot be
    /// watched is left out; the first such error is returned. Changes made after the files may have
    /// been read and before the watch started are reported too.
    pub fn set(&mut self, paths: &[PathBuf]) -> Result<(), WatchError> {
        let since = std::mem::replace(&mut self.since, SystemTime::now());
        let wanted: BTreeSet<PathBuf> =
            paths.iter().filter_map(|path| directory_of(path)).collect();
        let Some(watcher) = &mut self.watcher else { return Err(WatchError::Ended) };
        let before = &self.directories;
        let (watched, first) = run_catching_panics(move || {
            for gone in before.difference(&wanted) {
                // Fails if the directory was deleted, which has already ended its watch.
                let _ = watcher.unwatch(gone);
            }
            let mut first = None;
            let mut watched = BTreeSet::new();
            for directory in wanted {
                if !before.contains(&directory)
                    && let Err(error) = watcher.watch(&directory, RecursiveMode::NonRecursive)
                {
                    first.get_or_insert(error);
                    continue;
                }
                watched.insert(directory);
            }
            (watched, first)
        })?;
        let new: BTreeSet<&Path> =
            watched.difference(&self.directories).map(PathBuf::as_path).collect();
        self.report_changes_before_watch(paths, &new, since);
        self.directories = watched;
        first.map_or(Ok(()), |error| Err(error.into()))
    }

    /// Reports the paths in newly watched directories that changed after `since`.
    fn report_changes_before_watch(
        &self,
        paths: &[PathBuf],
        new: &BTreeSet<&Path>,
        since: SystemTime,
    ) {
        if new.is_empty() {
            return;
        }
        let is_later = |path: &Path| {
            path.symlink_metadata().and_then(|data| data.modified()).is_ok_and(|at| at >= since)
        };
        let is_unseen = |path: &&PathBuf| {
            directory_of(path).is_some_and(|directory| {
                new.contains(&*directory) && (is_later(&directory) || is_later(path))
            })
        };
        let unseen: Vec<PathBuf> = paths.iter().filter(is_unseen).cloned().collect();
        if !unseen.is_empty() {
            // Fails only if the bundling thread has ended, because the receiver is dropped.
            let _ = self.events.send(WatchEvent::Changed(unseen));
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.events.send(WatchEvent::End);
        let watcher = self.watcher.take();
        // After a panic, the thread of the watcher keeps running without a receiver.
        let _ = run_catching_panics(move || drop(watcher));
    }
}

/// Runs code of the watching library on another thread, because it panics if the system refuses to
/// create an event object.
fn run_catching_panics<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, WatchError> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("watch".to_owned());
        let running = thread.spawn_scoped(scope, work).map_err(|_| WatchError::Ended)?;
        running.join().map_err(|_| WatchError::Ended)
    })
}

/// Bundles events: the first event opens a bundle; a time `quiet` without events closes it, or
/// [`MAX_QUIET_PERIODS`] of these times in all. An empty bundle means that events were lost.
fn gather(raw: &Receiver<WatchEvent>, bundles: &Sender<Vec<PathBuf>>, quiet: Duration) {
    while let Ok(first) = raw.recv() {
        let patience = Instant::now() + quiet * MAX_QUIET_PERIODS;
        let (mut lost, mut paths) = (false, BTreeSet::new());
        let mut next = Some(first);
        while let Some(news) = next {
            match news {
                WatchEvent::Changed(changed) => paths.extend(changed),
                WatchEvent::Lost => lost = true,
                WatchEvent::End => return,
            }
            let left = patience.checked_duration_since(Instant::now());
            next = left.and_then(|left| raw.recv_timeout(quiet.min(left)).ok());
        }
        let bundle = if lost { Vec::new() } else { paths.into_iter().collect() };
        if (lost || !bundle.is_empty()) && bundles.send(bundle).is_err() {
            return;
        }
    }
}

/// The directory to watch for a path: the path itself or the nearest existing directory above.
fn directory_of(path: &Path) -> Option<PathBuf> {
    path.ancestors().find(|above| above.is_dir()).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::RecvTimeoutError;

    use crate::draft::FileChange;
    use crate::host::fs::watch::*;

    #[test]
    fn replaced_file_is_reported_and_a_read_is_not() {
        let scratch = tempfile::tempdir().unwrap();
        let file = scratch.path().join("f");
        std::fs::write(&file, "a").unwrap();
        let (mut watch, changes) = Watch::start(Duration::from_millis(20)).unwrap();
        watch.set(std::slice::from_ref(&file)).unwrap();
        std::fs::read(&file).unwrap();
        assert!(changes.recv_timeout(Duration::from_millis(150)).is_err());
        let bytes = |text: &[u8]| Some(text.into());
        let change = FileChange { path: file, base: bytes(b"a"), draft: bytes(b"b") };
        crate::host::write_files(&[change]).unwrap();
        // On a slow disk the change comes in several bundles: first the new file, then the rename
        // over the old one.
        let bundles = std::iter::from_fn(|| changes.recv_timeout(Duration::from_secs(5)).ok());
        let told = bundles.take(10).any(|bundle| bundle.iter().any(|path| path.ends_with("f")));
        assert!(told, "the file was not reported");
    }

    #[test]
    fn a_panic_of_the_watching_library_ends_only_the_watch() {
        assert!(matches!(
            run_catching_panics(|| panic!("no eventfd")),
            Err::<(), _>(WatchError::Ended)
        ));
        let (watch, changes) = Watch::start(Duration::from_millis(20)).unwrap();
        drop(watch);
        assert_eq!(
            changes.recv_timeout(Duration::from_secs(5)),
            Err(RecvTimeoutError::Disconnected)
        );
    }

    #[test]
    fn change_before_the_watch_is_reported() {
        let scratch = tempfile::tempdir().unwrap();
        let [old, new] = ["old", "new"].map(|name| scratch.path().join(name).join("f"));
        for file in [&old, &new] {
            std::fs::create_dir(file.parent().unwrap()).unwrap();
            std::fs::write(file, "a").unwrap();
        }
        std::thread::sleep(Duration::from_millis(50));
        let (mut watch, changes) = Watch::start(Duration::from_millis(20)).unwrap();
        std::thread::sleep(Duration::from_millis(50));
        std::fs::write(&new, "b").unwrap();
        watch.set(&[old, new.clone()]).unwrap();
        assert_eq!(changes.recv_timeout(Duration::from_secs(5)).unwrap(), [new]);
        // The watch itself has already reported the change.
        assert!(changes.recv_timeout(Duration::from_millis(150)).is_err());
    }
}
