//! Cleans paths as Go does.

use std::path::{Component, Path, PathBuf};

/// The path without `.`, `..` and doubled slashes (Go: `filepath.Clean`).
pub fn clean(path: &Path) -> PathBuf {
    if is_clean(path) {
        return path.to_owned();
    }
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => match out.components().next_back() {
                Some(Component::Normal(_)) => {
                    out.pop();
                }
                Some(Component::RootDir) => {}
                _ => out.push(".."),
            },
            other => out.push(other),
        }
    }
    if out.as_os_str().is_empty() { PathBuf::from(".") } else { out }
}

/// True for a path from the root of the file system. In a browser, [`Path::is_absolute`] is false
/// for every path, because a path there belongs to no system.
pub fn is_absolute(path: &Path) -> bool {
    path.is_absolute() || cfg!(target_family = "wasm") && path.has_root()
}

/// Same as [`clean`], but without a copy if the path is already clean, as most paths are.
pub(super) fn cleaned(path: PathBuf) -> PathBuf {
    if is_clean(&path) { path } else { clean(&path) }
}

/// True only if a path is clean. Parts must not be empty, `.` or `..`; names like `.github` are
/// fine.
fn is_clean(path: &Path) -> bool {
    let Some(path) = path.to_str().map(str::as_bytes) else { return false };
    let mut parts = path.strip_prefix(b"/").unwrap_or(path).split(|byte| *byte == b'/');
    parts.all(|part| !matches!(part, b"" | b"." | b".."))
}

/// The rest of a path below a directory, as [`Path::strip_prefix`] returns it. Most paths begin
/// with the text of the directory, so that no parts have to be compared.
pub fn below<'p>(path: &'p Path, directory: &Path) -> Option<&'p Path> {
    let as_written = || {
        let rest = path.to_str()?.strip_prefix(directory.to_str()?)?.strip_prefix('/')?;
        let is_clean_below = !rest.starts_with('/') && is_clean(Path::new(rest));
        (!directory.as_os_str().is_empty() && is_clean_below).then(|| Path::new(rest))
    };
    as_written().or_else(|| path.strip_prefix(directory).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_equals_strip_prefix() {
        let texts =
            ["", "/", "a", "/a", "/a/", "/a/b", "/a//b", "/a/./b", "/ab", "/a/b/c", "a/b", "/a/.."];
        for path in texts.map(Path::new) {
            for directory in texts.map(Path::new) {
                let parts = path.strip_prefix(directory).ok();
                assert_eq!(below(path, directory), parts, "{path:?} {directory:?}");
            }
        }
    }
}
