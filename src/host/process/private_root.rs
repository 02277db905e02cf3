//! A root that contains only the files that a confined program may see.
//!
//! Landlock restricts reads and writes of files. It does not cover sockets in the file system,
//! modes, owners and times, the existence of files, and other processes. A file that is absent from
//! the root needs no rule.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rustix::fs::{StatVfsMountFlags, statvfs};
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind, mount_bind_recursive,
    mount_change, mount_remount, unmount,
};
use rustix::process::pivot_root;
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities, set_no_new_privs};

use crate::host::bounds::MAX_SETTINGS_BYTES;
use crate::host::fs::read::read_file;

/// The folder in which the new root is built; every system has it.
const STAGE: &str = "/tmp";
/// The mount point of the old root, until it is unmounted.
const OLD_ROOT: &str = "/.old";
/// Links that programs expect beside the devices.
const DEVICE_LINKS: [(&str, &str); 4] = [
    ("/proc/self/fd", "/dev/fd"),
    ("/proc/self/fd/0", "/dev/stdin"),
    ("/proc/self/fd/1", "/dev/stdout"),
    ("/proc/self/fd/2", "/dev/stderr"),
];

/// The visible part of the file system for a confined program.
pub(in crate::host) struct VisibleFiles<'a> {
    pub(in crate::host) read: Vec<&'a Path>,
    pub(in crate::host) write: Vec<&'a Path>,
}

/// Moves this process, which has a private mount namespace and its capabilities, into a new root,
/// and drops the capabilities.
///
/// # Errors
/// The system call that failed. The process must not go on after an error.
pub(in crate::host) fn enter(seen: &VisibleFiles<'_>) -> io::Result<()> {
    let directory = std::env::current_dir().unwrap_or_else(|_| "/".into());
    // Paths are resolved; those whose target does not exist are left out.
    let mut paths = Vec::new();
    for (list, may_write) in [(&seen.read, false), (&seen.write, true)] {
        let both = |path: &&Path| Some((path.canonicalize().ok()?, path.to_path_buf(), may_write));
        paths.extend(list.iter().filter_map(both));
    }
    // Folders before their content, so that no mount hides an earlier one.
    paths.sort_by(|a, b| (&a.0, !a.2).cmp(&(&b.0, !b.2)));
    mount_change("/", MountPropagationFlags::REC | MountPropagationFlags::PRIVATE)?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("kzui", STAGE, "tmpfs", flags, c"mode=0755,size=1m")?;
    fs::create_dir(Path::new(STAGE).join(".old"))?;
    pivot_root(STAGE, format!("{STAGE}{OLD_ROOT}"))?;
    std::env::set_current_dir("/")?;
    for (real, path, may_write) in &paths {
        see(path, real, *may_write)?;
    }
    fs::create_dir_all("/proc")?;
    mount("proc", "/proc", "proc", flags | MountFlags::NOEXEC, None)?;
    let folders: Vec<&Path> = paths
        .iter()
        .filter(|(real, _, may_write)| *may_write && real.is_dir())
        .flat_map(|(real, path, _)| [&**real, &**path])
        .collect();
    fs::create_dir_all("/dev")?;
    for (to, link) in DEVICE_LINKS {
        symlink(to, link)?;
    }
    fs::create_dir_all(&directory)?;
    unmount(OLD_ROOT, UnmountFlags::DETACH)?;
    fs::remove_dir(OLD_ROOT)?;
    for point in mount_points()? {
        restrict(&point, folders.iter().any(|folder| point.starts_with(folder)))?;
    }
    std::env::set_current_dir(&directory)?;
    // From now on no capability can be regained, not even by a program of user 0.
    set_no_new_privs(true)?;
    rustix::thread::clear_ambient_capability_set()?;
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?;
    Ok(())
}

/// Makes a path of the old root visible at the same path in the new one.
fn see(path: &Path, real: &Path, may_write: bool) -> io::Result<()> {
    let below = |path: &Path| Path::new(OLD_ROOT).join(path.strip_prefix("/").unwrap_or(path));
    let is_there = |path: &Path| path.symlink_metadata().is_ok();
    if path != real && !is_there(path) {
        let link = fs::read_link(below(path));
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        // If the path itself is not a link, a folder above it is. In the new root that folder is an
        // ordinary one, and the content is mounted a second time.
        match link {
            Ok(to) => symlink(to, path)?,
            Err(_) => bind(&below(real), path)?,
        }
    }
    if may_write || !is_there(real) {
        bind(&below(real), real)?;
    }
    Ok(())
}

fn bind(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
    } else if to.symlink_metadata().is_err() {
        to.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::File::create_new(to)?;
    }
    // Mounts below that may not be removed are bound too.
    Ok(mount_bind(from, to).or_else(|_| mount_bind_recursive(from, to))?)
}

/// Remounts a path with restrictions: without setuid programs, outside `/dev` without devices, and
/// read-only unless `may_write` is set. A device accepts bytes even on a read-only mount.
fn restrict(point: &Path, may_write: bool) -> io::Result<()> {
    let mut flags = MountFlags::BIND | MountFlags::NOSUID | existing_restrictions(point)?;
    if !point.starts_with("/dev") {
        flags |= MountFlags::NODEV;
    }
    if !may_write {
        flags |= MountFlags::RDONLY;
    }
    Ok(mount_remount(point, flags, c"")?)
}

fn mount_points() -> io::Result<Vec<PathBuf>> {
    let table = read_file("/proc/self/mountinfo".as_ref(), MAX_SETTINGS_BYTES)?;
    let lines = table.split(|byte| *byte == b'\n');
    let points = lines.filter_map(|line| line.split(|byte| *byte == b' ').nth(4));
    Ok(points.map(|point| PathBuf::from(OsString::from_vec(unescaped(point)))).collect())
}

/// Decodes the octal escapes of blanks, line ends and backslashes in `/proc/self/mountinfo`.
fn unescaped(mut text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    while let Some((first, rest)) = text.split_first() {
        let digits = rest.get(..3).filter(|_| *first == b'\\');
        let byte = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        if let Some(byte) = byte.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            out.push(byte);
            text = &rest[3..];
        } else {
            out.push(*first);
            text = rest;
        }
    }
    out
}

fn existing_restrictions(path: &Path) -> io::Result<MountFlags> {
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

#[cfg(test)]
mod tests {
    use crate::host::process::private_root::*;

    #[test]
    fn a_mount_point_is_read_as_the_kernel_writes_it() {
        assert_eq!(unescaped(br"/a\040b\134c\"), br"/a b\c\");
        assert_eq!(unescaped(b"/plain"), b"/plain");
    }
}
