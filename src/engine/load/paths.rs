//! Cleans paths as Go does.

use std::path::{Component, Path, PathBuf};

/// The path without `.`, `..` and doubled slashes (Go: `filepath.Clean`).
pub fn clean(path: &Path) -> PathBuf {
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
