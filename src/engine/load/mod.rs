//! The port through which the engine reads, and Kustomize's rules about roots, entries and
//! restrictions.

mod advice;
mod artifacts;
mod digest;
mod display_path;
mod error;
mod fetch;
mod git_target;
mod glob;
mod ignore_patterns;
mod kept_files;
mod memory;
mod nearest;
mod oci;
mod paths;
mod recording;
mod reference;
mod root;
mod signature;
mod sources;
mod walk;

pub use advice::made_file_advice;
pub use artifacts::{
    Artifact, ArtifactError, ArtifactKind, Artifacts, BinaryRequest, Http, ImageContents,
    ImageLayer, LAYER_TITLE, MANIFEST_MEDIA_TYPE, NoArtifacts, NoRemote, Publication, Publisher,
    Remote,
};
pub use digest::Digest;
pub use display_path::{Checkout, relative_path};
pub use error::{LoadAdvice, LoadError, Network, NotFetchedCause, RemoteError};
pub use fetch::Fetch;
pub use git_target::{GitTarget, forces_git, go_bool};
pub use glob::go_path;
pub(crate) use glob::{git_pathspec, gobwas_glob};
pub use ignore_patterns::{IgnorePatterns, is_ignored_by_git};
pub use kept_files::KeptFiles;
pub use memory::MemoryFiles;
pub use nearest::{edit_distance, edit_distance_within, name_distance, nearest_name};
pub use oci::{ImageReference, TagClass};
pub use paths::{clean, is_absolute};
pub use recording::{MAX_BUILD_BYTES, RecordedQuery, RecordingFiles};
pub use reference::{Location, OciReference, Reference, ReferenceError, is_loopback};
pub use root::{LoadRestrictions, LoadedFile, Root};
pub use signature::{
    CertificateSigner, LogKey, RequiredSigner, SIGNATURE_ENDINGS, SignatureRequest,
    SignatureSubject, SignatureVerdict, pem_blocks,
};
pub use sources::SourceNumbers;
pub use walk::{MAX_SEARCHED_FOLDERS, WalkEntry, walk};

use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The kind of a path, after symbolic links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file, or any other readable file.
    File,
    Directory,
}

/// A file system problem, in the words of the operating system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// The path does not exist: `path` is the first missing part.
    #[error("lstat {}: no such file or directory", path.display())]
    Missing { path: PathBuf },
    #[error("read {}: the files of this build up to this one are larger than {} MiB", path.display(), limit >> 20)]
    TooMuch { path: PathBuf, limit: u64 },
    /// Anything else: permission, a loop of links, not a directory.
    #[error("{reason}")]
    Other { reason: String },
}

/// The files that a build may read. `host` implements the port for the disk, [`MemoryFiles`] for a
/// map, and the draft for changes on top of other files. Paths are absolute.
pub trait Files: Send + Sync {
    /// Follows symbolic links and returns the real path and its kind.
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError>;
    /// Same as [`Files::resolve`], for a path below a directory whose path has no links.
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
    /// Counts bytes that were read in another way than [`Files::read`], towards the size limit of a
    /// build, if these files have one.
    fn count(&self, _path: &Path, _bytes: usize) -> Result<(), FileError> {
        Ok(())
    }
    /// For edited files: the files before the edits, and the paths that the edits write or delete.
    fn edits(&self) -> Option<(&Arc<dyn Files>, Vec<PathBuf>)> {
        None
    }
    /// True if each query returns its first answer, until a change is announced.
    fn is_cached(&self) -> bool {
        false
    }
    /// A number that changes if cached answers may be outdated; 0 if no answers are cached.
    fn generation(&self) -> u64 {
        0
    }
    /// True if a settings file above the folder of a target may be used: on a disk, a file of
    /// another user may not. Wrappers pass the query on to their inner files.
    fn trusts_settings(&self, _file: &Path, _target: &Path, _is_in_git: bool) -> bool {
        true
    }
}
