//! Files of a recording, unpacked for the time in which they are shown.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::ending::temporary_folder;

/// A temporary folder that only this user can read; removed on drop and when a signal ends this
/// process.
pub struct UnpackedFolder {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl UnpackedFolder {
    /// Writes files and folders into a new temporary folder. The paths are relative, without `..`;
    /// no content is a folder.
    pub fn create<'p>(
        files: impl Iterator<Item = (&'p Path, Option<Arc<[u8]>>)>,
    ) -> io::Result<Self> {
        let folder = temporary_folder()?;
        for (path, content) in files {
            let path = folder.path().join(path);
            let above = if content.is_some() { path.parent().unwrap_or(&path) } else { &path };
            fs_err::create_dir_all(above)?;
            if let Some(content) = content {
                fs_err::write(&path, content)?;
            }
        }
        let path = fs_err::canonicalize(folder.path())?;
        Ok(Self { _folder: folder, path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}
