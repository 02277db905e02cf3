//! A root that holds nothing but what a confined program may see.
//!
//! Landlock says which files may be read and written. It says nothing of sockets that stand in the file system, of modes, owners
//! and times, of what files there are, and of other processes. What is not there needs no rule.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rustix::fs::{StatVfsMountFlags, statvfs};
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind, mount_bind_recursive,
    mount_change, mount_remount, unmount,
};
use rustix::process::pivot_root;
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities, set_no_new_privs};

/// Where the new root is put together: a folder that every system has.
const STAGE: &str = "/tmp";
/// Where the old root hangs meanwhile.
const OLD: &str = "/.old";
/// Links that programs expect beside the devices.
const DEVICE_LINKS: [(&str, &str); 4] = [
    ("/proc/self/fd", "/dev/fd"),
    ("/proc/self/fd/0", "/dev/stdin"),
    ("/proc/self/fd/1", "/dev/stdout"),
    ("/proc/self/fd/2", "/dev/stderr"),
];

/// What a confined program sees of the file system.
pub(super) struct Seen<'a> {
    /// Files and folders that it may read.
    pub(super) read: Vec<&'a Path>,
    /// Folders and devices that it may write to.
    pub(super) write: Vec<&'a Path>,
}

/// Gives this process, which has a mount namespace and its capabilities for itself, a root of its own, and takes the
/// capabilities away.
///
/// # Errors
/// What the system refuses. The process is of no use then.
pub(super) fn enter(seen: &Seen<'_>) -> io::Result<()> {
    let directory = std::env::current_dir().unwrap_or_else(|_| "/".into());
    // Links are followed while they lead somewhere.
    let real = |paths: &[&Path]| -> Vec<(PathBuf, PathBuf)> {
        let both = |path: &&Path| Some((path.to_path_buf(), path.canonicalize().ok()?));
        paths.iter().filter_map(both).collect()
    };
    let (read, write) = (real(&seen.read), real(&seen.write));
    mount_change("/", MountPropagationFlags::REC | MountPropagationFlags::PRIVATE)?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("kzui", STAGE, "tmpfs", flags, c"mode=0755,size=1m")?;
    fs::create_dir(Path::new(STAGE).join(".old"))?;
    pivot_root(STAGE, format!("{STAGE}{OLD}"))?;
    std::env::set_current_dir("/")?;
    for (path, real) in &read {
        see(path, real, false)?;
    }
    for (path, real) in &write {
        see(path, real, true)?;
    }
    fs::create_dir_all("/proc")?;
    mount("proc", "/proc", "proc", flags | MountFlags::NOEXEC, None)?;
    fs::create_dir_all("/dev")?;
    for (to, link) in DEVICE_LINKS {
        symlink(to, link)?;
    }
    fs::create_dir_all(&directory)?;
    unmount(OLD, UnmountFlags::DETACH)?;
    fs::remove_dir(OLD)?;
    mount_remount("/", MountFlags::BIND | MountFlags::RDONLY | flags, c"")?;
    std::env::set_current_dir(&directory)?;
    // Without privileges to be had anew, those that a user of the number 0 would get are none.
    set_no_new_privs(true)?;
    rustix::thread::clear_ambient_capability_set()?;
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?;
    Ok(())
}

/// Puts a path of the old root at its place in the new one.
fn see(path: &Path, real: &Path, may_write: bool) -> io::Result<()> {
    let below = |path: &Path| Path::new(OLD).join(path.strip_prefix("/").unwrap_or(path));
    let is_there = |path: &Path| path.symlink_metadata().is_ok();
    if path != real && !is_there(path) {
        let link = fs::read_link(below(path));
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        // A link above it is a folder here, and it is put there a second time.
        match link {
            Ok(to) => symlink(to, path)?,
            Err(_) => bind(&below(real), path, may_write)?,
        }
    }
    if may_write || !is_there(real) {
        bind(&below(real), real, may_write)?;
    }
    Ok(())
}

fn bind(from: &Path, to: &Path, may_write: bool) -> io::Result<()> {
    let is_device = to.starts_with("/dev");
    if from.is_dir() {
        fs::create_dir_all(to)?;
    } else if to.symlink_metadata().is_err() {
        to.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::File::create_new(to)?;
    }
    // What hangs below it, and may not be taken off, comes along.
    mount_bind(from, to).or_else(|_| mount_bind_recursive(from, to))?;
    let mut flags = MountFlags::BIND | MountFlags::NOSUID | kept(to)?;
    flags.set(MountFlags::NODEV, !is_device);
    flags.set(MountFlags::RDONLY, !may_write || flags.contains(MountFlags::RDONLY));
    Ok(mount_remount(to, flags, c"")?)
}

/// What a mount is already may not be taken from it.
fn kept(path: &Path) -> io::Result<MountFlags> {
    let is = statvfs(path)?.f_flag;
    let pairs = [
        (StatVfsMountFlags::RDONLY, MountFlags::RDONLY),
        (StatVfsMountFlags::NOSUID, MountFlags::NOSUID),
        (StatVfsMountFlags::NODEV, MountFlags::NODEV),
        (StatVfsMountFlags::NOEXEC, MountFlags::NOEXEC),
        (StatVfsMountFlags::NOATIME, MountFlags::NOATIME),
        (StatVfsMountFlags::NODIRATIME, MountFlags::NODIRATIME),
        (StatVfsMountFlags::RELATIME, MountFlags::RELATIME),
    ];
    let kept = pairs.into_iter().filter(|(have, _)| is.contains(*have));
    Ok(kept.fold(MountFlags::empty(), |all, (_, flag)| all | flag))
}
