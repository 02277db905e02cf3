//! Files in memory that a workbench under test writes to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

use kzui::engine::load::{FileError, FileKind, Files, MemoryFiles};

/// Files in memory that can be written.
#[derive(Default)]
pub(crate) struct Disk(RwLock<BTreeMap<PathBuf, Arc<[u8]>>>, RwLock<MemoryFiles>);

impl Disk {
    pub(crate) fn insert(&self, path: PathBuf, bytes: Arc<[u8]>) {
        let mut memory = self.1.write().unwrap();
        *memory = std::mem::take(&mut *memory).file(&path, &bytes);
        self.0.write().unwrap().insert(path, bytes);
    }

    pub(super) fn remove(&self, path: &Path) {
        let mut files = self.0.write().unwrap();
        files.remove(path);
        let all = files.iter();
        *self.1.write().unwrap() =
            all.fold(MemoryFiles::default(), |memory, (path, bytes)| memory.file(path, bytes));
    }

    /// True if the file exists.
    pub(crate) fn has_file(&self, path: &str) -> bool {
        self.0.read().unwrap().contains_key(Path::new(path))
    }

    /// The text of a file.
    pub(crate) fn text(&self, path: &str) -> String {
        String::from_utf8(self.0.read().unwrap()[Path::new(path)].to_vec()).unwrap()
    }

    /// Changes a file without the knowledge of the workbench.
    pub(crate) fn put(&self, path: &str, text: &str) {
        self.insert(path.into(), text.as_bytes().into());
    }
}

impl Files for Disk {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        self.1.read().unwrap().resolve(path)
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        self.1.read().unwrap().read(path)
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        self.1.read().unwrap().list(path)
    }
}

impl Disk {
    /// The bytes of a file.
    pub(super) fn bytes(&self, path: &Path) -> Option<Arc<[u8]>> {
        self.0.read().unwrap().get(path).cloned()
    }

    /// All files by path.
    pub(crate) fn all_files(&self) -> BTreeMap<PathBuf, Arc<[u8]>> {
        self.0.read().unwrap().clone()
    }
}
