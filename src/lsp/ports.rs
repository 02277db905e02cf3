//! The ports of the language server: all of them only read.

use std::path::Path;
use std::sync::Arc;

use crate::answers::RepositoryBuilds;
use crate::draft::WriteScope;
use crate::engine::evaluate::Cancel;
use crate::engine::load::Files;

/// The ports of the language server.
pub trait EditorPorts: Send + Sync {
    /// The files on disk.
    fn files(&self) -> Arc<dyn Files>;
    /// The builds of the repository around a folder, which read these files and end when they are
    /// cancelled; `None` for a folder that does not exist. They run no program and fetch no
    /// remote.
    fn repository(
        &self,
        folder: &Path,
        files: Arc<dyn Files>,
        cancel: Arc<dyn Cancel>,
    ) -> Option<RepositoryBuilds>;
    /// The files that a fix may edit, for a file in the repository.
    fn scope(&self, file: &Path) -> WriteScope;
    /// The random salt for the marks of masked values.
    fn salt(&self) -> [u8; 16];
}
