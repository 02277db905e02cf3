//! The fields of one referrer that have something to be looked up.

use crate::diagnostic::Around;
use crate::resource::{ResMap, Slot};

use super::super::TransformError;
use super::super::set_field::Reach;
use super::{ChosenFields, ReferenceSetter, ReferringField};

/// Looks them up and writes what is found; false where there are none.
pub(super) fn rewrite_fields<'a>(
    slot: Slot,
    chosen: &ChosenFields<'a>,
    resources: &mut ResMap,
    setter: &mut ReferenceSetter<'a, '_>,
) -> Result<bool, TransformError> {
    let Some(resource) = resources.get(slot) else { return Ok(false) };
    let id = setter.referrer.named.id.clone();
    let within = |field: &ReferringField, error: TransformError| {
        error.within(Around::Reference(field.path.spec().path.clone(), id.to_string()))
    };
    if let Some(ways) = chosen.paths.ways(&resource.node, setter) {
        if ways.is_empty() {
            return Ok(false);
        }
        resources.rewrite(slot, |node| {
            ways.iter().try_for_each(|(number, way)| {
                let Some(field) = chosen.fields.get(number) else { return Ok(()) };
                setter.field = Some(field);
                let written = field.path.apply_at(node, way, &id, setter);
                written.map_err(|error| within(field, error))
            })
        })?;
        return Ok(true);
    }
    let reached = chosen.paths.reach(&resource.node, setter).into_iter().zip(&chosen.fields);
    // Where one is apart from all others, what it reaches is still so when these have been written.
    let reached: Vec<(&ReferringField, bool)> = reached
        .enumerate()
        .filter(|(_, (reach, _))| *reach == Reach::Write)
        .map(|(number, (_, field))| (*field, chosen.paths.is_apart(number)))
        .collect();
    if reached.is_empty() {
        return Ok(false);
    }
    resources.rewrite(slot, |node| {
        reached.iter().try_for_each(|(field, is_apart)| {
            setter.field = Some(field);
            let written = if *is_apart {
                field.path.apply_found(node, &id, setter)
            } else {
                field.path.apply_for(node, &id, setter).map(drop)
            };
            written.map_err(|error| within(field, error))
        })
    })?;
    Ok(true)
}
