//! A walk through the files and folders below a folder.

use std::path::{Path, PathBuf};

use super::{FileKind, Files};

/// The limit for the folders of a repository that a search enters, above those of real repositories.
pub const MAX_SEARCHED_FOLDERS: usize = 20_000;
const MAX_DEPTH: usize = 64;

/// A file or folder below the folder of a walk.
pub struct WalkEntry<'w> {
    /// The path relative to the folder of the walk.
    pub shown: &'w str,
    pub path: PathBuf,
    pub real: PathBuf,
    pub kind: FileKind,
}

impl WalkEntry<'_> {
    /// True for a folder that is no link.
    pub fn is_own_folder(&self) -> bool {
        self.kind == FileKind::Directory && self.real == self.path
    }
}

/// Visits the files and folders below a folder, in the order of names; `visit` returns true to enter
/// a folder, and at most `max_folders` are entered. A link to a missing destination is skipped.
pub fn walk(
    (folder, max_folders): (&Path, usize),
    files: &dyn Files,
    visit: &mut dyn FnMut(&WalkEntry<'_>) -> bool,
) {
    let names = |folder: &Path, shown: &str| {
        let names = files.list(folder).unwrap_or_default().into_iter().rev();
        names
            .map(|name| if shown.is_empty() { name } else { format!("{shown}/{name}") })
            .collect::<Vec<String>>()
    };
    let mut waiting = names(folder, "");
    let mut entered = 0;
    while let Some(shown) = waiting.pop() {
        let path = folder.join(&shown);
        let Ok((real, kind)) = files.resolve(&path) else { continue };
        let entry = WalkEntry { shown: &shown, path, real, kind };
        let is_entered = visit(&entry) && kind == FileKind::Directory && entered < max_folders;
        if is_entered && shown.split('/').count() <= MAX_DEPTH {
            entered += 1;
            waiting.extend(names(&entry.path, &shown));
        }
    }
}
