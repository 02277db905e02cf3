//! What kzui keeps for the user: where it stands, in folders that only its owner can read, in files that are never half
//! written.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The user's folders of configuration, state, data and cache; none where the user has no home.
///
/// A home that is no absolute path would mean another folder in every directory: it counts as none.
pub fn folders() -> Option<directories::ProjectDirs> {
    let folders = directories::ProjectDirs::from("", "", "kzui")?;
    folders.config_dir().is_absolute().then_some(folders)
}

/// The user's cache folder (`~/.cache/kzui`), or one among the temporary files where there is no home.
pub(super) fn cache_folder() -> PathBuf {
    folders().map_or_else(
        || std::env::temp_dir().join("kzui-cache"),
        |folders| folders.cache_dir().to_owned(),
    )
}

/// Makes a folder that only its owner can read: what is kept may be secret.
pub(super) fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Keeps the report of a fault in the user's state folder, in place of the one before, and says where.
///
/// # Errors
/// When there is no home, or the system refuses.
pub fn keep_report(text: &str) -> io::Result<PathBuf> {
    let path =
        state_folder().ok_or_else(|| io::Error::other("there is no home"))?.join("fault.txt");
    write_whole(&path, text.as_bytes())?;
    Ok(path)
}

/// The user's state folder (`~/.local/state/kzui`).
pub(super) fn state_folder() -> Option<PathBuf> {
    folders().map(|dirs| dirs.state_dir().unwrap_or_else(|| dirs.data_local_dir()).to_owned())
}

/// Begins what stands for a path that is no text.
const BYTES: &str = "bytes:";

/// A path as a text that [`path_of`] reads, whatever its bytes are.
pub(super) fn text_of(path: &Path) -> String {
    use base64::Engine as _;
    let bytes = path.as_os_str().as_encoded_bytes();
    path.to_str().map_or_else(
        || format!("{BYTES}{}", base64::engine::general_purpose::STANDARD.encode(bytes)),
        str::to_owned,
    )
}

/// The path of a text that [`text_of`] made.
pub(super) fn path_of(text: &str) -> PathBuf {
    #[cfg(unix)]
    {
        use base64::Engine as _;
        use std::os::unix::ffi::OsStringExt as _;
        let bytes = text.strip_prefix(BYTES);
        let bytes =
            bytes.and_then(|text| base64::engine::general_purpose::STANDARD.decode(text).ok());
        if let Some(bytes) = bytes {
            return std::ffi::OsString::from_vec(bytes).into();
        }
    }
    text.into()
}

/// Has the names in a folder on the disk. Where a folder cannot be synced, its names are as good as written.
pub(super) fn sync_folder(folder: &Path) {
    if let Ok(folder) = std::fs::File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// Writes a file, which is its owner's alone, so that nobody ever sees half of it. Makes its folder.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    private_folder(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(folder);
    Ok(())
}
