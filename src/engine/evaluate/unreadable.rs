//! Entries that cannot be read as files.

use crate::diagnostic::TextPurpose;
use crate::load::{FileError, LoadError, RemoteError};
use crate::manifest::Marked;
use crate::transform::TransformError;
use crate::yaml::{Mark, SourceId, YamlError};

/// The reason why an entry cannot be read as a file.
pub(super) enum Unreadable {
    /// The file cannot be loaded.
    File(LoadError),
    Yaml(YamlError, SourceId),
}

impl Unreadable {
    /// True if the entry must not be tried as a directory or repository: a server responded with an
    /// error status, the connection is insecure, or the limit of file memory is reached.
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

    /// The error for an entry that is certainly a file.
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

    /// Chooses the error for an entry that is neither a readable file nor a directory. Kustomize
    /// reports the syntax error of a file alone, and otherwise both errors; here the one that fits
    /// the kind of entry is enough.
    pub(super) fn choose_error(
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
            // For a URL the fetch error is more useful than "no such directory"; for an existing
            // file the read error is more useful than "not a directory".
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
