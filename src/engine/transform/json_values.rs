//! The effect of Kustomize's conversions on a tree (to JSON, Go's JSON decoder and go-yaml v3):
//! numbers become doubles, and strings get the style that they need.

use std::sync::Arc;

use crate::yaml::{
    Mapping, MappingEntry, Node, Scalar, ScalarType, Style, Tag, Value, YamlError, changed_items,
    go_float_text, go_string_style, reread_text, resolve_v1_1, resolve_v3, sort_entries, to_json,
};

pub(super) use crate::yaml::YamlDialect;

/// Sorts the keys as go-yaml does when it writes a mapping from JSON, which has no order.
pub(super) fn sort_keys(node: &mut Node) {
    match &mut node.value {
        Value::Scalar(_) => {}
        Value::Sequence(items, _) => {
            if items.iter().any(|item| item.as_scalar().is_none()) {
                Arc::make_mut(items).iter_mut().for_each(sort_keys);
            }
        }
        Value::Mapping(mapping) => {
            let mapping = Arc::make_mut(mapping);
            sort_entries(&mut mapping.entries);
            mapping.entries.iter_mut().for_each(|entry| sort_keys(&mut entry.value));
        }
    }
}

/// The tree after a round trip through JSON, marks kept: numbers are doubles, and strings have the
/// style that they need, as after Go's JSON decoder and go-yaml. `None` if it is unchanged.
pub(super) fn normalize(node: &Node, dialect: YamlDialect) -> Option<Node> {
    let value = match &node.value {
        Value::Scalar(scalar) => {
            let normal = json_scalar(scalar, dialect);
            (normal != *scalar).then_some(Value::Scalar(normal))
        }
        Value::Sequence(items, style) => {
            let changed = changed_items(items, |item| normalize(item, dialect));
            let is_normal = *style == Style::Plain && changed.is_none();
            let items = || changed.map_or_else(|| Arc::clone(items), Arc::new);
            (!is_normal).then(|| Value::Sequence(items(), Style::Plain))
        }
        Value::Mapping(mapping) => normal_mapping(mapping, dialect).map(Value::Mapping),
    };
    if value.is_none() && node.comments.is_none() {
        return None;
    }
    let value = value.unwrap_or_else(|| node.value.clone());
    Some(Node { value, mark: node.mark, comments: None })
}

fn normal_mapping(mapping: &Mapping, dialect: YamlDialect) -> Option<Arc<Mapping>> {
    let entries = changed_items(&mapping.entries, |entry| {
        let (key, value) = (normal_key(&entry.key), normalize(&entry.value, dialect));
        (key.is_some() || value.is_some()).then(|| MappingEntry {
            key: key.unwrap_or_else(|| entry.key.clone()),
            value: value.unwrap_or_else(|| entry.value.clone()),
        })
    });
    if entries.is_none() && mapping.style == Style::Plain {
        return None;
    }
    let entries = entries.unwrap_or_else(|| mapping.entries.to_vec());
    Some(Arc::new(Mapping { entries: entries.into(), style: Style::Plain }))
}

fn normal_key(key: &Node) -> Option<Node> {
    let scalar = key.as_scalar()?;
    // A key that is not a string must still fail when it is printed.
    let is_string = scalar.tag == Tag::Str
        || scalar.tag == Tag::None
            && (scalar.style != Style::Plain || resolve_v3(&scalar.text) == ScalarType::Str);
    let is_normal = scalar.tag == Tag::Str
        && scalar.style == Style::Plain
        && !scalar.tagged
        && key.comments.is_none();
    (is_string && !is_normal).then(|| Node::string(Arc::clone(&scalar.text)).marked(key.mark))
}

fn plain(text: impl Into<Arc<str>>, tag: Tag) -> Scalar {
    Scalar { text: text.into(), tag, ..Scalar::default() }
}

/// The scalar that JSON decoding returns, in its plain form.
fn json_scalar(scalar: &Scalar, dialect: YamlDialect) -> Scalar {
    let text = &scalar.text;
    let resolve = |text: &str| match dialect {
        YamlDialect::V3 => resolve_v3(text),
        YamlDialect::V1_1 => resolve_v1_1(text),
    };
    let resolved = match &scalar.tag {
        Tag::Str | Tag::Other | Tag::Binary | Tag::Merge => ScalarType::Str,
        Tag::None if scalar.style != Style::Plain => ScalarType::Str,
        // A quoted text whose tag has the type of the text is written without the tag.
        tag if scalar.style != Style::Plain && !scalar.tagged && resolve(text).is_of(tag) => {
            ScalarType::Str
        }
        Tag::Null => ScalarType::Null,
        _ => resolve(text),
    };
    match resolved {
        ScalarType::Null => plain("null", Tag::Null),
        ScalarType::Bool(value) => plain(if value { "true" } else { "false" }, Tag::Bool),
        ScalarType::Int(value) => double(int_as_double(value)),
        ScalarType::Float(value) if value.is_finite() => double(value),
        // Leave the scalar unchanged: JSON cannot contain the number, and the build fails when it
        // is printed.
        ScalarType::Float(_) => scalar.clone(),
        ScalarType::Timestamp(rfc) => string(&rfc),
        ScalarType::Merge | ScalarType::Str if dialect == YamlDialect::V3 => {
            let settled = reread_text(scalar);
            let style = go_string_style(&settled);
            let text = if *settled == **text { Arc::clone(text) } else { settled.into() };
            Scalar { text, tag: Tag::Str, style, ..Scalar::default() }
        }
        ScalarType::Merge | ScalarType::Str => string(text),
    }
}

fn string(text: &str) -> Scalar {
    Scalar { text: text.into(), tag: Tag::Str, style: go_string_style(text), ..Scalar::default() }
}

/// The double nearest to an integer, as in Go's JSON decoder.
#[expect(clippy::cast_precision_loss, reason = "JSON decoding in Go loses precision too")]
fn int_as_double(value: i128) -> f64 {
    value as f64
}

fn double(value: f64) -> Scalar {
    let text = go_float_text(value);
    let is_whole = !text.contains(['.', 'e']);
    plain(text, if is_whole { Tag::Int } else { Tag::Float })
}

/// Checks that JSON can contain a tree: no text under another type's tag, no invalid number.
///
/// # Errors
/// The tree cannot be written as JSON; the message is that of Kustomize.
pub(super) fn check(node: &Node) -> Result<(), YamlError> {
    to_json(node).map(drop)
}
