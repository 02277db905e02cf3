//! Functions of texts.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use regex::Regex;
use sha2::{Digest as _, Sha256};

use super::super::value::{Param, ParamValue};
use super::TemplateError;
use super::arguments::{CallResult, FunctionArguments, text, without_mark};

pub(super) fn call(arguments: &FunctionArguments<'_>) -> CallResult {
    call_text_function(arguments)
        .or_else(|| call_two_text_function(arguments))
        .or_else(|| parts(arguments))
        .or_else(|| call_rare_function(arguments))
}

fn call_text_function(arguments: &FunctionArguments<'_>) -> CallResult {
    Some(match arguments.name() {
        "lower" => map(arguments, str::to_lowercase),
        "upper" => map(arguments, str::to_uppercase),
        "title" => map(arguments, title),
        "trim" => map(arguments, |it| it.trim().to_owned()),
        "nospace" => map(arguments, |it| it.split_whitespace().collect()),
        "normalize" => map(arguments, sanitize_name),
        "b64enc" => map(arguments, |it| STANDARD.encode(it)),
        "b64dec" => map(arguments, |it| match STANDARD.decode(it) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => error.to_string(),
        }),
        "sha256sum" => map(arguments, |it| {
            Sha256::digest(it.as_bytes()).iter().fold(String::new(), |mut hex, byte| {
                let _ = write!(hex, "{byte:02x}");
                hex
            })
        }),
        "base" => map(arguments, path_base),
        "dir" => map(arguments, path_dir),
        "ext" => map(arguments, |it| {
            let name = it.rsplit('/').next().unwrap_or_default();
            name.rfind('.').and_then(|at| name.get(at..)).unwrap_or_default().to_owned()
        }),
        "clean" => map(arguments, path_clean),
        "isAbs" => {
            only_text(arguments).map(|it| without_mark(ParamValue::Bool(it.starts_with('/'))))
        }
        _ => return None,
    })
}

/// Calls a function of a text and another text or a number.
fn call_two_text_function(arguments: &FunctionArguments<'_>) -> CallResult {
    Some(match arguments.name() {
        "trimAll" => two_texts(arguments)
            .map(|[set, it]| text(it.trim_matches(|c| set.contains(c)).to_owned())),
        "trimPrefix" => {
            two_texts(arguments).map(|[prefix, it]| text(it.strip_prefix(prefix).unwrap_or(it)))
        }
        "trimSuffix" => {
            two_texts(arguments).map(|[suffix, it]| text(it.strip_suffix(suffix).unwrap_or(it)))
        }
        "contains" => {
            two_texts(arguments).map(|[part, it]| without_mark(ParamValue::Bool(it.contains(part))))
        }
        "hasPrefix" => two_texts(arguments)
            .map(|[part, it]| without_mark(ParamValue::Bool(it.starts_with(part)))),
        "hasSuffix" => two_texts(arguments)
            .map(|[part, it]| without_mark(ParamValue::Bool(it.ends_with(part)))),
        "replace" => arguments.exactly().and_then(|[old, new, it]| {
            let (old, new) = (arguments.text(old)?, arguments.text(new)?);
            Ok(text(arguments.text(it)?.replace(old, new)))
        }),
        "repeat" => arguments.exactly().and_then(|[count, it]| {
            let count = usize::try_from(arguments.int(count)?).unwrap_or(0);
            let it = arguments.text(it)?;
            if it.len().saturating_mul(count) > 1 << 16 {
                return Err(TemplateError::Unsupported("repeat of this size".into()));
            }
            Ok(text(it.repeat(count)))
        }),
        "trunc" => arguments.exactly().and_then(|[length, it]| {
            Ok(text(truncated(arguments.int(length)?, arguments.text(it)?)))
        }),
        "abbrev" => arguments.exactly().and_then(|[width, it]| {
            let (width, it) = (arguments.int(width)?, arguments.text(it)?);
            let fits = usize::try_from(width).is_ok_and(|width| it.len() <= width);
            if width < 4 || fits {
                return Ok(text(it));
            }
            Ok(text(truncated(width - 3, it).to_owned() + "..."))
        }),
        _ => return None,
    })
}

/// Functions that return parts of texts or convert values to text.
fn parts(arguments: &FunctionArguments<'_>) -> CallResult {
    Some(match arguments.name() {
        "substr" => arguments.exactly().and_then(|[start, end, it]| {
            let (start, end) = (arguments.int(start)?, arguments.int(end)?);
            let it = arguments.text(it)?;
            let start = usize::try_from(start).unwrap_or(0);
            let end = usize::try_from(end).unwrap_or(it.len()).min(it.len());
            Ok(text(
                it.get(start..end).ok_or_else(|| arguments.error("slice bounds out of range"))?,
            ))
        }),
        "indent" => arguments.exactly().and_then(|[spaces, it]| {
            Ok(text(indented(arguments.int(spaces)?, arguments.text(it)?)))
        }),
        "nindent" => arguments.exactly().and_then(|[spaces, it]| {
            Ok(text("\n".to_owned() + &indented(arguments.int(spaces)?, arguments.text(it)?)))
        }),
        "quote" => Ok(text(join_non_nil(&arguments.values, |it| go_quoted(&strval(it))))),
        "squote" => {
            Ok(text(join_non_nil(&arguments.values, |it| format!("'{}'", it.value.printed()))))
        }
        "cat" => {
            // Values that are not nil, joined by spaces, as by `fmt.Sprintf`.
            Ok(text(join_non_nil(&arguments.values, |it| it.value.printed())))
        }
        "toString" => arguments.exactly().map(|[it]| text(strval(it))),
        "splitList" => two_texts(arguments).map(|[separator, it]| {
            let parts = split(it, separator);
            without_mark(ParamValue::List(parts.into_iter().map(text).collect()))
        }),
        "split" => two_texts(arguments).map(|[separator, it]| numbered_parts(split(it, separator))),
        "splitn" => arguments.exactly().and_then(|[separator, count, it]| {
            let count = usize::try_from(arguments.int(count)?).unwrap_or(usize::MAX);
            let (separator, it) = (arguments.text(separator)?, arguments.text(it)?);
            Ok(numbered_parts(it.splitn(count, separator).map(str::to_owned).collect()))
        }),
        _ => return None,
    })
}

/// Calls a function of a regular expression, or a rare function.
fn call_rare_function(arguments: &FunctionArguments<'_>) -> CallResult {
    Some(match arguments.name() {
        "regexMatch" => {
            apply_regex(arguments, |regex, it| without_mark(ParamValue::Bool(regex.is_match(it))))
        }
        "regexFind" => apply_regex(arguments, |regex, it| {
            text(regex.find(it).map_or("", |found| found.as_str()))
        }),
        "regexReplaceAll" => replaced(arguments, false),
        "regexReplaceAllLiteral" => replaced(arguments, true),
        "regexSplit" => arguments.exactly().and_then(|[pattern, it, count]| {
            let regex = compile_regex(arguments.text(pattern)?)?;
            let it = arguments.text(it)?;
            let parts: Vec<Param> = match usize::try_from(arguments.int(count)?) {
                Ok(0) => Vec::new(),
                Ok(count) => regex.splitn(it, count).map(text).collect(),
                Err(_) => regex.split(it).map(text).collect(),
            };
            Ok(without_mark(ParamValue::List(parts)))
        }),
        "slugify" => slugify(arguments),
        "urlquery" => Ok(text(url_query(
            &arguments.values.iter().map(|it| it.value.printed()).collect::<String>(),
        ))),
        _ => return None,
    })
}

/// The only argument, which must be a text.
fn only_text<'a>(arguments: &'a FunctionArguments<'_>) -> Result<&'a str, TemplateError> {
    let [it] = arguments.exactly()?;
    arguments.text(it)
}

/// The two arguments, which must be texts.
fn two_texts<'a>(arguments: &'a FunctionArguments<'_>) -> Result<[&'a str; 2], TemplateError> {
    let [first, second] = arguments.exactly()?;
    Ok([arguments.text(first)?, arguments.text(second)?])
}

fn map(
    arguments: &FunctionArguments<'_>,
    work: impl Fn(&str) -> String,
) -> Result<Param, TemplateError> {
    Ok(text(work(only_text(arguments)?)))
}

fn split(text: &str, separator: &str) -> Vec<String> {
    if separator.is_empty() {
        return text.chars().map(String::from).collect();
    }
    text.split(separator).map(str::to_owned).collect()
}

/// A mapping of the parts with the keys `_0`, `_1` and so on.
fn numbered_parts(parts: Vec<String>) -> Param {
    let pairs = parts.into_iter().enumerate().map(|(at, part)| (format!("_{at}"), text(part)));
    without_mark(ParamValue::Map(pairs.collect()))
}

/// The text of a value, as by Sprig's `strval`.
pub(super) fn strval(param: &Param) -> String {
    param.value.printed()
}

fn join_non_nil(values: &[Param], shown: impl Fn(&Param) -> String) -> String {
    let present =
        values.iter().filter(|it| !matches!(it.value, ParamValue::Missing | ParamValue::Null));
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
fn slugify(arguments: &FunctionArguments<'_>) -> Result<Param, TemplateError> {
    let Some((name, options)) = arguments.values.split_last() else {
        return Ok(text(""));
    };
    let name = sanitize_name(arguments.text(name)?);
    let max = options.first().map_or(Ok(50), |max| arguments.int(max))?;
    let smart = match options.get(1).map(|smart| &smart.value) {
        None | Some(ParamValue::Bool(true)) => true,
        Some(_) => false,
    };
    let dashes = name.replace('.', "-");
    let slug = dashes.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    let max = usize::try_from(max).unwrap_or(0);
    if max == 0 || slug.len() <= max {
        return Ok(text(slug));
    }
    if !smart {
        return Err(TemplateError::Unsupported("slugify without smart truncation".into()));
    }
    let start = slug.get(..=max).unwrap_or(&slug);
    let end = start.rfind('-').unwrap_or(max);
    Ok(text(slug.get(..end).unwrap_or(&slug)))
}

fn compile_regex(pattern: &str) -> Result<Regex, TemplateError> {
    Regex::new(pattern).map_err(|_| TemplateError::Unsupported(format!("pattern {pattern:?}")))
}

/// Applies the pattern in the first argument to the second.
fn apply_regex(
    arguments: &FunctionArguments<'_>,
    work: impl Fn(&Regex, &str) -> Param,
) -> Result<Param, TemplateError> {
    let [pattern, it] = two_texts(arguments)?;
    Ok(work(&compile_regex(pattern)?, it))
}

fn replaced(arguments: &FunctionArguments<'_>, is_literal: bool) -> Result<Param, TemplateError> {
    let [pattern, it, new] = arguments.exactly()?;
    let regex = compile_regex(arguments.text(pattern)?)?;
    let (it, new) = (arguments.text(it)?, arguments.text(new)?);
    let out = if is_literal {
        regex.replace_all(it, regex::NoExpand(new))
    } else {
        regex.replace_all(it, new)
    };
    Ok(text(out.into_owned()))
}

/// The shortest equivalent path, as by Go's `path.Clean`.
fn path_clean(text: &str) -> String {
    let rooted = text.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in text.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            ".." if rooted => {}
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    match (rooted, path.is_empty()) {
        (true, _) => format!("/{path}"),
        (false, true) => ".".to_owned(),
        (false, false) => path,
    }
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

/// Escapes a text for the query of a URL.
fn url_query(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b' ' => out.push('+'),
            byte if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) => {
                out.push(char::from(byte));
            }
            byte => drop(write!(out, "%{byte:02X}")),
        }
    }
    out
}
