//! The drafted texts of files over the files on disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::load::{FileError, FileKind, Files, clean};

pub struct DraftedFiles {
    drafts: BTreeMap<PathBuf, DraftText>,
    disk: Arc<dyn Files>,
}

pub(super) type DraftText = Option<Arc<[u8]>>;

impl DraftedFiles {
    /// Lays drafted texts over the files on disk; a file whose text is `None` is missing.
    pub fn new(drafts: impl Iterator<Item = (PathBuf, DraftText)>, disk: Arc<dyn Files>) -> Self {
        let mut all = BTreeMap::new();
        for (path, text) in drafts {
            if let Ok(resolved) = resolve_new(disk.as_ref(), &path) {
                all.insert(resolved, text.clone());
            }
            all.insert(path, text);
        }
        Self { drafts: all, disk }
    }

    fn draft(&self, path: &Path) -> Option<(PathBuf, &DraftText)> {
        let path = clean(path);
        if let Some(text) = self.drafts.get(&path) {
            return Some((resolve_new(self.disk.as_ref(), &path).unwrap_or(path), text));
        }
        let resolved = resolve_new(self.disk.as_ref(), &path).ok()?;
        let text = self.drafts.get(&resolved)?;
        Some((resolved, text))
    }

    /// True for a directory that contains a file with a drafted text, at any depth.
    fn is_new_directory(&self, path: &Path) -> bool {
        let path = clean(path);
        let mut drafts = self.drafts.iter().filter(|(_, text)| text.is_some());
        drafts.any(|(draft, _)| draft.starts_with(&path) && *draft != path)
    }
}

/// The resolved path of a file, even if its last part does not exist yet.
pub(super) fn resolve_new(disk: &dyn Files, path: &Path) -> Result<PathBuf, FileError> {
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

impl DraftedFiles {
    fn resolve_drafted(
        &self,
        path: &Path,
        on_disk: Result<(PathBuf, FileKind), FileError>,
    ) -> Result<(PathBuf, FileKind), FileError> {
        match on_disk {
            Ok((resolved, _)) if self.is_deleted(path, &resolved) => {
                Err(FileError::Missing { path: path.to_owned() })
            }
            Ok(found) => Ok(found),
            Err(error) => match self.draft(path) {
                Some((resolved, Some(_))) => Ok((resolved, FileKind::File)),
                _ if self.is_new_directory(path) => Ok((clean(path), FileKind::Directory)),
                _ => Err(error),
            },
        }
    }

    fn is_deleted(&self, path: &Path, resolved: &Path) -> bool {
        if self.drafts.values().all(Option::is_some) {
            return false;
        }
        let text = self.drafts.get(&clean(path)).or_else(|| self.drafts.get(resolved));
        matches!(text, Some(None))
    }
}

impl Files for DraftedFiles {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        self.resolve_drafted(path, self.disk.resolve(path))
    }

    fn resolve_below(
        &self,
        directory: &Path,
        path: &Path,
    ) -> Result<(PathBuf, FileKind), FileError> {
        self.resolve_drafted(path, self.disk.resolve_below(directory, path))
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        match self.draft(path) {
            Some((_, Some(text))) => Ok(Arc::clone(text)),
            Some((_, None)) => Err(FileError::Missing { path: path.to_owned() }),
            None => self.disk.read(path),
        }
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        let names = self.disk.list(path);
        let directory = self.disk.resolve(path).map_or_else(|_| clean(path), |(path, _)| path);
        let below = self.drafts.iter().filter_map(|(draft, text)| {
            let mut parts = draft.strip_prefix(&directory).ok()?.components();
            let name = parts.next()?.as_os_str().to_string_lossy().into_owned();
            // A directory is kept if a file in it is deleted.
            let goes = text.is_none() && parts.next().is_none();
            (text.is_some() || goes).then_some((name, goes))
        });
        let (gone, mut all): (Vec<_>, Vec<_>) = below.partition(|(_, goes)| *goes);
        if gone.is_empty() && all.is_empty() {
            return names;
        }
        let names = names.unwrap_or_default().into_iter().map(|name| (name, false));
        let stays = |name: &(String, bool)| gone.iter().all(|(gone, _)| *gone != name.0);
        all.extend(names.filter(stays));
        let mut all: Vec<String> = all.into_iter().map(|(name, _)| name).collect();
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }

    fn generation(&self) -> u64 {
        self.disk.generation()
    }

    fn edits(&self) -> Option<(&Arc<dyn Files>, Vec<PathBuf>)> {
        Some((&self.disk, self.drafts.keys().cloned().collect()))
    }

    fn trusts_settings(&self, file: &Path, target: &Path, is_in_git: bool) -> bool {
        self.disk.trusts_settings(file, target, is_in_git)
    }
}
