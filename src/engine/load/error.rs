//! Errors of loading files, directories and remote content.

use std::path::PathBuf;

use super::FileError;

/// The reason why remote content is not fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotFetchedCause {
    #[error("kzui fetches only on request")]
    NotAsked,
    /// The command lacks `--fetch`.
    #[error("kzui fetches only on request: use `kzui build` or --fetch")]
    MissingFetchFlag,
    /// Only cached content may be used.
    #[error("not in the cache, and the build is offline; build once without --offline")]
    Offline,
    /// The cached content was changed.
    #[error("the cached clone was changed since it was fetched; help: fetch it again")]
    Changed,
}

/// The downloads that a command or a build may make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// The user asked for downloads: with `kzui build`, with `--fetch`, or by naming a remote.
    #[default]
    Online,
    /// Only cached content: the user did not ask for downloads.
    Unasked,
    /// Only cached content (`--offline`).
    Offline,
}

impl Network {
    /// The reason why missing content may not be fetched; `None` if it may.
    pub fn not_fetched_cause(self) -> Option<NotFetchedCause> {
        match self {
            Self::Online => None,
            Self::Unasked => Some(NotFetchedCause::MissingFetchFlag),
            Self::Offline => Some(NotFetchedCause::Offline),
        }
    }
}

/// The reason why remote content cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RemoteError {
    /// The user did not request the fetch yet (the workbench fetches only on request), or
    /// `--offline` forbids it.
    #[error("{subject} is not fetched: {why}")]
    NotAllowed {
        subject: String,
        /// The reason, and a hint.
        why: NotFetchedCause,
    },
    /// The git program failed, or took too long.
    #[error("{0}")]
    Git(String),
    /// An answer was refused because it could have been changed on the network. No other source is
    /// tried.
    #[error("{0}")]
    Insecure(String),
    /// No connection, no such host.
    #[error("{0}")]
    Connection(String),
}

/// A clue to the reason why a path does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathClue {
    /// A similar name in the same folder.
    Near(String),
    /// Git ignores the path: a user or a script creates the file before a build.
    IgnoredByGit,
    /// The path of the git submodule with the path, which is not checked out.
    Submodule(Box<str>),
    /// The name of an example of the missing file, in the same folder: a user makes the file from it.
    Example(Box<str>),
}

/// Why a file or a directory could not be loaded. The texts are Kustomize's innermost phrases.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// A broken link or a missing path.
    #[error("evalsymlink failure on '{}' : {source}", path.display())]
    Resolve {
        path: PathBuf,
        #[source]
        source: FileError,
        clue: Option<PathClue>,
    },
    /// A directory instead of a file.
    #[error("'{}' must resolve to a file", path.display())]
    NotFile { path: PathBuf },
    #[error("security; file '{}' is not in or below '{}'", path.display(), root.display())]
    OutsideRoot { path: PathBuf, root: PathBuf },
    /// The file exists but could not be read.
    #[error("{source}")]
    Read {
        path: PathBuf,
        #[source]
        source: FileError,
    },
    #[error("must build at directory: not a valid directory: {source}")]
    NotDirectory {
        #[source]
        source: Box<LoadError>,
    },
    /// The target of the build is an empty argument.
    #[error("must build at directory: directory path cannot be empty")]
    NoDirectory,
    /// A file instead of a directory.
    #[error("must build at directory: '{}': file is not directory", path.display())]
    FileNotDirectory { path: PathBuf },
    #[error("new root '{0}' cannot be absolute")]
    AbsoluteRoot(String),
    #[error("new root cannot be empty")]
    EmptyRoot,
    /// A root that contains one of the roots through which it was reached.
    #[error("cycle detected: candidate root '{}' contains visited root '{}'", candidate.display(), visited.display())]
    Cycle { candidate: PathBuf, visited: PathBuf },
    /// A git target that was already opened in the chain of entries that led to it.
    #[error("cycle detected: URI '{candidate}' referenced by previous URI '{visited}'")]
    RemoteCycle {
        /// The new target, as written.
        candidate: String,
        visited: String,
    },
    /// A base in a clone whose path leads outside the clone.
    #[error("security; bases in kustomizations found in cloned git repos must be within the repo, but base '{}' is outside '{}'", base.display(), repo.display())]
    OutsideClone { base: PathBuf, repo: PathBuf },
    /// A path with `..` inside a segment.
    #[error(
        "path {path:?} is ambiguous: resolves to {cleaned:?} after normalization, which is likely not the intended target; check for YAML indentation errors in your kustomization file"
    )]
    Ambiguous { path: String, cleaned: String },
    #[error("HTTP Error: status code {status} ({reason})")]
    HttpStatus { status: u16, reason: String },
    /// A bad HTTP status for a URL that may be a repository.
    #[error("URL is a git repository")]
    IsRepository,
    #[error("{0}")]
    Remote(#[from] RemoteError),
}
