//! The open documents, and the files with their texts over the disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use crate::draft::DraftedFiles;
use crate::engine::load::{FileError, FileKind, Files};

/// Limit of a document; a longer one is not checked.
pub(crate) const MAX_DOCUMENT_BYTES: usize = 8 * 1024 * 1024;
/// Limit of open documents; further ones are not checked.
pub(crate) const MAX_DOCUMENTS: usize = 256;

/// The texts of open documents, by path.
pub(crate) type Texts = BTreeMap<PathBuf, Arc<[u8]>>;

/// The files of the disk with the texts of open documents over them. The texts change only between
/// two checks.
pub(crate) struct EditedFiles {
    disk: Arc<dyn Files>,
    current: RwLock<Arc<DraftedFiles>>,
}

impl EditedFiles {
    pub(crate) fn new(disk: Arc<dyn Files>) -> Self {
        let none = DraftedFiles::new(std::iter::empty(), disk.clone());
        Self { disk, current: RwLock::new(Arc::new(none)) }
    }

    pub(crate) fn set(&self, texts: &Texts) {
        let drafts = texts.iter().map(|(path, text)| (path.clone(), Some(text.clone())));
        let drafted = Arc::new(DraftedFiles::new(drafts, self.disk.clone()));
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = drafted;
    }

    fn current(&self) -> Arc<DraftedFiles> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Files for EditedFiles {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        self.current().resolve(path)
    }

    fn resolve_below(
        &self,
        directory: &Path,
        path: &Path,
    ) -> Result<(PathBuf, FileKind), FileError> {
        self.current().resolve_below(directory, path)
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        self.current().read(path)
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        self.current().list(path)
    }

    fn trusts_settings(&self, file: &Path, target: &Path, is_in_git: bool) -> bool {
        self.current().trusts_settings(file, target, is_in_git)
    }
}
