//! The reasons why a map rejects a resource.

use super::{ResId, Slot};

/// Why a resource could not be added or combined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResMapError {
    /// Two resources of one id.
    #[error("may not add resource with an already registered id: {id}")]
    Duplicate {
        id: ResId,
        /// The resource that is already in the map.
        existing: Slot,
    },
}
