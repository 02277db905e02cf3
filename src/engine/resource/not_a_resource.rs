//! Why a document is no resource (sections 3.1 and 3.2).

use std::fmt;

use crate::yaml::Mark;

/// A document that is no resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAResource {
    pub oddity: NotAResourceCause,
    pub mark: Mark,
}

/// Why a document is no resource. The texts are Kustomize's; an incomplete object is printed as Go
/// does.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAResourceCause {
    #[error("missing Resource metadata")]
    NoResource,
    #[error("missing kind in object {0}")]
    NoKind(String),
    #[error("missing metadata.name in object {0}")]
    NoName(String),
    /// The document has no name because it is a kustomization file or a Composition.
    #[error("missing metadata.name in object {0}")]
    KustomizationFile(String),
    #[error("expected array in {kind}/items, but found {found}")]
    ItemsNoList { kind: String, found: &'static str },
    #[error("wrong node kind: expected MappingNode but got SequenceNode")]
    ListInMetadata,
}

impl NotAResource {
    /// A hint how to fix the document, if known.
    pub fn hint(&self) -> Option<&'static str> {
        match self.oddity {
            NotAResourceCause::NoResource => {
                Some("a resource is a mapping with `apiVersion`, `kind` and `metadata`")
            }
            NotAResourceCause::NoKind(_) => Some("write its kind: `kind: …`"),
            NotAResourceCause::KustomizationFile(_) => {
                Some("name the directory of this file, not the file")
            }
            NotAResourceCause::NoName(_) => Some(
                "add a `name` under `metadata`; Kustomize does not accept `generateName` instead",
            ),
            NotAResourceCause::ListInMetadata => {
                Some("write labels and annotations as `key: value`")
            }
            NotAResourceCause::ItemsNoList { .. } => {
                Some("write a list under `items`: `- ` before each item")
            }
        }
    }
}

impl fmt::Display for NotAResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.oddity.fmt(f)
    }
}
