//! The files that may be written.

use std::path::{Path, PathBuf};

use super::files::resolve_new;
use crate::engine::load::{FileKind, Files};

/// The folders of the files that may be written, links resolved. The default is unlimited, for
/// texts that are only tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WriteScope(Option<Vec<PathBuf>>);

impl WriteScope {
    /// Limits writes to files below these folders, in which links are resolved.
    pub fn below(roots: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut roots: Vec<PathBuf> = roots.into_iter().collect();
        roots.sort_unstable();
        roots.dedup();
        Self(Some(roots))
    }

    /// Checks that a file may be written: its real path is below one of the folders, in no folder
    /// of git, and in no clone of another repository. A submodule is a part of the repository
    /// around it.
    pub fn check(&self, path: &Path, files: &dyn Files) -> Result<(), String> {
        let Some(roots) = &self.0 else { return Ok(()) };
        let unknown = |error| format!("{}: {error}", path.display());
        let real = resolve_new(files, path).map_err(unknown)?;
        let names: Vec<String> = roots.iter().map(|root| root.display().to_string()).collect();
        let mut reason = format!("{} is outside {}", real.display(), names.join(" and "));
        for root in roots.iter().filter(|root| real.starts_with(root)) {
            match check_below_root(root, &real, files) {
                Ok(()) => return Ok(()),
                Err(other) => reason = other,
            }
        }
        Err(reason)
    }
}

fn check_below_root(root: &Path, real: &Path, files: &dyn Files) -> Result<(), String> {
    let (below, shown) = (real.strip_prefix(root).unwrap_or(real), real.display());
    if below.components().any(|part| part.as_os_str() == ".git") {
        return Err(format!("{shown} is an internal file of git"));
    }
    let between = real.ancestors().skip(1).take_while(|folder| *folder != root);
    for folder in between {
        // In a submodule, `.git` is a file.
        if matches!(files.resolve(&folder.join(".git")), Ok((_, FileKind::Directory))) {
            let other = folder.display();
            return Err(format!("{shown} belongs to another repository, {other}"));
        }
    }
    Ok(())
}

/// The root of the git work tree around a path, links resolved; without git the folder of the path.
/// `None` if the path does not exist.
pub fn work_tree_root(path: &Path, files: &dyn Files) -> Option<PathBuf> {
    let (real, kind) = files.resolve(path).ok()?;
    let folder = if kind == FileKind::File { real.parent()? } else { &real };
    let has_git = |above: &&Path| files.resolve(&above.join(".git")).is_ok();
    Some(folder.ancestors().find(has_git).unwrap_or(folder).to_owned())
}
