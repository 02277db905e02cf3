//! The value of a scalar after Kustomize's first three steps: written by go-yaml v3, read again,
//! converted to JSON; floating-point numbers as Go writes them.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

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
    if scalar.tag == Tag::Str {
        return Ok(Decoded::Str(text));
    }
    if tag_is_written(scalar) {
        return decode_tagged(node, scalar, text);
    }
    // Kustomize: go-yaml v3 quotes an empty plain scalar, and one with a colon, in flow
    // collections; so `{c: }` becomes `c: ""` and a timestamp in `{t: 2001-12-14t21:59:43Z}` keeps
    // its text.
    let is_quoted = style != Style::Plain
        || text.is_empty() && place != ScalarPosition::Block
        || place == ScalarPosition::Flow && text.contains(':');
    if is_quoted {
        return Ok(Decoded::Str(text));
    }
    let resolved = resolve_v3(&text);
    untagged(node, text, resolved)
}

/// True if the tag is written: the source contained it, or the text alone would resolve to another
/// type.
pub(in super::super) fn tag_is_written(scalar: &Scalar) -> bool {
    match &scalar.tag {
        Tag::None => false,
        _ if scalar.tagged => true,
        Tag::Str => false,
        tag => !resolve_v3(&scalar.text).is_of(tag),
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
) -> Result<Decoded<'a>, YamlError> {
    let resolved = resolve_v3(if scalar.tagged { &text } else { &scalar.text });
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

/// Appends a double as `encoding/json` writes it: in exponent notation if it is below 1e-6 or at
/// least 1e21.
pub(in super::super) fn go_json(value: f64, out: &mut String) {
    push(value, 1e-6..1e21, 1, out);
}

/// Appends a double as go-yaml v2 writes it: in exponent notation, with at least two digits of
/// exponent, if it is below 1e-4 or at least 1e6.
pub(in super::super) fn go_general(value: f64, out: &mut String) {
    push(value, 1e-4..1e6, 2, out);
}

/// Appends a double; outside of `plain`, in exponent notation with at least so many digits of
/// exponent.
fn push(value: f64, plain: Range<f64>, digits: usize, out: &mut String) {
    // Writing to a `String` cannot fail.
    if value == 0.0 || plain.contains(&value.abs()) {
        let _ = write!(out, "{value}");
        return;
    }
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |it| ('-', it));
    let _ = write!(out, "{mantissa}e{sign}{exponent:0>digits$}");
}

/// The tree with the printed texts of its scalars: a date in RFC 3339, a decoded `!!binary`, a
/// folded text as read back. Numbers, booleans and nulls are kept as written.
///
/// # Errors
/// Scalars that Kustomize cannot print: infinite numbers, scalars that do not have the type of
/// their tag.
pub fn with_printed_texts(node: &Node) -> Result<Node, YamlError> {
    let mut out = node.clone();
    set_printed_text(&mut out, ScalarPosition::Block)?;
    Ok(out)
}

fn set_printed_text(node: &mut Node, place: ScalarPosition) -> Result<(), YamlError> {
    if let Some(scalar) = node.as_scalar() {
        let Decoded::Str(text) = decode(node, scalar, place)? else { return Ok(()) };
        if scalar.tag != Tag::Str || *text != *scalar.text {
            let text = text.into_owned();
            *node = Node::scalar(text, Tag::Str, Style::DoubleQuoted).marked(node.mark);
        }
        return Ok(());
    }
    let is_flow = node.collection_style() == Some(Style::Flow);
    let place = if is_flow { ScalarPosition::Flow } else { place };
    node.children_mut().try_for_each(|child| set_printed_text(child, place))
}
