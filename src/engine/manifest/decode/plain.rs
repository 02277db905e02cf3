//! Decoding what plain transformers are told.

use crate::manifest::plain::{PlainEntry, PlainValue};
use crate::manifest::{Builtin, FieldSpec, Placed, PlainType};
use crate::yaml::Node;

use super::go_json::{LENIENT, Place, Result};
use super::transformers::field_specs;

/// The entries of a plain field.
pub(super) fn entries(
    place: &Place<'_>,
    node: &Node,
    plain: &'static PlainType,
) -> Result<Vec<Placed<PlainEntry>>> {
    place.list(node, plain.list, |place, item| entry(place, item, plain))
}

fn entry(place: &Place<'_>, node: &Node, plain: &'static PlainType) -> Result<PlainEntry> {
    let mut entry = PlainEntry::default();
    place.fields(node, plain.entry, plain.names, |field| {
        let value = if plain.numbers.contains(&field.name) {
            PlainValue::Number(field.place.int(field.value, "int64")?)
        } else {
            PlainValue::Text(field.place.string(field.value)?)
        };
        entry.values.insert(field.name, (value, field.value.mark));
        Ok(())
    })?;
    Ok(entry)
}

/// The configuration of a plain transformer as a plugin, with its field specs; empty for one that is not plain.
///
/// # Errors
/// As Kustomize's.
pub fn decode_plain(config: &Node, builtin: Builtin) -> Result<(PlainEntry, Vec<FieldSpec>)> {
    let (mut told, mut specs) = (PlainEntry::default(), Vec::new());
    let Some(plain) = builtin.plain() else { return Ok((told, specs)) };
    Place::top(LENIENT).fields(config, plain.plugin, builtin.fields(), |field| {
        match field.name {
            name if name == plain.key => told = entry(&field.place, field.value, plain)?,
            "fieldSpecs" => specs = field_specs(&field.place, field.value, "[]types.FieldSpec")?,
            _ => {}
        }
        Ok(())
    })?;
    Ok((told, specs))
}
