//! Explains why a patch does not write a field.

use crate::diagnostic::UnwrittenCause;
use crate::transform::unwritten::{UnwrittenField, leaf_paths, pointer_parts};

use super::identity::NAME_PATH;
use super::{Body, PatchSelector, PatchTransformer};

impl PatchTransformer {
    /// Why the patch did not write the field; `None` if it is for other resources or fields.
    pub(super) fn why_unwritten_by_patch(
        &self,
        asked: &UnwrittenField<'_>,
    ) -> Option<UnwrittenCause> {
        let missed = |target: &PatchSelector, written: &[Vec<String>]| {
            asked.selector_miss_cause(&target.selector, &target.compiled, written)
        };
        match &self.body {
            Body::Json(patch, target) => {
                let written: Vec<_> = patch.written_pointers().map(pointer_parts).collect();
                missed(target, &written)
            }
            Body::Strategic(documents, Some(target)) => documents.iter().find_map(|document| {
                let is_selected = target.compiled.matches(asked.state()).unwrap_or(false);
                let is_name = asked.has_keys(NAME_PATH);
                let is_kind = asked.has_keys(&["kind"]) || asked.has_keys(&["apiVersion"]);
                if is_selected && asked.resource.is_some() && (is_name || is_kind) {
                    let (said, word) = if is_name {
                        (document.at(NAME_PATH)?.text()?, "the name")
                    } else {
                        (document.at(&["kind"])?.text()?, "the kind")
                    };
                    let is_other = asked.state().all_ids().all(|id| {
                        let own = if is_name { &id.name } else { &id.gvk.kind };
                        **own != *said
                    });
                    return is_other.then_some(UnwrittenCause::IdentityIgnored(word));
                }
                missed(target, &leaf_paths(document))
            }),
            Body::Strategic(_, None) | Body::Refused(_) | Body::Empty(_) => None,
        }
    }
}
