//! The `buildMetadata` of the root (section 9).

use crate::manifest::Kustomization;

/// The settings of the root's `buildMetadata`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word that the list has or has not")]
pub(super) struct BuildMetadata {
    pub(super) origins: bool,
    pub(super) transformations: bool,
    pub(super) managed_by: bool,
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

    pub(super) fn tracks_origins(self) -> bool {
        self.any
    }
}
