//! What to do about a file or a directory that cannot be loaded.

use std::path::Path;

use super::{FileError, Files, LoadError, nearest_name};

impl LoadError {
    /// What the person who wrote the entry can do, where that is known.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Resolve { near: Some(near), .. } => format!("did you mean `{near}`?"),
            Self::Resolve { path, source: FileError::Missing { path: missing }, .. } => {
                let name = missing.file_name()?.to_string_lossy();
                let what = if missing == path { "" } else { "the folder " };
                format!("{what}`{name}` is not there: correct the path, or take the entry out")
            }
            Self::NotDirectory { source } => return source.hint(),
            Self::AbsoluteRoot(_) => "write it relative to this file".to_owned(),
            Self::EmptyRoot => "take the empty entry out".to_owned(),
            Self::OutsideRoot { root, .. } => format!(
                "move the file below {}, or allow it with --load-restrictor LoadRestrictionsNone",
                root.display()
            ),
            Self::Cycle { .. } => {
                "a layer builds neither on itself nor on a directory above it: move what both need into a directory \
                 of its own"
                    .to_owned()
            }
            _ => return None,
        })
    }

    /// The file or folder that is not there, where that is what is wrong.
    pub fn missing(&self) -> Option<&Path> {
        match self {
            Self::Resolve { source: FileError::Missing { path }, .. } => Some(path),
            Self::NotDirectory { source } => source.missing(),
            _ => None,
        }
    }

    /// The error, of a path that leads nowhere with the name beside it that was probably meant.
    pub(super) fn advised(self, files: &dyn Files) -> Self {
        match self {
            Self::Resolve { path, source, near: None } => Self::unresolved(&path, source, files),
            other => other,
        }
    }

    /// The error for a path that leads nowhere, with the name beside it that was probably meant.
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
