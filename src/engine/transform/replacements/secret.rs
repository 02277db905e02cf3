//! Whether a value comes from a Secret and must not appear in messages.

use crate::resource::ResMap;

use super::{PreparedSource, ReplacementTransformer};

impl ReplacementTransformer {
    /// True if the value comes from a Secret.
    pub(super) fn is_from_secret(&self, resources: &ResMap) -> bool {
        let PreparedSource::Field(source) = &self.source else { return false };
        let slot = self.source_slot(source, resources).ok();
        let found = slot.and_then(|slot| resources.get(slot));
        found.is_some_and(|resource| &*resource.id.gvk.kind == "Secret")
    }
}
