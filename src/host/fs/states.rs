//! Files of the disk whose changes are found by comparing states, without reading them again.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use super::disk::DiskFiles;
use crate::engine::load::{FileError, FileKind, Files};

/// Two changes within this time can have the same time stamp.
const TIME_STAMP_STEP: Duration = Duration::from_millis(100);

/// The files on the disk, which record the state of each path before its first query.
#[derive(Default)]
pub struct StatedFiles {
    states: Mutex<BTreeMap<PathBuf, RecordedState>>,
}

#[derive(Clone, Copy, Debug)]
struct RecordedState {
    state: PathState,
    /// True if the content of the file, or the list of the folder, was read; otherwise only the
    /// existence and the kind of the path were queried.
    has_content: bool,
}

/// The state of a path itself and that of its destination, which differ for a link; `None` if the path
/// is missing.
type PathState = Option<[EntryState; 2]>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct EntryState {
    is_folder: bool,
    /// The device and the number of the file on it; zero on systems without them.
    identity: (u64, u64),
    size: u64,
    /// The last change of the content and, on systems that record it, of content or attributes.
    changed: [Option<SystemTime>; 2],
    /// True if a further change can have the same time stamp.
    is_recent: bool,
}

impl EntryState {
    fn new(found: &Metadata) -> Self {
        #[cfg(unix)]
        let (identity, attributes) = {
            use std::os::unix::fs::MetadataExt as _;
            let seconds = u64::try_from(found.ctime()).unwrap_or_default();
            let rest = u32::try_from(found.ctime_nsec()).unwrap_or_default();
            let since = Duration::new(seconds, rest);
            ((found.dev(), found.ino()), SystemTime::UNIX_EPOCH.checked_add(since))
        };
        #[cfg(not(unix))]
        let (identity, attributes) = ((0, 0), None);
        let (changed, now) = ([found.modified().ok(), attributes], SystemTime::now());
        let is_new = |time| now.duration_since(time).map_or(true, |age| age < TIME_STAMP_STEP);
        let is_recent = changed.into_iter().flatten().any(is_new);
        Self { is_folder: found.is_dir(), identity, size: found.len(), changed, is_recent }
    }
}

fn path_state(path: &Path) -> PathState {
    let found = path.symlink_metadata().ok()?;
    let own = EntryState::new(&found);
    let destination = found.is_symlink().then(|| path.metadata().ok()).flatten();
    Some([own, destination.map_or(own, |found| EntryState::new(&found))])
}

/// The identities and the kind of the file or folder to which a path leads, which decide how the path
/// is resolved.
fn identity(state: PathState) -> Option<[(u64, u64, bool); 2]> {
    state.map(|both| both.map(|it| (it.identity.0, it.identity.1, it.is_folder)))
}

impl RecordedState {
    /// True if the answers to the queries may differ in another state.
    fn differs(self, now: PathState) -> bool {
        let is_recent = || now.iter().flatten().any(|it| it.is_recent);
        identity(self.state) != identity(now)
            || self.has_content && (self.state != now || is_recent())
    }
}

impl StatedFiles {
    /// The queried paths whose state differs from that before their first query.
    fn changed(&self) -> Vec<PathBuf> {
        let states = self.states().clone();
        let mut changed: Vec<PathBuf> = Vec::new();
        // The last folder that was replaced: all paths in it may lead to other files.
        let mut replaced: Option<&Path> = None;
        for (path, state) in &states {
            let now = path_state(path);
            let is_below = replaced.is_some_and(|folder| path.starts_with(folder));
            if is_below || state.differs(now) {
                changed.push(path.clone());
                if !is_below && identity(state.state) != identity(now) {
                    replaced = Some(path);
                }
            }
        }
        changed
    }

    /// The changed paths since the last call. Their present states are recorded.
    pub fn take_changed(&self) -> Vec<PathBuf> {
        let changed = self.changed();
        for path in &changed {
            let state = path_state(path);
            if let Some(recorded) = self.states().get_mut(path) {
                recorded.state = state;
            }
        }
        changed
    }

    fn states(&self) -> MutexGuard<'_, BTreeMap<PathBuf, RecordedState>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self, path: &Path, has_content: bool) {
        let known = self.states().get(path).copied();
        if known.is_some_and(|known| known.has_content || !has_content) {
            return;
        }
        let state = path_state(path);
        // A path that was replaced since it was resolved keeps its state: it counts as changed.
        if known.is_none_or(|known| identity(known.state) == identity(state)) {
            self.states().insert(path.to_owned(), RecordedState { state, has_content });
        }
    }
}

impl Files for StatedFiles {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        self.record(path, false);
        DiskFiles.resolve(path)
    }

    fn resolve_below(
        &self,
        directory: &Path,
        path: &Path,
    ) -> Result<(PathBuf, FileKind), FileError> {
        self.record(path, false);
        DiskFiles.resolve_below(directory, path)
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        self.record(path, true);
        DiskFiles.read(path)
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        self.record(path, true);
        DiskFiles.list(path)
    }

    fn trusts_settings(&self, file: &Path, target: &Path, is_in_git: bool) -> bool {
        DiskFiles.trusts_settings(file, target, is_in_git)
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    /// The changed paths relative to a folder, after `change` of files that were queried long
    /// after their last change.
    fn changed(change: impl Fn(&Path)) -> Vec<String> {
        let scratch = tempfile::tempdir().unwrap();
        let top = scratch.path().canonicalize().unwrap();
        std::fs::create_dir_all(top.join("a/b")).unwrap();
        std::fs::create_dir_all(top.join("other/b")).unwrap();
        for file in ["a/b/f", "a/g", "other/b/f"] {
            std::fs::write(top.join(file), "x").unwrap();
        }
        std::os::unix::fs::symlink("a", top.join("link")).unwrap();
        std::thread::sleep(TIME_STAMP_STEP);
        let files = StatedFiles::default();
        for file in ["a/b/f", "a/g", "a/none", "link/g"] {
            drop(files.read(&top.join(file)));
        }
        drop(files.resolve(&top.join("link")));
        drop(files.list(&top.join("a")));
        assert_eq!(files.changed(), [] as [PathBuf; 0]);
        change(&top);
        let changed = files.changed();
        std::thread::sleep(TIME_STAMP_STEP);
        drop(files.take_changed());
        assert_eq!(files.changed(), [] as [PathBuf; 0]);
        let shown = changed.iter().map(|path| path.strip_prefix(&top).unwrap());
        shown.map(|path| path.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn changed_new_and_removed_files_are_found() {
        assert_eq!(changed(|top| std::fs::write(top.join("a/g"), "y").unwrap()), ["a/g", "link/g"]);
        assert_eq!(changed(|top| std::fs::write(top.join("a/none"), "").unwrap()), ["a", "a/none"]);
        assert_eq!(changed(|top| std::fs::remove_file(top.join("a/b/f")).unwrap()), ["a/b/f"]);
        assert_eq!(changed(|top| std::fs::create_dir(top.join("a/new")).unwrap()), ["a"]);
    }

    #[test]
    fn paths_in_a_replaced_folder_are_found() {
        let through_link = changed(|top| {
            std::fs::remove_file(top.join("link")).unwrap();
            std::os::unix::fs::symlink("other", top.join("link")).unwrap();
        });
        assert_eq!(through_link, ["link", "link/g"]);
        let moved = changed(|top| {
            std::fs::rename(top.join("a"), top.join("moved")).unwrap();
            std::os::unix::fs::symlink("moved", top.join("a")).unwrap();
        });
        assert_eq!(moved, ["a", "a/b/f", "a/g", "a/none"]);
    }

    #[test]
    fn a_file_that_has_just_changed_may_change_again() {
        let scratch = tempfile::tempdir().unwrap();
        let file = scratch.path().join("f");
        std::fs::write(&file, "x").unwrap();
        let files = StatedFiles::default();
        drop(files.read(&file));
        std::fs::write(&file, "y").unwrap();
        assert_eq!(files.changed(), [file]);
    }
}
