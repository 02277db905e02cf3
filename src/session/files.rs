//! The draft's files over those on disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::load::{FileError, FileKind, Files, clean};

/// Reads the draft's text where there is one, and the disk everywhere else.
pub(super) struct Overlay {
    /// By the path that was edited, and by what it resolves to.
    drafts: BTreeMap<PathBuf, Arc<[u8]>>,
    disk: Arc<dyn Files>,
}

impl Overlay {
    pub(super) fn new(
        drafts: impl Iterator<Item = (PathBuf, Arc<[u8]>)>,
        disk: Arc<dyn Files>,
    ) -> Self {
        let mut all = BTreeMap::new();
        for (path, text) in drafts {
            if let Ok(resolved) = resolve_new(disk.as_ref(), &path) {
                all.insert(resolved, Arc::clone(&text));
            }
            all.insert(path, text);
        }
        Self { drafts: all, disk }
    }

    fn draft(&self, path: &Path) -> Option<(PathBuf, &Arc<[u8]>)> {
        let path = clean(path);
        if let Some(text) = self.drafts.get(&path) {
            return Some((resolve_new(self.disk.as_ref(), &path).unwrap_or(path), text));
        }
        let resolved = resolve_new(self.disk.as_ref(), &path).ok()?;
        let text = self.drafts.get(&resolved)?;
        Some((resolved, text))
    }

    fn is_new_directory(&self, path: &Path) -> bool {
        let path = clean(path);
        self.drafts.keys().any(|draft| draft.starts_with(&path) && *draft != path)
    }
}

/// What a path resolves to, also when its last part is not there yet.
fn resolve_new(disk: &dyn Files, path: &Path) -> Result<PathBuf, FileError> {
    match disk.resolve(path) {
        Ok((resolved, _)) => Ok(resolved),
        Err(error) => {
            let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
                return Err(error);
            };
            Ok(disk.resolve(parent)?.0.join(name))
        }
    }
}

impl Files for Overlay {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        match self.disk.resolve(path) {
            Ok(found) => Ok(found),
            Err(error) => match self.draft(path) {
                Some((resolved, _)) => Ok((resolved, FileKind::File)),
                None if self.is_new_directory(path) => Ok((clean(path), FileKind::Directory)),
                None => Err(error),
            },
        }
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        match self.draft(path) {
            Some((_, text)) => Ok(Arc::clone(text)),
            None => self.disk.read(path),
        }
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        let names = self.disk.list(path);
        let directory = self.disk.resolve(path).map_or_else(|_| clean(path), |(path, _)| path);
        let below = self.drafts.keys().filter_map(|draft| {
            let name = draft.strip_prefix(&directory).ok()?.components().next()?;
            Some(name.as_os_str().to_string_lossy().into_owned())
        });
        let mut all: Vec<String> = below.collect();
        if all.is_empty() {
            return names;
        }
        all.extend(names.unwrap_or_default());
        all.sort();
        all.dedup();
        Ok(all)
    }
}
