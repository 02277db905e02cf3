//! Paths as Go cleans them.

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

/// True for a path that surely has nothing to clean: no empty part, and none that begins with a dot but a name like
/// `.github`.
fn is_clean(path: &Path) -> bool {
    let Some(path) = path.to_str() else { return false };
    path.strip_prefix('/').unwrap_or(path).split('/').all(|part| !matches!(part, "" | "." | ".."))
}
