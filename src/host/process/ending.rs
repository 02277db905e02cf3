//! Clean-up when this process ends early: its child processes are ended, and its temporary files
//! are removed.

use std::path::Path;

/// Prefix of the names of temporary folders, followed by the process ID.
const PREFIX: &str = "kzui-";

fn temporary_prefix() -> String {
    format!("{PREFIX}{}-", std::process::id())
}

/// A new temporary folder, removed on drop and when a signal ends this process.
pub(in crate::host) fn temporary_folder() -> std::io::Result<tempfile::TempDir> {
    tempfile::Builder::new().prefix(&temporary_prefix()).tempdir()
}

/// Removes temporary folders of kzui processes that were killed.
pub(in crate::host) fn clear_abandoned() {
    remove_temporary(&std::env::temp_dir(), |process| !is_running(process));
}

fn remove_temporary(folder: &Path, is_wanted: impl Fn(u32) -> bool) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split_once('-'));
        let process = number.and_then(|(process, _)| process.parse::<u32>().ok());
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && process.is_some_and(&is_wanted) {
            // This fails for a folder of another user, and for one that another process removes:
            // both are fine.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(unix)]
fn is_running(process: u32) -> bool {
    let process = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
    // A process that may not be signalled belongs to another user, and runs.
    process.is_some_and(|process| {
        rustix::process::test_kill_process(process) != Err(rustix::io::Errno::SRCH)
    })
}

#[cfg(not(unix))]
fn is_running(_process: u32) -> bool {
    true
}

#[cfg(not(unix))]
/// Removes the temporary folders of this process; on this system, the programs that it started are
/// not ended.
pub fn end_programs() {
    remove_own_folders();
}

/// Waits for the end of this process if a signal seems to be ending it; no effect on this system.
#[cfg(not(unix))]
pub(in crate::host) fn wait_if_killed(_signal: Option<i32>) {}

fn remove_own_folders() {
    let own = std::process::id();
    remove_temporary(&std::env::temp_dir(), |process| process == own);
}

#[cfg(unix)]
pub(in crate::host) use unix::wait_if_killed;
#[cfg(unix)]
pub use unix::{end_on_signals, end_programs, wait_for_the_end};

#[cfg(unix)]
mod unix {
    use std::io;
    use std::process::{Command, Stdio};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use rustix::process::{Pid, Signal, kill_process_group};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

    use super::{PREFIX, remove_own_folders};
    use crate::host::bounds::MAX_SETTINGS_BYTES;
    use crate::host::fs::read::{read_file, read_text};

    /// The time that programs get to end if the system does not list child processes: each is ended
    /// by the thread that waits for it.
    const UNLISTED_END_DELAY: Duration = Duration::from_millis(50);
    const MAX_END_DURATION: Duration = Duration::from_secs(6);
    const KILLED_CHILD_END_DELAY: Duration = Duration::from_secs(1);

    /// Ends this process at the first termination signal, even during a long computation or a
    /// blocked read. Child processes and containers end with it, and temporary files are removed.
    /// The process dies of the signal, so that its parent sees the cause. `asked` is set before.
    pub fn end_on_signals(asked: Arc<AtomicBool>) -> io::Result<()> {
        let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP, SIGQUIT])?;
        std::thread::Builder::new().name("ending".to_owned()).spawn(move || {
            for signal in signals.forever() {
                asked.store(true, Ordering::Relaxed);
                end_programs();
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        })?;
        Ok(())
    }

    /// Ends the programs that this process started, containers too, and removes its temporary
    /// folders.
    pub fn end_programs() {
        // If the thread that started a child ends in between, the child moves to the list of
        // another thread: the second pass finds it there.
        for _ in 0..2 {
            match children() {
                Some(children) => children.into_iter().for_each(end),
                None => std::thread::sleep(UNLISTED_END_DELAY),
            }
        }
        remove_own_folders();
    }

    /// Waits for the end of the process after a signal. The signal thread ends the child processes,
    /// and an error because of that must not end this process first with another exit status.
    pub fn wait_for_the_end() {
        std::thread::sleep(MAX_END_DURATION);
    }

    /// Waits if a child was killed by SIGKILL: probably the signal thread killed it and is removing
    /// the temporary folders. A retry would create another temporary folder.
    pub(in crate::host) fn wait_if_killed(signal: Option<i32>) {
        if signal == Some(signal_hook::consts::SIGKILL) {
            std::thread::sleep(KILLED_CHILD_END_DELAY);
        }
    }

    /// The process IDs of the children; `None` if the system does not offer them.
    fn children() -> Option<Vec<i32>> {
        let mut found = Vec::new();
        let mut is_offered = false;
        for thread in std::fs::read_dir("/proc/self/task").ok()?.flatten() {
            // A thread that has just ended has no list: its children are in the list of another
            // thread.
            let list = read_text(&thread.path().join("children"), MAX_SETTINGS_BYTES);
            let Ok(text) = list else { continue };
            is_offered = true;
            found.extend(text.split_whitespace().filter_map(|number| number.parse::<i32>().ok()));
        }
        is_offered.then_some(found)
    }

    /// Ends a child with its process group; if the child is the client of a container, the
    /// container is removed through its engine.
    fn end(child: i32) {
        let words = format!("/proc/{child}/cmdline");
        let words = read_file(words.as_ref(), MAX_SETTINGS_BYTES).unwrap_or_default();
        let words: Vec<String> = words
            .split(|byte| *byte == 0)
            .map(|word| String::from_utf8_lossy(word).into_owned())
            .collect();
        let container =
            words.iter().position(|word| word == "--name").and_then(|at| words.get(at + 1));
        if let (Some(name), Some(engine)) =
            (container.filter(|name| name.starts_with(PREFIX)), words.first())
        {
            // The removal continues after this process has ended.
            let _ = Command::new(engine)
                .args(["rm", "--force", name])
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn();
        }
        if let Some(group) = Pid::from_raw(child) {
            // Every child leads a process group: the group has the ID of the child.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use crate::host::process::ending::*;

    #[test]
    fn only_folders_of_dead_processes_are_removed() {
        let scratch = tempfile::tempdir().unwrap();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let gone = child.id();
        child.wait().unwrap();
        let make = |name: &str| std::fs::create_dir(scratch.path().join(name)).unwrap();
        let left = format!("kzui-{gone}-abc");
        let own = format!("{}abc", temporary_prefix());
        [&*left, &own, "kzui-x-y", "kzui-1", "other-1-a"].into_iter().for_each(make);
        std::fs::write(scratch.path().join(format!("kzui-{gone}-file")), "").unwrap();
        remove_temporary(scratch.path(), |process| !is_running(process));
        let count = std::fs::read_dir(scratch.path()).unwrap().count();
        assert!(!scratch.path().join(left).exists() && scratch.path().join(own).exists());
        assert_eq!(count, 5);
    }
}
