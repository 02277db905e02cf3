//! The fields of one referrer that need a lookup.

use crate::diagnostic::FailedOperation;
use crate::resource::{ResMap, Slot};

use super::super::TransformError;
use super::super::set_field::{Rewrite, WalkResult};
use super::{ReferenceSetter, ReferringPath};

/// Looks up the names in the chosen fields of a resource and writes the results. Returns false if
/// the fields contain no names.
pub(super) fn rewrite_fields<'a>(
    slot: Slot,
    chosen: &[&'a ReferringPath],
    resources: &mut ResMap,
    setter: &mut ReferenceSetter<'a, '_>,
) -> Result<bool, TransformError> {
    let Some(resource) = resources.get(slot) else { return Ok(false) };
    let id = setter.referrer.named.id.clone();
    let mut result = Rewrite::NO;
    for field in chosen {
        setter.field = Some(field);
        let before = result.node.as_ref().unwrap_or(&resource.node);
        let written = field.path.rewrite(before, setter).map_err(|error| {
            let path = &field.path.spec().path;
            field
                .path
                .error_for(error, &id)
                .within(FailedOperation::Reference(path.clone(), id.to_string()))
        })?;
        result.then(written);
    }
    if let Some(node) = result.node.filter(|node| !node.same_content(&resource.node)) {
        resources.update(slot, |resource| resource.node = node);
    }
    Ok(result.effect == WalkResult::Write)
}
