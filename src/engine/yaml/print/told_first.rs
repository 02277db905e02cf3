//! Which of several faults is told: Kustomize reads all of the text that it printed before it makes JSON of it.

use super::super::{Node, Style, Value, YamlCause, YamlError};
use super::keys::{Level, decode_keys};
use super::value::{Place, decode};

/// The fault that Kustomize tells where making JSON met this one: what cannot be read comes before what JSON cannot have, wherever
/// it stands.
pub(in super::super) fn told_first(node: &Node, met: YamlError) -> YamlError {
    if !is_of_json(&met) {
        return met;
    }
    read(node, false).err().unwrap_or(met)
}

fn is_of_json(error: &YamlError) -> bool {
    matches!(error.cause, YamlCause::KeysOfOtherTypes | YamlCause::UnsupportedNumber(_))
}

fn read(node: &Node, flow: bool) -> Result<(), YamlError> {
    match &node.value {
        Value::Scalar(scalar) => {
            let place = if flow { Place::Flow } else { Place::Block };
            match decode(node, scalar, place) {
                Err(error) if !is_of_json(&error) => Err(error),
                _ => Ok(()),
            }
        }
        Value::Sequence(items, style) => {
            let flow = flow || *style == Style::Flow;
            items.iter().try_for_each(|item| read(item, flow))
        }
        Value::Mapping(mapping) => {
            let flow = flow || mapping.style == Style::Flow;
            decode_keys(mapping, Level::Root, flow)?;
            mapping.entries.iter().try_for_each(|entry| read(&entry.value, flow))
        }
    }
}
