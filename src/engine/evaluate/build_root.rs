//! The root of a build: its directory, and its settings for all layers.

use std::path::{Path, PathBuf};

use crate::load::relative_path;

use super::metadata::Metadata;

/// The root of a build, for origins and messages.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BuildRoot {
    /// The directory of the root; the working directory until the root is known.
    pub(super) path: PathBuf,
    /// The settings in the `buildMetadata` of the root.
    pub(super) metadata: Metadata,
}

impl BuildRoot {
    /// A root with a file that is not read yet.
    pub(super) fn at(path: &Path) -> Self {
        Self { path: path.to_owned(), metadata: Metadata::default() }
    }

    /// True when origins are tracked.
    pub(super) fn tracks_origins(&self) -> bool {
        self.metadata.tracks_origins()
    }

    /// The path of a file for messages, relative to the root.
    pub(super) fn shown(&self, file: &str) -> String {
        let shown = relative_path(&self.path, Path::new(file));
        if shown.is_empty() { ".".to_owned() } else { shown }
    }
}
