//! What kzui keeps for the user: where it stands, in folders that only its owner can read, in files that are never half
//! written.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The user's folders of configuration, state, data and cache; none where the user has no home.
pub fn folders() -> Option<directories::ProjectDirs> {
    directories::ProjectDirs::from("", "", "kzui")
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

/// Writes a file, which is its owner's alone, so that nobody ever sees half of it. Makes its folder.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    private_folder(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
