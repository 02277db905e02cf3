//! Entries that are no readable files.

use crate::diagnostic::TextPurpose;
use crate::load::{FileError, LoadError, RemoteError};
use crate::manifest::Marked;
use crate::transform::TransformError;
use crate::yaml::{Mark, SourceId, YamlError};

/// The reason why an entry is no readable file.
pub(super) enum Unreadable {
    /// The file cannot be had.
    File(LoadError),
    Yaml(YamlError, SourceId),
}

impl Unreadable {
    /// True if no other interpretation may be tried: a server responded with an error status, the
    /// connection is insecure, or the limit of file memory is reached.
    pub(super) fn is_final(&self) -> bool {
        matches!(
            self,
            Self::File(
                LoadError::HttpStatus { .. }
                    | LoadError::Remote(RemoteError::Insecure(_))
                    | LoadError::Read { source: FileError::TooMuch { .. }, .. }
            )
        )
    }

    /// The error of the entry.
    pub(super) fn into_error(self, entry: &Marked<String>) -> TransformError {
        match self {
            Self::File(source) => {
                let reading = TextPurpose::Resources(entry.value.as_str().into());
                TransformError::Load { reading, mark: entry.mark, source }
            }
            Self::Yaml(source, file) => {
                let mark = Mark {
                    source: file,
                    line: source.line,
                    column: source.column,
                    ..Mark::default()
                };
                TransformError::Yaml { reading: TextPurpose::ResourceFile, mark, source }
            }
        }
    }

    /// Kustomize reports only the syntax error of a file, and both errors otherwise. One is enough
    /// here: the one that fits the kind of entry.
    pub(super) fn together_with(
        self,
        directory: LoadError,
        entry: &Marked<String>,
    ) -> TransformError {
        let is_file =
            |url: &str| [".yaml", ".yml", ".json"].into_iter().any(|ending| url.ends_with(ending));
        match (&self, &directory) {
            // Neither the file nor a repository was fetched yet, and the URL is that of a file.
            (
                Self::File(LoadError::Remote(RemoteError::NotAllowed { .. })),
                LoadError::Remote(RemoteError::NotAllowed { .. }),
            ) if is_file(&entry.value) => self.into_error(entry),
            // A URL is no path: the fetch error is more useful than a missing directory. A read
            // error of a file is more useful than the fact that it is no directory.
            (Self::Yaml(..), _)
            | (Self::File(LoadError::Remote(_)), LoadError::NotDirectory { .. })
            | (
                Self::File(LoadError::OutsideRoot { .. } | LoadError::Read { .. }),
                LoadError::FileNotDirectory { .. },
            ) => self.into_error(entry),
            _ => TransformError::Load {
                reading: TextPurpose::Resources(entry.value.as_str().into()),
                mark: entry.mark,
                source: directory,
            },
        }
    }
}
