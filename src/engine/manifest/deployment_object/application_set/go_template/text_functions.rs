//! Functions of texts.

use std::fmt::Write as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use regex::{NoExpand, Regex};

use crate::load::{Digest, clean};

use super::super::value::ParamValue::{Bool, Int, Map, Text};
use super::super::value::{Param, ParamValue};
use super::{CallResult, TemplateError};

pub(super) fn call(name: &str, values: &[&ParamValue]) -> CallResult {
    let found = match values {
        [Text(it)] => of_one_text(name, it),
        [Text(part), Text(it)] => of_two_texts(name, part, it),
        _ => None,
    };
    match found.or_else(|| of_text_and_number(name, values)).or_else(|| of_any(name, values)) {
        Some(found) => Ok(Some(found)),
        None => of_pattern(name, values),
    }
}

fn of_one_text(name: &str, it: &str) -> Option<ParamValue> {
    Some(match name {
        "lower" => it.to_lowercase().into(),
        "upper" => it.to_uppercase().into(),
        "title" => title(it).into(),
        "trim" => it.trim().into(),
        "nospace" => it.split_whitespace().collect::<String>().into(),
        "normalize" => sanitize_name(it).into(),
        "slugify" => slug(it, 50)?.into(),
        "b64enc" => STANDARD.encode(it).into(),
        "b64dec" => match STANDARD.decode(it) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned().into(),
            Err(error) => error.to_string().into(),
        },
        "sha256sum" => Digest::compute(it.as_bytes()).hex().into(),
        "base" => path_base(it).into(),
        "dir" => path_dir(it).into(),
        "ext" => {
            let name = it.rsplit('/').next().unwrap_or_default();
            name.rfind('.').and_then(|at| name.get(at..)).unwrap_or_default().into()
        }
        "clean" => path_clean(it).into(),
        "isAbs" => Bool(it.starts_with('/')),
        _ => return None,
    })
}

fn of_two_texts(name: &str, part: &str, it: &str) -> Option<ParamValue> {
    Some(match name {
        "trimAll" => it.trim_matches(|c| part.contains(c)).into(),
        "trimPrefix" => it.strip_prefix(part).unwrap_or(it).into(),
        "trimSuffix" => it.strip_suffix(part).unwrap_or(it).into(),
        "contains" => Bool(it.contains(part)),
        "hasPrefix" => Bool(it.starts_with(part)),
        "hasSuffix" => Bool(it.ends_with(part)),
        "splitList" => split(it, part).collect::<Vec<_>>().into(),
        "split" => numbered(split(it, part)),
        _ => return None,
    })
}

fn of_text_and_number(name: &str, values: &[&ParamValue]) -> Option<ParamValue> {
    let size = |number: &i64| usize::try_from(*number).ok();
    Some(match (name, values) {
        ("repeat", [Int(count), Text(it)]) => {
            let count = size(count).unwrap_or(0);
            (it.len().saturating_mul(count) <= MAX_REPEATED_BYTES).then(|| it.repeat(count))?.into()
        }
        ("trunc", [Int(length), Text(it)]) => truncated(*length, it).into(),
        ("abbrev", [Int(width), Text(it)]) => {
            if *width < 4 || size(width).is_some_and(|width| it.len() <= width) {
                (&**it).into()
            } else {
                (truncated(width - 3, it).to_owned() + "...").into()
            }
        }
        ("substr", [Int(start), Int(end), Text(it)]) => {
            let end = size(end).unwrap_or(it.len()).min(it.len());
            it.get(size(start).unwrap_or(0)..end)?.into()
        }
        ("indent", [Int(spaces), Text(it)]) => indented(*spaces, it).into(),
        ("nindent", [Int(spaces), Text(it)]) => ("\n".to_owned() + &indented(*spaces, it)).into(),
        ("splitn", [Text(separator), Int(count), Text(it)]) => {
            let parts = it.splitn(size(count).unwrap_or(usize::MAX), &**separator);
            numbered(parts.map(Param::computed))
        }
        ("slugify", [Int(max), Text(it)] | [Int(max), Bool(true), Text(it)]) => {
            slug(it, size(max)?)?.into()
        }
        _ => return None,
    })
}

const MAX_REPEATED_BYTES: usize = 1 << 16;

fn of_any(name: &str, values: &[&ParamValue]) -> Option<ParamValue> {
    let joined = |shown: &dyn Fn(String) -> String| {
        let present = values.iter().filter(|it| !it.is_nil());
        present.map(|it| shown(it.printed())).collect::<Vec<_>>().join(" ")
    };
    Some(match (name, values) {
        ("toString", [it]) => it.printed().into(),
        ("quote", _) => joined(&|text| go_quoted(&text)).into(),
        ("squote", _) => joined(&|text| format!("'{text}'")).into(),
        // As by `fmt.Sprintf`.
        ("cat", _) => joined(&|text| text).into(),
        ("replace", [Text(old), Text(new), Text(it)]) => it.replace(&**old, new).into(),
        ("urlquery", _) => {
            let text: String = values.iter().map(|it| it.printed()).collect();
            let escaped = utf8_percent_encode(&text, ESCAPED_IN_QUERY).to_string();
            escaped.replace("%20", "+").into()
        }
        _ => return None,
    })
}

fn of_pattern(name: &str, values: &[&ParamValue]) -> CallResult {
    let (Some(Text(pattern)), true) = (values.first(), name.starts_with("regex")) else {
        return Ok(None);
    };
    let regex = Regex::new(pattern)
        .map_err(|_| TemplateError::unsupported(&format!("pattern {pattern:?}")))?;
    Ok(Some(match (name, values) {
        ("regexMatch", [_, Text(it)]) => Bool(regex.is_match(it)),
        ("regexFind", [_, Text(it)]) => regex.find(it).map_or("", |found| found.as_str()).into(),
        ("regexReplaceAll", [_, Text(it), Text(new)]) => {
            regex.replace_all(it, &**new).into_owned().into()
        }
        ("regexReplaceAllLiteral", [_, Text(it), Text(new)]) => {
            regex.replace_all(it, NoExpand(new)).into_owned().into()
        }
        ("regexSplit", [_, Text(it), Int(count)]) => {
            let count = usize::try_from(*count).unwrap_or(usize::MAX);
            let parts = regex.splitn(it, count).map(Param::computed);
            parts.collect::<Vec<_>>().into()
        }
        _ => return Ok(None),
    }))
}

/// The parts of a text; its characters if the separator is empty.
fn split<'t>(text: &'t str, separator: &'t str) -> Box<dyn Iterator<Item = Param> + 't> {
    if separator.is_empty() {
        return Box::new(text.chars().map(|c| Param::computed(String::from(c))));
    }
    Box::new(text.split(separator).map(Param::computed))
}

/// A mapping of the parts with the keys `_0`, `_1` and so on.
fn numbered(parts: impl Iterator<Item = Param>) -> ParamValue {
    Map(parts.enumerate().map(|(at, part)| (format!("_{at}"), part)).collect())
}

/// A text quoted as by Go's `%q`.
pub(super) fn go_quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => drop(write!(out, "\\x{:02x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The first `length` bytes, or the last ones if `length` is negative.
fn truncated(length: i64, text: &str) -> &str {
    let size = usize::try_from(length.unsigned_abs()).unwrap_or(usize::MAX);
    if text.len() <= size {
        return text;
    }
    let part = if length < 0 { text.get(text.len() - size..) } else { text.get(..size) };
    part.unwrap_or(text)
}

fn indented(spaces: i64, text: &str) -> String {
    let pad = " ".repeat(usize::try_from(spaces.clamp(0, 1_000)).unwrap_or(0));
    pad.clone() + &text.replace('\n', &format!("\n{pad}"))
}

fn title(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut after_letter = false;
    for c in text.chars() {
        if after_letter {
            out.push(c);
        } else {
            out.extend(c.to_uppercase());
        }
        after_letter = c.is_alphanumeric() || c == '_' || c == '\'';
    }
    out
}

/// A valid DNS name from a text, as by Argo CD's `SanitizeName`.
pub(in super::super) fn sanitize_name(name: &str) -> String {
    let lower = name.to_lowercase();
    let valid = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '.';
    let name: String = lower.chars().map(|c| if valid(c) { c } else { '-' }).take(253).collect();
    name.trim_matches(['-', '.']).to_owned()
}

/// Argo CD's `slugify`: a valid resource name of limited length, cut between words.
fn slug(text: &str, max: usize) -> Option<String> {
    let dashes = sanitize_name(text).replace('.', "-");
    let slug = dashes.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    if max == 0 || slug.len() <= max {
        return Some(slug);
    }
    let end = slug.get(..=max)?.rfind('-').unwrap_or(max);
    slug.get(..end).map(str::to_owned)
}

/// The shortest equivalent path, as by Go's `path.Clean`.
fn path_clean(text: &str) -> String {
    clean(Path::new(text)).to_string_lossy().into_owned()
}

/// The last element of a path, as by Go's `path.Base`.
pub(in super::super) fn path_base(text: &str) -> String {
    let trimmed = text.trim_end_matches('/');
    match (text.is_empty(), trimmed.is_empty()) {
        (true, _) => ".".to_owned(),
        (false, true) => "/".to_owned(),
        (false, false) => trimmed.rsplit('/').next().unwrap_or_default().to_owned(),
    }
}

/// The path without its last element, as by Go's `path.Dir`.
pub(in super::super) fn path_dir(text: &str) -> String {
    path_clean(text.rfind('/').and_then(|at| text.get(..=at)).unwrap_or_default())
}

const ESCAPED_IN_QUERY: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');
