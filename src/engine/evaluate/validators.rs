//! A built-in or a program as an entry of `validators:`.

use std::sync::Arc;

use crate::plugin::{validated_difference, validator_changed_error};
use crate::resource::{ResMap, Resource, Slot};
use crate::transform::{Context, TransformError, Transformer};

/// Runs a validator; fails if it changes more than the label `validated-by`.
pub(super) fn validate(
    transformer: &dyn Transformer,
    resources: &mut ResMap,
    cx: &mut Context<'_>,
) -> Result<(), TransformError> {
    let before: Vec<(Slot, Arc<Resource>)> =
        resources.iter().map(|(slot, resource)| (slot, resource.clone())).collect();
    transformer.transform(resources, cx)?;
    let is_kept = |slot: Slot, old: &Arc<Resource>| {
        resources.get(slot).is_some_and(|new| {
            Arc::ptr_eq(old, new) || validated_difference(&old.node, &new.node).is_none()
        })
    };
    let changed = before.iter().find(|(slot, old)| !is_kept(*slot, old)).map(|(_, old)| old);
    let added = || resources.iter().nth(before.len()).map(|(_, added)| added);
    match changed.or_else(added) {
        Some(resource) => Err(validator_changed_error(resource.id.to_string(), cx.mark)),
        None => Ok(()),
    }
}
