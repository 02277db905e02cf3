//! The choice between several faults: Kustomize reads the complete printed text before it converts
//! it to JSON, and go-yaml parses it completely before it decodes it.

use super::super::{Node, Style, Value, YamlCause, YamlError};
use super::keys::{MappingLevel, decode_keys};
use super::value::{ScalarPosition, decode};

/// The fault that Kustomize reports if printing finds `met`: the first fault of the earliest stage.
pub(in super::super) fn first_error_in_go_order(node: &Node, met: YamlError) -> YamlError {
    let mut first = None;
    find_first(node, false, &mut first);
    // Faults of the JSON conversion are reported in the order of printing, and `met` is the first.
    first.filter(|first| stage(first) < Stage::MadeJson).unwrap_or(met)
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// The text is no YAML.
    Parsed,
    /// go-yaml stops at a value that cannot be decoded.
    Decoded,
    /// go-yaml records a duplicate key, skips that mapping and reports the key at the end.
    Noted,
    /// The values that were read are converted to JSON, which fails for some keys and numbers.
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

/// Replaces `first` by a fault below the node that Kustomize finds in an earlier stage.
fn find_first(node: &Node, flow: bool, first: &mut Option<YamlError>) {
    if first.as_ref().is_some_and(|first| stage(first) == Stage::Parsed) {
        return;
    }
    let (flow, fault) = match &node.value {
        Value::Scalar(scalar) => {
            let place = if flow { ScalarPosition::Flow } else { ScalarPosition::Block };
            (flow, decode(node, scalar, place).err())
        }
        Value::Sequence(_, style) => (flow || *style == Style::Flow, None),
        Value::Mapping(mapping) => {
            let flow = flow || mapping.style == Style::Flow;
            (flow, decode_keys(mapping, MappingLevel::Root, flow).err())
        }
    };
    let is_passed_over = fault.as_ref().is_some_and(|error| stage(error) == Stage::Noted);
    if let Some(error) = fault
        && first.as_ref().is_none_or(|first| stage(&error) < stage(first))
    {
        *first = Some(error);
    }
    if !is_passed_over {
        node.children().for_each(|child| find_first(child, flow, first));
    }
}
