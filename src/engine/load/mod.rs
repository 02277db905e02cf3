//! The port through which the engine reads, and Kustomize's rules about roots, entries and restrictions.

mod advice;
mod artifacts;
mod digest;
mod error;
mod fetch;
mod git_target;
mod kept_files;
mod memory;
mod nearest;
mod oci;
mod paths;
mod recording;
mod reference;
mod remote;
mod root;
mod seen_from;
mod sources;
mod unfetched;

pub use advice::LoadAdvice;
pub use artifacts::{
    Artifact, ArtifactError, ArtifactKind, Artifacts, Binary, BinaryRequest, Matched, NoArtifacts,
};
pub use digest::Digest;
pub use error::{LoadError, RemoteError};
pub use fetch::Fetch;
pub use git_target::GitTarget;
pub use kept_files::KeptFiles;
pub use memory::MemoryFiles;
pub use nearest::{nearest_name, slips, slips_within};
pub use oci::{Image, TagClass};
pub use paths::{below, clean};
pub use recording::{Asked, MOST_BUILD_BYTES, RecordingFiles};
pub use reference::{Location, OciReference, Reference, ReferenceError, is_loopback};
pub use remote::{Http, NoRemote, Remote};
pub use root::{LoadRestrictions, Loaded, Root};
pub use seen_from::{Checkout, relative_path};
pub use sources::Sources;
pub use unfetched::Unfetched;

use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a path is, once symbolic links are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file, or anything that can be read.
    File,
    /// A directory.
    Directory,
}

/// A file system problem, in the words of the operating system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// Nothing there: `path` is the first part that is missing.
    #[error("lstat {}: no such file or directory", path.display())]
    Missing {
        /// What is missing.
        path: PathBuf,
    },
    /// The files of one build are too large together.
    #[error("read {}: with it, the files of this build have more than {} MiB", path.display(), limit >> 20)]
    TooMuch {
        /// The file with which the limit is exceeded.
        path: PathBuf,
        /// The limit in bytes.
        limit: u64,
    },
    /// Anything else: permission, a loop of links, not a directory.
    #[error("{reason}")]
    Other {
        /// The system's words.
        reason: String,
    },
}

/// The files that a build may read. Implemented over a disk by `host`, over a map here, and over both by the
/// session's draft. Paths are absolute.
pub trait Files: Send + Sync {
    /// Follows symbolic links and says what stands there.
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError>;
    /// [`Files::resolve`] of a path below a directory whose own links are followed already.
    fn resolve_below(
        &self,
        _directory: &Path,
        path: &Path,
    ) -> Result<(PathBuf, FileKind), FileError> {
        self.resolve(path)
    }
    /// The bytes of a file.
    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError>;
    /// The names in a directory, sorted.
    fn list(&self, path: &Path) -> Result<Vec<String>, FileError>;
    /// Counts bytes that came another way than through [`Files::read`], where the files of a build have a limit.
    fn count(&self, _path: &Path, _bytes: usize) -> Result<(), FileError> {
        Ok(())
    }
    /// Whether a settings file above the folder of a target counts: on a disk, not one of another user. Files that stand
    /// for others ask those.
    fn trusts_settings(&self, _file: &Path, _target: &Path, _is_in_git: bool) -> bool {
        true
    }
}
