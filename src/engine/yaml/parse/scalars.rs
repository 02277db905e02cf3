//! Scalars as the two dialects read them.

use std::borrow::Cow;
use std::sync::Arc;

use super::intern::TextCache;
use super::reader::{Reader, refuse_at};
use super::{YamlCause, YamlDialect, YamlError};
use crate::yaml::scalar::decode_binary;
use crate::yaml::{Mark, Node, Scalar, ScalarType, Style, Tag, Value, resolve_v1_1, resolve_v3};

impl Reader<'_, '_> {
    pub(super) fn scalar(
        &mut self,
        text: &str,
        style: Style,
        tag: Option<&str>,
        mark: Mark,
    ) -> Result<Node, YamlError> {
        let (written, other) = tag.map(written_tag).unwrap_or_default();
        let tagged = written.is_some();
        let tag = match written.clone() {
            Some(Tag::Other) if self.settings.dialect == YamlDialect::V1_1 => Tag::Str,
            Some(tag) => tag,
            None if style != Style::Plain => Tag::Str,
            // Kustomize: version 2 treats a lone `!` as a string.
            None if tag.is_some() && self.settings.dialect == YamlDialect::V1_1 => Tag::Str,
            None => self.resolve(text),
        };
        if self.settings.dialect == YamlDialect::V1_1
            && matches!(written, Some(Tag::Int | Tag::Float | Tag::Bool | Tag::Null))
            && self.resolve(text) == Tag::Str
        {
            let (found, text) = (Tag::Str, text.into());
            return Err(refuse_at(mark, YamlCause::OtherType { found, text, tag }));
        }
        let decoded;
        let (text, tag) = match tag {
            Tag::Binary if self.settings.dialect == YamlDialect::V1_1 => {
                decoded = decode_binary(text).map_err(|cause| refuse_at(mark, cause))?;
                (&*decoded, Tag::Str)
            }
            tag => (text, tag),
        };
        let other_tag = other.filter(|_| tag == Tag::Other).map(Arc::new);
        let scalar = Scalar { text: self.texts.share(text), tag, style, tagged, other_tag };
        Ok(Node { value: Value::Scalar(scalar), mark, comments: None })
    }

    fn resolve(&self, text: &str) -> Tag {
        resolved_tag(text, self.settings.dialect)
    }
}

/// The tag to which a plain text resolves.
pub(super) fn resolved_tag(text: &str, dialect: YamlDialect) -> Tag {
    match dialect {
        YamlDialect::V3 => resolve_v3(text).tag(),
        YamlDialect::V1_1 => resolve_v1_1(text).tag(),
    }
}

/// A key of a configuration as converted to JSON: `n` is `false`, `0x10` is `16`.
pub(super) fn config_key(
    text: &str,
    tag: Tag,
    style: Style,
    texts: &mut TextCache,
) -> Result<Scalar, YamlCause> {
    let shown = match tag {
        Tag::Bool | Tag::Int | Tag::Float => match resolve_v1_1(text) {
            ScalarType::Bool(value) => Cow::Owned(value.to_string()),
            ScalarType::Int(value) => Cow::Owned(value.to_string()),
            ScalarType::Float(value) => Cow::Owned(float_key(value)),
            _ => Cow::Borrowed(text),
        },
        Tag::Null => return Err(YamlCause::NullKey),
        _ => Cow::Borrowed(text),
    };
    let tag = if tag == Tag::Merge { tag } else { Tag::Str };
    Ok(Scalar { text: texts.share(&shown), tag, style, ..Scalar::default() })
}

/// The tag as go-yaml shortens it, and its name if it is outside YAML's own; a lone `!` is ignored.
fn written_tag(full: &str) -> (Option<Tag>, Option<String>) {
    let Some(short) = full.strip_prefix("tag:yaml.org,2002:") else {
        return if full == "!" { (None, None) } else { (Some(Tag::Other), Some(full.to_owned())) };
    };
    let tag = match short {
        "str" => Tag::Str,
        "int" => Tag::Int,
        "float" => Tag::Float,
        "bool" => Tag::Bool,
        "null" => Tag::Null,
        "timestamp" => Tag::Timestamp,
        "binary" => Tag::Binary,
        "merge" => Tag::Merge,
        other => return (Some(Tag::Other), Some(format!("!!{other}"))),
    };
    (Some(tag), None)
}

/// A double as a key of a configuration, in the form of Go's `FormatFloat(value, 'g', -1, 32)`.
fn float_key(value: f64) -> String {
    if value.is_nan() {
        return ".nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    #[expect(clippy::cast_possible_truncation, reason = "keys are printed in single precision")]
    let single = value as f32;
    let scientific = format!("{single:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        return format!("{single}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}
