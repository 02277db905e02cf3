//! Limits for all processes of a program together: a control group (version 2) for each program.
//!
//! Process limits apply to each process alone. A group requires that the system has delegated a
//! part of its group tree to this user, with the memory and pids controllers switched on, as
//! systemd does for the session manager of a user.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::host::bounds::MAX_SETTINGS_BYTES;
use crate::host::fs::read::read_text;

const MAX_GROUP_PROCESSES: u64 = 1024;
/// The memory limit of a group if the program has no limit.
const MEMORY: u64 = 4 << 30;
/// The file of a group to which a process writes its ID in order to join.
#[cfg(any(target_os = "linux", test))]
pub(in crate::host) const MEMBERS: &str = "cgroup.procs";

/// The parent folder of control groups with limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::host) struct CgroupParent {
    folder: PathBuf,
}

impl CgroupParent {
    /// The parent folder for groups, beside the group of this process.
    pub(in crate::host) fn find() -> Option<Self> {
        let text = |path: &Path| read_text(path, MAX_SETTINGS_BYTES).ok();
        let mounts = text("/proc/self/mountinfo".as_ref())?;
        let own = text("/proc/self/cgroup".as_ref())?;
        let found = Self { folder: beside(&mounts, &own)? };
        let controllers = text(&found.folder.join("cgroup.subtree_control"))?;
        let has = |name| controllers.split_whitespace().any(|word| word == name);
        // Only an attempt shows whether a group can be created.
        (has("memory") && has("pids") && found.make(None).is_ok()).then_some(found)
    }

    pub(in crate::host) fn make(&self, memory: Option<u64>) -> io::Result<ProcessGroup> {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        let folder = self.folder.join(format!("kzui-{}-{time:x}", std::process::id()));
        std::fs::create_dir(&folder)?;
        let group = ProcessGroup { folder };
        group.set("memory.max", memory.unwrap_or(MEMORY))?;
        group.set("pids.max", MAX_GROUP_PROCESSES)?;
        // Swap counts as memory here; a kernel without swap has no such file.
        match group.set("memory.swap.max", 0) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        // Out of memory, all processes of the group are killed: a single killed process could leave
        // others waiting for it.
        group.set("memory.oom.group", 1)?;
        Ok(group)
    }
}

/// A control group with limits. On drop, its processes are killed and the group is removed.
#[derive(Debug)]
pub(in crate::host) struct ProcessGroup {
    folder: PathBuf,
}

impl ProcessGroup {
    pub(in crate::host) fn folder(&self) -> &Path {
        &self.folder
    }

    fn set(&self, file: &str, value: u64) -> io::Result<()> {
        let mut options = std::fs::OpenOptions::new();
        let mut file = options.write(true).open(self.folder.join(file))?;
        io::Write::write_all(&mut file, value.to_string().as_bytes())
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        // An old kernel does not have this file, which is only needed for leftover processes.
        let _ = self.set("cgroup.kill", 1);
        for _ in 0..50 {
            match std::fs::remove_dir(&self.folder) {
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                    std::thread::sleep(Duration::from_millis(10));
                }
                _ => return,
            }
        }
    }
}

#[cfg(any(target_os = "linux", test))]
pub(in crate::host) fn join(folder: &Path) -> io::Result<()> {
    let mut file = std::fs::OpenOptions::new().write(true).open(folder.join(MEMBERS))?;
    io::Write::write_all(&mut file, b"0")
}

/// The folder above a process's own group, from `/proc/self/mountinfo` and `/proc/self/cgroup`. The
/// own group contains processes, so that no group inside it can have limits.
fn beside(mounts: &str, own: &str) -> Option<PathBuf> {
    let own = own.lines().find_map(|line| line.strip_prefix("0::"))?;
    mounts.lines().find_map(|line| {
        let (before, behind) = line.split_once(" - ")?;
        let is_groups = behind.split(' ').next() == Some("cgroup2");
        let mut words = before.split(' ').skip(3);
        let (root, point) = (words.next()?, words.next()?);
        let below = Path::new(own).strip_prefix(root).ok().filter(|_| is_groups)?;
        Some(Path::new(point).join(below.parent()?))
    })
}

#[cfg(test)]
mod tests {
    use crate::host::process::group::*;

    const MOUNTS: &str = "22 1 0:20 / /sys rw - sysfs sysfs rw\n\
                          30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";

    #[test]
    fn new_group_is_sibling_of_own_group() {
        let at = |own: &str| beside(MOUNTS, own).map(|path| path.display().to_string());
        let own = "1:name=x:/\n0::/user.slice/user@1.service/app.slice/term.scope\n";
        let folder = "/sys/fs/cgroup/user.slice/user@1.service/app.slice";
        assert_eq!(at(own).as_deref(), Some(folder));
        // The root group has no parent.
        assert_eq!(at("0::/\n"), None);
        assert_eq!(at("4:memory:/a\n"), None);
        // A container sees only a part of the group tree.
        let part = MOUNTS.replace("0:26 / ", "0:26 /docker/1 ");
        assert_eq!(beside(&part, "0::/docker/1/a\n"), Some("/sys/fs/cgroup".into()));
        assert_eq!(beside(&part, "0::/other\n"), None);
    }

    #[test]
    fn group_limits_are_written_and_processes_join() {
        let scratch = tempfile::tempdir().unwrap();
        let groups = CgroupParent { folder: scratch.path().to_owned() };
        // An ordinary folder does not contain the files of a group.
        assert!(groups.make(None).is_err());
        assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0, "no process is left");
        let group = ProcessGroup { folder: scratch.path().join("kzui-1-1") };
        std::fs::create_dir(group.folder()).unwrap();
        std::fs::write(group.folder().join("memory.max"), "max").unwrap();
        group.set("memory.max", 7).unwrap();
        assert_eq!(std::fs::read_to_string(group.folder().join("memory.max")).unwrap(), "7ax");
        std::fs::write(group.folder().join(MEMBERS), "").unwrap();
        join(group.folder()).unwrap();
        assert_eq!(std::fs::read_to_string(group.folder().join(MEMBERS)).unwrap(), "0");
    }
}
