//! The fields of one referrer that need a lookup.

use crate::diagnostic::FailedOperation;
use crate::resource::{ResMap, Slot};

use super::super::TransformError;
use super::super::set_field::WalkResult;
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
    let within = |field: &ReferringPath, error: TransformError| {
        error.within(FailedOperation::Reference(field.path.spec().path.clone(), id.to_string()))
    };
    let is_met =
        |field: &&&ReferringPath| field.path.reach(&resource.node, setter) == WalkResult::Write;
    let reached: Vec<&ReferringPath> = chosen.iter().filter(is_met).copied().collect();
    if reached.is_empty() {
        return Ok(false);
    }
    resources.rewrite(slot, |node| {
        reached.iter().try_for_each(|field| {
            setter.field = Some(field);
            let written = field.path.apply_for(node, &id, setter).map(drop);
            written.map_err(|error| within(field, error))
        })
    })?;
    Ok(true)
}
