//! Functions of texts.

use std::fmt::Write as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use regex::Regex;

use crate::load::{Digest, clean};

use super::super::value::{Param, ParamValue, Params};
use super::TemplateError;
use super::arguments::{Argument, CallResult, Called, FunctionArguments, Returned, text};

pub(super) fn call(all: &FunctionArguments<'_>) -> CallResult {
    call_text_function(all)
        .or_else(|| call_two_text_function(all))
        .or_else(|| parts(all))
        .or_else(|| call_rare_function(all))
}

fn call_text_function(all: &FunctionArguments<'_>) -> CallResult {
    Some(match all.name {
        "lower" => all.one(|it: &str| it.to_lowercase()),
        "upper" => all.one(|it: &str| it.to_uppercase()),
        "title" => all.one(title),
        "trim" => all.one(|it: &str| it.trim()),
        "nospace" => all.one(|it: &str| it.split_whitespace().collect::<String>()),
        "normalize" => all.one(sanitize_name),
        "b64enc" => all.one(|it: &str| STANDARD.encode(it)),
        "b64dec" => all.one(|it: &str| match STANDARD.decode(it) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => error.to_string(),
        }),
        "sha256sum" => all.one(|it: &str| Digest::compute(it.as_bytes()).hex()),
        "base" => all.one(path_base),
        "dir" => all.one(path_dir),
        "ext" => all.one(|it: &str| {
            let name = it.rsplit('/').next().unwrap_or_default();
            name.rfind('.').and_then(|at| name.get(at..)).unwrap_or_default()
        }),
        "clean" => all.one(path_clean),
        "isAbs" => all.one(|it: &str| it.starts_with('/')),
        _ => return None,
    })
}

fn call_two_text_function(all: &FunctionArguments<'_>) -> CallResult {
    Some(match all.name {
        "trimAll" => all.two(|set: &str, it: &str| it.trim_matches(|c| set.contains(c))),
        "trimPrefix" => all.two(|prefix: &str, it: &str| it.strip_prefix(prefix).unwrap_or(it)),
        "trimSuffix" => all.two(|suffix: &str, it: &str| it.strip_suffix(suffix).unwrap_or(it)),
        "contains" => all.two(|part: &str, it: &str| it.contains(part)),
        "hasPrefix" => all.two(|part: &str, it: &str| it.starts_with(part)),
        "hasSuffix" => all.two(|part: &str, it: &str| it.ends_with(part)),
        "replace" => all.three(|old: &str, new: &str, it: &str| it.replace(old, new)),
        "repeat" => all.two(|count: i64, it: &str| {
            let count = usize::try_from(count).unwrap_or(0);
            if it.len().saturating_mul(count) > 1 << 16 {
                return Err(TemplateError::unsupported("repeat of this size"));
            }
            Ok(it.repeat(count))
        }),
        "trunc" => all.two(truncated),
        "abbrev" => all.two(|width: i64, it: &str| {
            let fits = usize::try_from(width).is_ok_and(|width| it.len() <= width);
            if width < 4 || fits {
                it.to_owned()
            } else {
                truncated(width - 3, it).to_owned() + "..."
            }
        }),
        _ => return None,
    })
}

/// Functions that return parts of texts or convert values to text.
fn parts(all: &FunctionArguments<'_>) -> CallResult {
    Some(match all.name {
        "substr" => all.three(|start: i64, end: i64, it: &str| {
            let start = usize::try_from(start).unwrap_or(0);
            let end = usize::try_from(end).unwrap_or(it.len()).min(it.len());
            it.get(start..end)
                .map(str::to_owned)
                .ok_or_else(|| all.error("slice bounds out of range"))
        }),
        "indent" => all.two(indented),
        "nindent" => all.two(|spaces, it: &str| "\n".to_owned() + &indented(spaces, it)),
        "quote" => join_non_nil(&all.values, |it| go_quoted(&strval(it))).returned(),
        "squote" => join_non_nil(&all.values, |it| format!("'{}'", strval(it))).returned(),
        // Values that are not nil, joined by spaces, as by `fmt.Sprintf`.
        "cat" => join_non_nil(&all.values, strval).returned(),
        "toString" => all.one(strval),
        "splitList" => all.two(|separator: &str, it: &str| {
            split(it, separator).into_iter().map(text).collect::<Vec<_>>()
        }),
        "split" => all.two(|separator: &str, it: &str| numbered_parts(split(it, separator))),
        "splitn" => all.three(|separator: &str, count: i64, it: &str| {
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            numbered_parts(it.splitn(count, separator).map(str::to_owned).collect())
        }),
        _ => return None,
    })
}

/// Calls a function of a regular expression, or a rare function.
fn call_rare_function(all: &FunctionArguments<'_>) -> CallResult {
    Some(match all.name {
        "regexMatch" => all.two(|regex: Regex, it: &str| regex.is_match(it)),
        "regexFind" => {
            all.two(|regex: Regex, it: &str| regex.find(it).map_or("", |found| found.as_str()))
        }
        "regexReplaceAll" => {
            all.three(|regex: Regex, it: &str, new: &str| regex.replace_all(it, new).into_owned())
        }
        "regexReplaceAllLiteral" => all.three(|regex: Regex, it: &str, new: &str| {
            regex.replace_all(it, regex::NoExpand(new)).into_owned()
        }),
        "regexSplit" => all.three(|regex: Regex, it: &str, count: i64| -> Vec<Param> {
            match usize::try_from(count) {
                Ok(0) => Vec::new(),
                Ok(count) => regex.splitn(it, count).map(text).collect(),
                Err(_) => regex.split(it).map(text).collect(),
            }
        }),
        "slugify" => slugify(all),
        "urlquery" => url_query(&all.values.iter().map(strval).collect::<String>()).returned(),
        _ => return None,
    })
}

impl Argument<'_> for Regex {
    fn read(function: &FunctionArguments<'_>, param: &Param) -> Result<Self, TemplateError> {
        let pattern: &str = function.read(param)?;
        Self::new(pattern).map_err(|_| TemplateError::unsupported(&format!("pattern {pattern:?}")))
    }
}

fn split(text: &str, separator: &str) -> Vec<String> {
    if separator.is_empty() {
        return text.chars().map(String::from).collect();
    }
    text.split(separator).map(str::to_owned).collect()
}

/// A mapping of the parts with the keys `_0`, `_1` and so on.
fn numbered_parts(parts: Vec<String>) -> Params {
    parts.into_iter().enumerate().map(|(at, part)| (format!("_{at}"), text(part))).collect()
}

/// The text of a value, as by Sprig's `strval`.
pub(super) fn strval(param: &Param) -> String {
    param.value.printed()
}

fn join_non_nil(values: &[Param], shown: impl Fn(&Param) -> String) -> String {
    let present = values.iter().filter(|it| !it.value.is_nil());
    present.map(shown).collect::<Vec<_>>().join(" ")
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

/// Argo CD's `slugify`: a valid resource name of limited length.
fn slugify(all: &FunctionArguments<'_>) -> Called {
    let Some((name, options)) = all.values.split_last() else { return "".returned() };
    let name = sanitize_name(all.read(name)?);
    let max = options.first().map_or(Ok(50), |max| all.read::<i64>(max))?;
    let smart = match options.get(1).map(|smart| &smart.value) {
        None | Some(ParamValue::Bool(true)) => true,
        Some(_) => false,
    };
    let dashes = name.replace('.', "-");
    let slug = dashes.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    let max = usize::try_from(max).unwrap_or(0);
    if max == 0 || slug.len() <= max {
        return slug.returned();
    }
    if !smart {
        return Err(TemplateError::unsupported("slugify without smart truncation"));
    }
    let start = slug.get(..=max).unwrap_or(&slug);
    let end = start.rfind('-').unwrap_or(max);
    slug.get(..end).unwrap_or(&slug).returned()
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

fn url_query(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED_IN_QUERY).to_string().replace("%20", "+")
}
