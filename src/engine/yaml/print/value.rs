//! The value of a scalar after Kustomize's first three steps: written by go-yaml v3, read again,
//! converted to JSON.

use std::borrow::Cow;

use super::super::scalar::{ScalarType, decode_binary, resolve_v3};
use super::super::{Node, Scalar, Style, Tag, YamlCause, YamlError};
use super::folded;
use super::scalar_analysis::ScalarAnalysis;

/// The value of a scalar after the conversion to JSON.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) enum Decoded<'a> {
    Null,
    Bool(bool),
    /// A 64-bit integer, signed or unsigned.
    Int(i128),
    Float(f64),
    Str(Cow<'a, str>),
}

/// The position of a scalar in the text that go-yaml v3 writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum ScalarPosition {
    Block,
    /// Inside a flow collection, at any depth.
    Flow,
    /// A key on one line, in a block or flow collection.
    Key,
}

pub(in super::super) fn failure(node: &Node, cause: YamlCause) -> YamlError {
    YamlError { line: node.mark.line, column: node.mark.column, cause }
}

pub(in super::super) fn decode<'a>(
    node: &Node,
    scalar: &'a Scalar,
    place: ScalarPosition,
) -> Result<Decoded<'a>, YamlError> {
    let text = &*scalar.text;
    let style = written_style(scalar, place);
    if scalar.tag == Tag::Str && !matches!(style, Style::Literal | Style::Folded) {
        return Ok(Decoded::Str(Cow::Borrowed(text)));
    }
    let text = match style {
        Style::Literal | Style::Folded if text.starts_with('\t') => {
            return Err(failure(node, YamlCause::LeadingTab(node.mark.line)));
        }
        Style::Folded => folded::read_back(text),
        _ => Cow::Borrowed(text),
    };
    let resolved = match &scalar.tag {
        Tag::None | Tag::Str => None,
        _ if scalar.tagged => Some(resolve_v3(&text)),
        tag => {
            let resolved = resolve_v3(&scalar.text);
            if resolved.is_of(tag) {
                return decode_untagged(node, text, style, place, Some(resolved));
            }
            Some(resolved)
        }
    };
    match resolved {
        Some(resolved) => decode_tagged(node, scalar, text, resolved),
        None if scalar.tag == Tag::Str => Ok(Decoded::Str(text)),
        None => decode_untagged(node, text, style, place, None),
    }
}

/// The style in which go-yaml v3 writes a scalar, before it chooses quotes.
pub(in super::super) fn written_style(scalar: &Scalar, place: ScalarPosition) -> Style {
    let style = match scalar.style {
        Style::Plain | Style::Flow if scalar.text.contains('\n') => Style::Literal,
        Style::Flow => Style::Plain,
        style => style,
    };
    match style {
        Style::Literal | Style::Folded
            if place != ScalarPosition::Block
                || !ScalarAnalysis::examine(&scalar.text).allows_block_v3() =>
        {
            Style::DoubleQuoted
        }
        style => style,
    }
}

/// Decodes a scalar that is written without a tag: a string if it is quoted, otherwise the value to
/// which its text resolves.
fn decode_untagged<'a>(
    node: &Node,
    text: Cow<'a, str>,
    style: Style,
    place: ScalarPosition,
    resolved: Option<ScalarType>,
) -> Result<Decoded<'a>, YamlError> {
    // Kustomize: go-yaml v3 quotes an empty plain scalar, and one with a colon, in flow
    // collections; so `{c: }` becomes `c: ""` and a timestamp in `{t: 2001-12-14t21:59:43Z}` keeps
    // its text.
    let quoted = style != Style::Plain
        || text.is_empty() && place != ScalarPosition::Block
        || place == ScalarPosition::Flow && text.contains(':');
    if quoted {
        return Ok(Decoded::Str(text));
    }
    let resolved = resolved.unwrap_or_else(|| resolve_v3(&text));
    untagged(node, text, resolved)
}

fn untagged<'a>(
    node: &Node,
    text: Cow<'a, str>,
    resolved: ScalarType,
) -> Result<Decoded<'a>, YamlError> {
    Ok(match resolved {
        ScalarType::Null => Decoded::Null,
        ScalarType::Bool(value) => Decoded::Bool(value),
        ScalarType::Int(value) => Decoded::Int(value),
        ScalarType::Float(value) => decode_float(node, value)?,
        ScalarType::Timestamp(text) => Decoded::Str(Cow::Owned(text)),
        ScalarType::Merge | ScalarType::Str => Decoded::Str(text),
    })
}

fn decode_tagged<'a>(
    node: &Node,
    scalar: &Scalar,
    text: Cow<'a, str>,
    resolved: ScalarType,
) -> Result<Decoded<'a>, YamlError> {
    match (&scalar.tag, &resolved) {
        (Tag::Str | Tag::Merge | Tag::Other | Tag::None, _) => Ok(Decoded::Str(text)),
        (Tag::Binary, _) => match decode_binary(&text) {
            Ok(text) => Ok(Decoded::Str(Cow::Owned(text))),
            Err(cause) => Err(failure(node, cause)),
        },
        (Tag::Float, ScalarType::Int(value)) if i64::try_from(*value).is_ok() =>
        {
            #[expect(clippy::cast_precision_loss, reason = "Go converts to a double too")]
            decode_float(node, *value as f64)
        }
        _ if resolved.is_of(&scalar.tag) => untagged(node, text, resolved),
        _ => {
            // A timestamp counts as a timestamp only without a tag, or with the tag `!!timestamp`.
            let found = match resolved {
                ScalarType::Timestamp(_) => Tag::Str,
                other => other.tag(),
            };
            let (text, tag) = (text.into(), scalar.tag.clone());
            Err(failure(node, YamlCause::OtherType { found, text, tag }))
        }
    }
}

/// The number as decoded; an infinite number or NaN cannot be converted to JSON.
fn decode_float<'a>(node: &Node, value: f64) -> Result<Decoded<'a>, YamlError> {
    if value.is_finite() {
        return Ok(Decoded::Float(value));
    }
    let name = match value {
        value if value.is_nan() => "NaN",
        value if value > 0.0 => "+Inf",
        _ => "-Inf",
    };
    Err(failure(node, YamlCause::UnsupportedNumber(name)))
}

/// The short name of a tag; empty if it has none.
pub(crate) fn tag_name(scalar: &Scalar) -> &str {
    match &scalar.tag {
        Tag::Other => scalar.tag_name(),
        tag => tag.short(),
    }
}
