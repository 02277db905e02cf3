//! The folders for kzui's own files of the user.

use std::path::{Path, PathBuf};

/// The user's folders of configuration, state, data and cache; `None` if the user has no home.
///
/// A relative home would mean another folder in every directory: it counts as missing.
pub fn folders() -> Option<directories::ProjectDirs> {
    let folders = directories::ProjectDirs::from("", "", "kzui")?;
    folders.config_dir().is_absolute().then_some(folders)
}

/// The user's cache folder (`~/.cache/kzui`); if the user has no home, a folder among the system's
/// temporary files.
pub(in crate::host) fn cache_folder() -> PathBuf {
    folders().map_or_else(
        || std::env::temp_dir().join("kzui-cache"),
        |folders| folders.cache_dir().to_owned(),
    )
}

/// The user's state folder (`~/.local/state/kzui`).
pub(in crate::host) fn state_folder() -> Option<PathBuf> {
    folders().map(|dirs| dirs.state_dir().unwrap_or_else(|| dirs.data_local_dir()).to_owned())
}

/// The folders that contain only files of kzui.
pub(in crate::host) fn kzui_folders() -> Vec<PathBuf> {
    let mut own = vec![cache_folder()];
    if let Some(folders) = folders() {
        own.extend(
            [folders.config_dir(), folders.data_dir(), folders.data_local_dir()]
                .map(Path::to_owned),
        );
    }
    own.extend(state_folder());
    own
}
