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
    ///
    /// # Errors
    /// The reason in words.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::load::MemoryFiles;

    #[test]
    fn files_outside_are_refused_with_the_reason() {
        let files = MemoryFiles::default()
            .file("/r/.git/HEAD", "")
            .file("/r/base/kustomization.yaml", "")
            .file("/r/module/.git", "gitdir: ../.git/modules/module")
            .file("/r/module/kustomization.yaml", "")
            .file("/r/clone/.git/HEAD", "")
            .file("/r/clone/a/kustomization.yaml", "")
            .file("/rest/kustomization.yaml", "");
        let scope = WriteScope::below([PathBuf::from("/r")]);
        let reason = |path: &str| scope.check(Path::new(path), &files).err().unwrap_or_default();
        assert_eq!(reason("/r/base/kustomization.yaml"), "");
        assert_eq!(reason("/r/base/new.yaml"), "");
        assert_eq!(reason("/r/module/kustomization.yaml"), "");
        let outside = "/rest/kustomization.yaml is outside /r";
        assert_eq!(reason("/rest/kustomization.yaml"), outside);
        assert_eq!(reason("/r/base/../../rest/kustomization.yaml"), outside);
        assert_eq!(
            reason("/r/clone/a/kustomization.yaml"),
            "/r/clone/a/kustomization.yaml belongs to another repository, /r/clone"
        );
        assert_eq!(reason("/r/.git/HEAD"), "/r/.git/HEAD is an internal file of git");
        assert!(WriteScope::default().check(Path::new("/rest/x"), &files).is_ok());
    }
}
