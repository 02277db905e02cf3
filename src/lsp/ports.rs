//! The ports of the language server: all of them only read.

use std::path::{Path, PathBuf};

use crate::answers::RepositoryBuilds;
use crate::draft::WriteScope;

pub trait EditorPorts: Send + Sync {
    /// The builds of the repository around a folder; `None` for a folder that does not exist. They
    /// run no program and fetch no remote.
    fn repository(&self, folder: &Path) -> Option<RepositoryBuilds>;
    /// The files that were read, or are new in a repository, and changed on disk since they were last
    /// reported here. Compares states, and reads no file.
    fn changed_files(&self) -> Vec<PathBuf>;
    /// The path of a file with links resolved; unchanged if the file does not exist.
    fn real_path(&self, path: PathBuf) -> PathBuf;
    /// The files that a fix may edit, for a file in the repository.
    fn scope(&self, file: &Path) -> WriteScope;
}
