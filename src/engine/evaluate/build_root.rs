//! The root of a build: its directory, and its settings for all layers.

use std::path::{Path, PathBuf};

use crate::load::relative_path;
use crate::manifest::Kustomization;

use super::LayerId;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct BuildRoot {
    pub(super) layer: LayerId,
    /// The directory of the root; the working directory until the root is known.
    pub(super) path: PathBuf,
    pub(super) metadata: BuildMetadata,
}

impl BuildRoot {
    pub(super) fn at(path: &Path) -> Self {
        Self { layer: LayerId(0), path: path.to_owned(), metadata: BuildMetadata::default() }
    }

    /// True if a part that was built in the root `other` has the same result in this one. The paths
    /// are compared only if the part depends on them: by origins, or by messages with paths
    /// relative to the root (`names_root`).
    pub(super) fn gives_same_results(&self, other: &Self, names_root: bool) -> bool {
        let depends_on_path = names_root || self.tracks_origins();
        self.metadata == other.metadata
            && self.layer == other.layer
            && (!depends_on_path || self.path == other.path)
    }

    pub(super) fn tracks_origins(&self) -> bool {
        self.metadata.any
    }

    pub(super) fn shown(&self, file: &str) -> String {
        let shown = relative_path(&self.path, Path::new(file));
        if shown.is_empty() { ".".to_owned() } else { shown }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word that the list has or has not")]
pub(super) struct BuildMetadata {
    pub(super) origins: bool,
    pub(super) transformations: bool,
    pub(super) managed_by: bool,
    /// True if the list has any word: Kustomize then tracks origins.
    any: bool,
}

impl BuildMetadata {
    pub(super) fn from_kustomization(kustomization: &Kustomization) -> Self {
        let has = |word: &str| kustomization.build_metadata.iter().any(|entry| entry.value == word);
        Self {
            origins: has("originAnnotations"),
            transformations: has("transformerAnnotations"),
            managed_by: has("managedByLabel"),
            any: !kustomization.build_metadata.is_empty(),
        }
    }
}
