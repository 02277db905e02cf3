//! Errors of loading files, directories and remote content.

use std::path::PathBuf;

use super::FileError;

/// The reason why remote content is not fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotFetchedCause {
    #[error("kzui fetches only on request")]
    NotAsked,
    #[error("kzui fetches only on request: use `kzui build` or --fetch")]
    MissingFetchFlag,
    #[error("not in the cache, and the build is offline; build once without --offline")]
    Offline,
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
    /// The fetch was not requested yet (as in the workbench), or `--offline` forbids it.
    #[error("{subject} is not fetched: {why}")]
    NotAllowed { subject: String, why: NotFetchedCause },
    #[error("{0}")]
    Git(String),
    /// The answer could have been changed on the network. No other source is tried.
    #[error("{0}")]
    Insecure(String),
    #[error("{0}")]
    Connection(String),
}

/// A hint for the author of an entry whose file or directory cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadAdvice {
    #[error("did you mean `{0}`?")]
    Near(String),
    #[error("`{0}` does not exist: correct the path, or remove the entry")]
    Missing(String),
    #[error("the folder `{0}` does not exist: correct the path, or remove the entry")]
    MissingFolder(String),
    #[error("git ignores `{0}`: create the file, as before a deployment")]
    Ignored(String),
    #[error("the git submodule `{0}` is not checked out: run `git submodule update --init`")]
    Submodule(String),
    #[error("make `{0}` from `{1}`, as before a deployment")]
    FromExample(String, String),
    #[error("{} do not exist: correct the paths, or remove the entries", quoted(.0))]
    MissingEntries(Vec<String>),
    #[error(
        "{} {}: correct the path, or delete this kustomization, which has no other entry", quoted(.0),
        if .0.len() == 1 { "does not exist" } else { "do not exist" }
    )]
    OnlyMissingEntries(Vec<String>),
    /// The build target does not exist: the name of the target or of a missing folder above it.
    #[error("`{0}` does not exist: correct the path")]
    MissingTarget(String),
    #[error("write the path relative to this file")]
    Relative,
    #[error("remove the empty entry")]
    RemoveEmptyEntry,
    /// The file lies outside of the directory that its layer may read.
    #[error(
        "move the file below {}, or build with --load-restrictor LoadRestrictionsNone; for kzui alone, \
         `load_restrictor = \"LoadRestrictionsNone\"` in .kzui.toml does the same",
        .0.display()
    )]
    Below(PathBuf),
    #[error(
        "`{0}` is a symbolic link to `{1}`: list a copy of the file, or build with --load-restrictor LoadRestrictionsNone"
    )]
    Link(String, String),
    /// The directory to write in place of one of its files, which makes it a target.
    #[error("write the directory instead of its file: `{0}`")]
    Directory(String),
    /// A file that is no kustomization file, in place of a directory.
    #[error("name a directory with a kustomization; any other file is listed under `resources`")]
    NotTarget,
    #[error("remove large files from the target, or build it in parts")]
    BuildInParts,
    #[error(
        "a layer builds neither on itself nor on a directory above it: move the shared part into a separate directory"
    )]
    MoveSharedPart,
}

fn quoted(paths: &[String]) -> String {
    let quoted: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    quoted.join(", ")
}

impl LoadAdvice {
    /// True for a file that a user or a script creates before a build.
    pub fn is_made_file(&self) -> bool {
        matches!(self, Self::Ignored(_) | Self::Submodule(_) | Self::FromExample(..))
    }

    /// The advice for the target of the build, which no entry lists.
    #[must_use]
    pub fn for_target(self) -> Self {
        match self {
            Self::Missing(name) | Self::MissingFolder(name) => Self::MissingTarget(name),
            other => other,
        }
    }
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
        /// A clue to the reason why the path does not exist.
        clue: Option<Box<LoadAdvice>>,
    },
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
    #[error("must build at directory: directory path cannot be empty")]
    NoDirectory,
    #[error("must build at directory: '{}': file is not directory", path.display())]
    FileNotDirectory { path: PathBuf },
    #[error("new root '{0}' cannot be absolute")]
    AbsoluteRoot(String),
    #[error("new root cannot be empty")]
    EmptyRoot,
    #[error("cycle detected: candidate root '{}' contains visited root '{}'", candidate.display(), visited.display())]
    Cycle { candidate: PathBuf, visited: PathBuf },
    /// The new target as written, and one that was already opened in the chain of entries.
    #[error("cycle detected: URI '{candidate}' referenced by previous URI '{visited}'")]
    RemoteCycle { candidate: String, visited: String },
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
