//! The type of a plain scalar: go-yaml v3's rules for resources, YAML 1.1's (go-yaml v2) for
//! configuration. Dates have four layouts, and are printed in Go's form.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use regex::Regex;

use super::{Tag, YamlCause};

/// The type that a plain text resolves to.
#[derive(Clone, Debug, PartialEq)]
pub enum ScalarType {
    Null,
    Bool(bool),
    /// An integer that fits a signed or unsigned 64-bit number.
    Int(i128),
    Float(f64),
    /// A timestamp, already in RFC 3339 form as Go prints it.
    Timestamp(String),
    Merge,
    Str,
}

impl ScalarType {
    /// True if a text of this type has the tag `tag` without writing it.
    pub fn is_of(&self, tag: &Tag) -> bool {
        self.tag() == *tag
    }

    pub(super) fn tag(&self) -> Tag {
        match self {
            Self::Null => Tag::Null,
            Self::Bool(_) => Tag::Bool,
            Self::Int(_) => Tag::Int,
            Self::Float(_) => Tag::Float,
            Self::Timestamp(_) => Tag::Timestamp,
            Self::Merge => Tag::Merge,
            Self::Str => Tag::Str,
        }
    }
}

impl Tag {
    /// The short name of the tag; empty for no tag, and for a tag that YAML does not define.
    pub(super) fn short(&self) -> &'static str {
        match self {
            Self::None | Self::Other => "",
            Self::Str => "!!str",
            Self::Int => "!!int",
            Self::Float => "!!float",
            Self::Bool => "!!bool",
            Self::Null => "!!null",
            Self::Timestamp => "!!timestamp",
            Self::Binary => "!!binary",
            Self::Merge => "!!merge",
        }
    }
}

/// Resolves a plain text as go-yaml v3 does (YAML 1.2 with exceptions; section 3.8 of the build
/// reference).
pub fn resolve_v3(text: &str) -> ScalarType {
    if text == "<<" { ScalarType::Merge } else { resolve(text, false) }
}

/// Resolves a plain text as go-yaml v2 does for configuration: with the booleans of YAML 1.1. Dates
/// and numbers in base 60 are strings.
pub fn resolve_v1_1(text: &str) -> ScalarType {
    if text == "<<" {
        return ScalarType::Merge;
    }
    match resolve(text, true) {
        ScalarType::Timestamp(_) => ScalarType::Str,
        other => other,
    }
}

/// True if go-yaml v2 reads the plain text as a string, and so prints it plain. False for dates and
/// base-60 numbers (section 6.4, rule 2, of the build reference).
pub fn v1_1_is_string(text: &str) -> bool {
    resolve(text, true) == ScalarType::Str && !is_base_60(text)
}

fn resolve(text: &str, words_of_1_1: bool) -> ScalarType {
    match text.as_bytes().first() {
        None | Some(b'~' | b'n' | b'N' | b't' | b'T' | b'f' | b'F') => word(text, words_of_1_1),
        Some(b'y' | b'Y' | b'o' | b'O') if words_of_1_1 => word(text, true),
        Some(b'.') => match text {
            ".nan" | ".NaN" | ".NAN" => ScalarType::Float(f64::NAN),
            ".inf" | ".Inf" | ".INF" => ScalarType::Float(f64::INFINITY),
            _ => float(text).map_or(ScalarType::Str, ScalarType::Float),
        },
        Some(b'0'..=b'9' | b'+' | b'-') => number(text),
        _ => ScalarType::Str,
    }
}

fn word(text: &str, words_of_1_1: bool) -> ScalarType {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => ScalarType::Null,
        "true" | "True" | "TRUE" => ScalarType::Bool(true),
        "false" | "False" | "FALSE" => ScalarType::Bool(false),
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" if words_of_1_1 => {
            ScalarType::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" if words_of_1_1 => {
            ScalarType::Bool(false)
        }
        _ => ScalarType::Str,
    }
}

fn number(text: &str) -> ScalarType {
    match text {
        "+.inf" | "+.Inf" | "+.INF" => return ScalarType::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => return ScalarType::Float(f64::NEG_INFINITY),
        _ => {}
    }
    if let Some(time) = timestamp(text) {
        return ScalarType::Timestamp(time);
    }
    let stripped;
    let plain = if text.contains('_') {
        stripped = text.replace('_', "");
        &stripped
    } else {
        text
    };
    if let Some(value) = parse_integer(plain) {
        return ScalarType::Int(value);
    }
    float(plain).map_or(ScalarType::Str, ScalarType::Float)
}

/// Parses an integer as Go's `ParseInt` and `ParseUint` with base 0 do: a sign, then `0x`, `0b`,
/// `0o` or a bare `0` for octal. `None` beyond both 64-bit types; a `+` is not accepted beyond the
/// signed range.
fn parse_integer(text: &str) -> Option<i128> {
    let (negative, signed, digits) = match text.as_bytes().first()? {
        b'-' => (true, true, &text[1..]),
        b'+' => (false, true, &text[1..]),
        _ => (false, false, text),
    };
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &digits[2..]),
        [b'0', b'b' | b'B', ..] => (2, &digits[2..]),
        [b'0', b'o' | b'O', ..] => (8, &digits[2..]),
        [b'0', _, ..] => (8, &digits[1..]),
        _ => (10, digits),
    };
    // Rust's parser would accept a second sign here.
    if !digits.as_bytes().first()?.is_ascii_alphanumeric() {
        return None;
    }
    let value = i128::from(u64::from_str_radix(digits, radix).ok()?);
    let value = if negative { -value } else { value };
    (value >= i128::from(i64::MIN) && (!signed || value <= i128::from(i64::MAX))).then_some(value)
}

/// Parses a finite number of the form `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`.
fn float(text: &str) -> Option<f64> {
    let shaped = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    let value: f64 = if shaped { text.parse().ok()? } else { return None };
    value.is_finite().then_some(value)
}

fn is_base_60(text: &str) -> bool {
    static BASE_60: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?$").ok());
    text.contains(':') && BASE_60.as_ref().is_some_and(|form| form.is_match(text))
}

/// The text of a `!!binary` scalar; each byte that is not UTF-8 becomes U+FFFD.
pub(super) fn decode_binary(text: &str) -> Result<String, YamlCause> {
    let packed: String = text.chars().filter(|c| !matches!(c, '\n' | '\r')).collect();
    let bytes = STANDARD.decode(packed).map_err(|_| YamlCause::BadBase64)?;
    Ok(bytes.utf8_chunks().fold(String::new(), |mut text, chunk| {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '\u{FFFD}'));
        text
    }))
}

/// `2006-1-2`, `2006-1-2T15:4:5.9Z07:00` (also with `t`) and `2006-1-2 15:4:5.9`.
static LAYOUTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let date = "([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})";
    let time = "([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,]([0-9]+))?";
    let zone = "(Z|[+-][0-9]{2}:[0-9]{2})?";
    Regex::new(&format!(r"^{date}(?:(?:([Tt])| [ \t\n\x0C\r]*){time}{zone})?$")).ok()
});

/// The date in RFC 3339 as Go prints it, if the text is one in any of the layouts.
pub(super) fn timestamp(text: &str) -> Option<String> {
    if text.as_bytes().get(4) != Some(&b'-') {
        return None;
    }
    let found = LAYOUTS.as_ref()?.captures(text)?;
    let part = |group: usize| found.get(group).map_or("", |part| part.as_str());
    let number = |group: usize, range: RangeInclusive<u32>| {
        part(group).parse::<u32>().ok().filter(|number| range.contains(number))
    };
    let (year, month) = (number(1, 0..=9999)?, number(2, 1..=12)?);
    let day = number(3, 1..=days_in_month(year, month))?;
    let date = format!("{year:04}-{month:02}-{day:02}");
    let (is_zoned, written_zone) = (!part(4).is_empty(), part(9));
    if part(5).is_empty() {
        return Some(format!("{date}T00:00:00Z"));
    }
    if is_zoned == written_zone.is_empty() {
        return None;
    }
    let (hour, minute, second) = (number(5, 0..=23)?, number(6, 0..=59)?, number(7, 0..=59)?);
    let fraction = part(8).get(..9).unwrap_or(part(8)).trim_end_matches('0');
    let dot = if fraction.is_empty() { "" } else { "." };
    let zone = zone(written_zone)?;
    Some(format!("{date}T{hour:02}:{minute:02}:{second:02}{dot}{fraction}{zone}"))
}

/// A time zone, `Z` or `+hh:mm`, as Go prints it; `Z` if none is written.
fn zone(written: &str) -> Option<String> {
    let Some((hours, minutes)) = written.split_once(':') else { return Some("Z".to_owned()) };
    let (sign, hours) = hours.split_at_checked(1)?;
    let (hours, minutes): (u32, u32) = (hours.parse().ok()?, minutes.parse().ok()?);
    let total = hours * 60 + minutes;
    let shown = if total == 0 {
        "Z".to_owned()
    } else {
        format!("{sign}{:02}:{:02}", total / 60, total % 60)
    };
    (hours <= 24 && minutes <= 60).then_some(shown)
}

fn days_in_month(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::ScalarType::{Bool, Float, Int, Merge, Null, Str};
    use super::*;

    /// The pages in `tests/cases/output-scalars` have the usual numbers, words and dates.
    #[test]
    fn v3_resolves_rare_texts() {
        let time = "2001-12-14T21:59:43.1-05:00".to_owned();
        let rows: &[(&str, ScalarType)] = &[
            ("+18446744073709551615", Float(18_446_744_073_709_551_615.0)),
            ("2001-12-14t21:59:43.10-05:00", ScalarType::Timestamp(time)),
            ("2021-02-30", Str),
            ("1__0", Int(10)),
            ("-0o-5", Str),
            (".inf", Float(f64::INFINITY)),
            ("-.INF", Float(f64::NEG_INFINITY)),
            ("<<", Merge),
            ("", Null),
            ("tRUE", Str),
            ("-", Str),
            ("+", Str),
            ("--1", Str),
            ("inf", Str),
            ("1e", Str),
            (".", Str),
            ("_1", Str),
        ];
        for (text, expected) in rows {
            assert_eq!(resolve_v3(text), *expected, "{text}");
        }
        assert!(matches!(resolve_v3(".nan"), Float(value) if value.is_nan()));
    }

    #[test]
    fn v1_1_resolves_boolean_words() {
        for (text, expected) in
            [("y", Bool(true)), ("No", Bool(false)), ("ON", Bool(true)), ("off", Bool(false))]
        {
            assert_eq!(resolve_v1_1(text), expected, "{text}");
        }
        assert_eq!(resolve_v1_1("yEs"), Str);
        assert_eq!(resolve_v1_1("0644"), Int(420));
        assert_eq!(resolve_v1_1("2021-01-01"), Str);
        assert_eq!(resolve_v1_1("12:30"), Str);
    }

    #[test]
    fn v1_1_is_string_rejects_typed_texts() {
        for text in ["", "y", "0o7", "1_0", "12:30", "190:20:30.15", "-1:5", "2021-1-1", ".5", "~"]
        {
            assert!(!v1_1_is_string(text), "{text}");
        }
        for text in
            ["<<", "=", "~a", "0x", "0o8", "1e400", "nULL", "_1", "12:60", "12:", ":1", "1:2:"]
        {
            assert!(v1_1_is_string(text), "{text}");
        }
    }
}
