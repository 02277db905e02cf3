//! From text to [`Kustomization`], with Go's field rules (sections 1.2 to 1.5).

use crate::engine::yaml::{SourceId, YamlError};

use super::Kustomization;

/// A kustomization file that cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ManifestError {
    /// Not YAML.
    #[error("invalid Kustomization: {0}")]
    Yaml(#[from] YamlError),
}

/// Decodes a kustomization file: YAML 1.1, fields by Go's rules, deprecated spellings fixed, kind checked.
pub fn decode_kustomization(
    _text: &[u8],
    _source: SourceId,
) -> Result<Kustomization, ManifestError> {
    todo!()
}
