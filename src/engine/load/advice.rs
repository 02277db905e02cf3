//! Hints for files and directories that cannot be loaded.

use std::path::{Path, PathBuf};

use super::{FileError, Files, LoadError, nearest_name};

/// A hint for the author of an entry whose file or directory cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadAdvice {
    /// A similar name exists.
    #[error("did you mean `{0}`?")]
    Near(String),
    /// A file or folder is not there: its name.
    #[error("`{0}` does not exist: correct the path, or take the entry out")]
    Missing(String),
    /// A folder on the way is not there: its name.
    #[error("the folder `{0}` does not exist: correct the path, or take the entry out")]
    MissingFolder(String),
    /// The target of the build is not there: the name of it, or of a folder above it.
    #[error("`{0}` does not exist: correct the path")]
    MissingTarget(String),
    /// A root is written from the root of the machine.
    #[error("write it relative to this file")]
    Relative,
    #[error("take the empty entry out")]
    TakeOut,
    /// The file lies outside of the directory that its layer may read.
    #[error(
        "move the file below {}, or allow it: --load-restrictor LoadRestrictionsNone once, \
         `load_restrictor = \"LoadRestrictionsNone\"` in .kzui.toml for the repository", .0.display()
    )]
    Below(PathBuf),
    /// The files of the build are too large together.
    #[error("take large files out of the target, or build it in parts")]
    InParts,
    /// A layer builds on itself.
    #[error(
        "a layer builds neither on itself nor on a directory above it: move the shared part into a separate directory"
    )]
    Apart,
}

impl LoadAdvice {
    /// For the target of the build, which no entry lists.
    #[must_use]
    pub fn for_target(self) -> Self {
        match self {
            Self::Missing(name) | Self::MissingFolder(name) => Self::MissingTarget(name),
            other => other,
        }
    }
}

impl LoadError {
    /// The hint, for errors that have one.
    pub fn hint(&self) -> Option<LoadAdvice> {
        Some(match self {
            Self::Resolve { near: Some(near), .. } => LoadAdvice::Near(near.clone()),
            Self::Resolve { path, source: FileError::Missing { path: missing }, .. } => {
                let name = missing.file_name()?.to_string_lossy().into_owned();
                if missing == path {
                    LoadAdvice::Missing(name)
                } else {
                    LoadAdvice::MissingFolder(name)
                }
            }
            Self::NotDirectory { source } => return source.hint(),
            Self::AbsoluteRoot(_) => LoadAdvice::Relative,
            Self::EmptyRoot => LoadAdvice::TakeOut,
            Self::OutsideRoot { root, .. } => LoadAdvice::Below(root.clone()),
            Self::Cycle { .. } => LoadAdvice::Apart,
            Self::Read { source: FileError::TooMuch { .. }, .. } => LoadAdvice::InParts,
            _ => return None,
        })
    }

    /// The missing file or folder, if that is the error.
    pub fn missing(&self) -> Option<&Path> {
        match self {
            Self::Resolve { source: FileError::Missing { path }, .. } => Some(path),
            Self::NotDirectory { source } => source.missing(),
            _ => None,
        }
    }

    /// The error; for a missing path with a similar name beside it.
    pub(super) fn advised(self, files: &dyn Files) -> Self {
        match self {
            Self::Resolve { path, source, near: None } => Self::unresolved(&path, source, files),
            other => other,
        }
    }

    /// The error for a missing path, with a similar name beside it.
    pub(super) fn unresolved(path: &Path, source: FileError, files: &dyn Files) -> Self {
        Self::Resolve { near: near(&source, files), path: path.to_owned(), source }
    }
}

fn near(error: &FileError, files: &dyn Files) -> Option<String> {
    let FileError::Missing { path } = error else { return None };
    let (folder, name) = (path.parent()?, path.file_name()?.to_str()?);
    let names = files.list(folder).ok()?;
    nearest_name(name, names.iter().map(String::as_str)).map(str::to_owned)
}
