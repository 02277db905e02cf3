//! Paths without symbolic links.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use crate::engine::load::{FileError, FileKind};

/// The number of links in a path after which it counts as a loop, as in Go.
const MAX_LINKS: usize = 255;

pub(in crate::host) enum PathPart {
    Folder,
    File,
    Link(PathBuf),
}

/// Walks a path part by part as Go's `filepath.EvalSymlinks` does, so that the error names the
/// first missing part. `look` returns the kind of a path that has no links above it.
pub(in crate::host) fn resolve_links(
    mut resolved: PathBuf,
    path: &Path,
    look: impl Fn(&Path) -> Result<PathPart, FileError>,
) -> Result<(PathBuf, FileKind), FileError> {
    let mut rest: VecDeque<OsString> = parts(path).collect();
    let mut kind = FileKind::Directory;
    let mut links = 0;
    while let Some(part) = rest.pop_front() {
        if part == ".." {
            resolved.pop();
            continue;
        }
        if kind == FileKind::File {
            return Err(FileError::Other { reason: "not a directory".to_owned() });
        }
        let next = resolved.join(&part);
        match look(&next)? {
            PathPart::Folder => resolved = next,
            PathPart::File => (kind, resolved) = (FileKind::File, next),
            PathPart::Link(_) if links == MAX_LINKS => {
                return Err(FileError::Other { reason: "EvalSymlinks: too many links".to_owned() });
            }
            PathPart::Link(target) => {
                links += 1;
                if target.is_absolute() {
                    resolved = PathBuf::new();
                }
                rest = parts(&target).chain(rest).collect();
            }
        }
    }
    if resolved.as_os_str().is_empty() {
        resolved.push(".");
    }
    Ok((resolved, kind))
}

/// The parts of a path, starting with its root; `.` is left out.
fn parts(path: &Path) -> impl Iterator<Item = OsString> {
    let parts = path.components().filter(|part| *part != Component::CurDir);
    parts.map(|part| part.as_os_str().to_owned())
}
