//! Programs in the folders of `PATH`.

use std::path::{Path, PathBuf};

/// The first executable file of this name in `PATH`.
pub(in crate::host) fn find_in_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut candidates = std::env::split_paths(&path).map(|folder| folder.join(name));
    candidates.find(|candidate| candidate.is_absolute() && is_executable(candidate))
}

#[cfg(unix)]
pub(in crate::host) fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
pub(in crate::host) fn is_executable(path: &Path) -> bool {
    path.is_file()
}
