//! The values file for helm: the chart's, the inline ones, or both merged.

use std::sync::Arc;

use crate::diagnostic::PluginFault;
use crate::load::{LoadError, Root};
use crate::manifest::{HelmChart, decode_values};
use crate::profile::{Profile, Switch};
use crate::resource::Schema;
use crate::transform::{MergeResult, TransformError, merge_resource};
use crate::yaml::{
    Limits, Mark, Node, ScalarType, SourceId, Style, Tag, Value, go_float_text, parse_values,
    print_output, resolve_v3,
};

pub(super) fn values(
    chart: &HelmChart,
    profile: Profile,
    root: &Root,
    mark: Mark,
) -> Result<Vec<u8>, TransformError> {
    let load = || {
        let loaded = root.load(&chart.values_file);
        let fault = |error: LoadError| PluginFault::Other(error.to_string());
        loaded.map_err(|error| TransformError::fault(fault(error), mark))
    };
    let inline = chart.values_inline.as_ref().filter(|node| !node.is_empty_collection());
    let Some(inline) = inline else { return Ok(load()?.bytes.to_vec()) };
    if chart.values_merge == "replace" {
        return print(inline, mark);
    }
    let loaded = load()?;
    let origin = || format!("the values come from {}", loaded.path);
    let refused = |text: String, hint: String| {
        TransformError::fault(PluginFault::Other(text), mark).with_hint(hint)
    };
    let file_wins = chart.values_merge == "merge";
    if profile.has(Switch::ValuesFilledUp) {
        let read = decode_values(&loaded.bytes, SourceId::NONE, Limits::default());
        let mut file = read.map_err(|text| refused(text, origin()))?;
        let nulls_count = !profile.has(Switch::NullValuesIgnored);
        merge_like_mergo(&mut file, inline, !file_wins, nulls_count);
        return print(&file, mark);
    }
    let read = parse_values(&loaded.bytes, SourceId::NONE, Limits::default());
    let read = read.map_err(|error| {
        refused(format!("could not parse values file into rnode: {error}"), origin())
    })?;
    let file = read.ok_or_else(|| {
        let hint = format!("{} holds no values: write `{{}}` into it", loaded.path);
        refused("could not parse values file into rnode: EOF".to_owned(), hint)
    })?;
    // In Kustomize the file takes precedence in a `merge`.
    let merged = if file_wins { merge(inline, &file)? } else { merge(&file, inline)? };
    print(&merged, mark)
}

fn print(values: &Node, mark: Mark) -> Result<Vec<u8>, TransformError> {
    let mut values = values.clone();
    convert_like_go(&mut values);
    let printed = print_output(&values).map_err(|source| TransformError::Yaml {
        reading: "could not write the values".into(),
        mark,
        source,
    })?;
    Ok(printed.into_bytes())
}

/// Converts scalars as Go does: a value that a patch put in place of a quoted text loses the quotes
/// unless it is a text, and an integer that is too long becomes a float.
fn convert_like_go(node: &mut Node) {
    let mark = node.mark;
    match &mut node.value {
        Value::Sequence(items, _) => Arc::make_mut(items).iter_mut().for_each(convert_like_go),
        Value::Mapping(mapping) => {
            let entries = Arc::make_mut(mapping).entries.iter_mut();
            entries.for_each(|entry| convert_like_go(&mut entry.value));
        }
        Value::Scalar(scalar) => {
            if matches!(scalar.tag, Tag::Bool | Tag::Int | Tag::Float | Tag::Null) {
                scalar.style = Style::Plain;
            }
            let is_long = scalar.text.len() > 18
                && scalar.style == Style::Plain
                && scalar.tag != Tag::Str
                && scalar.text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit())
                && scalar.text.parse::<i64>().is_err()
                && scalar.text.parse::<u64>().is_err();
            if let Some(number) = scalar.text.parse().ok().filter(|_| is_long) {
                *node = Node::scalar(go_float_text(number), Tag::Float, Style::Plain).marked(mark);
            }
        }
    }
}

/// Merges a mapping into another; lists are replaced, because no schema is known.
fn merge(below: &Node, above: &Node) -> Result<Node, TransformError> {
    match merge_resource(
        below,
        above,
        above,
        (&Schema::default(), Profile::MASTER),
        &mut Vec::new(),
        &mut Vec::new(),
    )? {
        MergeResult::Same => Ok(below.clone()),
        MergeResult::Changed(node) => Ok(node),
        MergeResult::Gone => Ok(Node::mapping()),
    }
}

/// Merges a mapping into another as the Go library mergo, which Kustomize uses before v5.4.0:
/// missing and empty fields of the target are set, or all fields if `overwrites` is true. With
/// `nulls_count` a null replaces a value (mergo v0.3.13); without, it is ignored, and an existing
/// empty value is kept if the source has a mapping (v0.3.6).
fn merge_like_mergo(target: &mut Node, source: &Node, overwrites: bool, nulls_count: bool) {
    for entry in source.entries() {
        let key = entry.key.text().unwrap_or_default();
        let value = &entry.value;
        if value.is_null() && !(overwrites && nulls_count) {
            continue;
        }
        let there = target.get_mut(key);
        let takes = match there {
            None => true,
            Some(there) if value.as_mapping().is_some() => {
                let was_empty = is_empty(there);
                if there.as_mapping().is_some() {
                    merge_like_mergo(there, value, overwrites, nulls_count);
                }
                was_empty && nulls_count
            }
            Some(there) => overwrites || is_empty(there),
        };
        if takes {
            target.set(key, value.clone());
        }
    }
}

/// True for a value that Go decodes to the zero value of its type.
fn is_empty(node: &Node) -> bool {
    match &node.value {
        Value::Mapping(mapping) => mapping.entries.is_empty(),
        Value::Sequence(items, _) => items.is_empty(),
        Value::Scalar(scalar) if node.is_null() || scalar.text.is_empty() => true,
        Value::Scalar(scalar) => {
            scalar.style == Style::Plain
                && match resolve_v3(&scalar.text) {
                    ScalarType::Bool(value) => !value,
                    ScalarType::Int(value) => value == 0,
                    ScalarType::Float(value) => value == 0.0,
                    _ => false,
                }
        }
    }
}
