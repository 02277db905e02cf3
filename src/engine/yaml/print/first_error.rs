//! The choice between several faults: Kustomize reads the complete printed text before it converts
//! it to JSON, and go-yaml parses it completely before it decodes it.

use super::super::{Node, Style, Value, YamlCause, YamlError};
use super::keys::{MappingLevel, decode_keys};
use super::value::{ScalarPosition, decode};

/// The fault that Kustomize reports if printing finds `met`: the first fault of the earliest stage.
pub(in super::super) fn first_error_in_go_order(node: &Node, met: YamlError) -> YamlError {
    let mut told = FirstError::default();
    told.read(node, false);
    // Faults of the JSON conversion are reported in the order of printing, and `met` is the first.
    told.first.filter(|first| stage(first) < Stage::MadeJson).unwrap_or(met)
}

/// The stage in which Kustomize finds a fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// The text is no YAML.
    Parsed,
    /// go-yaml stops at a value that cannot be decoded.
    Decoded,
    /// go-yaml records a duplicate key, skips that mapping and reports the key at the end.
    Noted,
    /// The values cannot be converted to JSON.
    MadeJson,
}

fn stage(error: &YamlError) -> Stage {
    match error.cause {
        YamlCause::KeysOfOtherTypes | YamlCause::UnsupportedNumber(_) => Stage::MadeJson,
        YamlCause::RepeatedKey { .. } => Stage::Noted,
        YamlCause::OtherType { .. } | YamlCause::InvalidKey | YamlCause::GoMerge(_) => {
            Stage::Decoded
        }
        _ => Stage::Parsed,
    }
}

/// The fault to report among those found so far.
#[derive(Default)]
struct FirstError {
    first: Option<YamlError>,
}

impl FirstError {
    fn record(&mut self, error: YamlError) {
        if self.first.as_ref().is_none_or(|first| stage(&error) < stage(first)) {
            self.first = Some(error);
        }
    }

    fn read(&mut self, node: &Node, flow: bool) {
        if self.first.as_ref().is_some_and(|first| stage(first) == Stage::Parsed) {
            return;
        }
        match &node.value {
            Value::Scalar(scalar) => {
                let place = if flow { ScalarPosition::Flow } else { ScalarPosition::Block };
                if let Err(error) = decode(node, scalar, place) {
                    self.record(error);
                }
            }
            Value::Sequence(items, style) => {
                let flow = flow || *style == Style::Flow;
                items.iter().for_each(|item| self.read(item, flow));
            }
            Value::Mapping(mapping) => {
                let flow = flow || mapping.style == Style::Flow;
                let keys = decode_keys(mapping, MappingLevel::Root, flow);
                let is_passed_over = keys.as_ref().is_err_and(|error| stage(error) == Stage::Noted);
                if let Err(error) = keys {
                    self.record(error);
                }
                if !is_passed_over {
                    mapping.entries.iter().for_each(|entry| self.read(&entry.value, flow));
                }
            }
        }
    }
}
