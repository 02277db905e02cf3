//! The content of a tree after a conversion to a Go value: written by go-yaml v3 and read again.

use std::borrow::Cow;

use super::print::{ScalarAnalysis, go_general, go_json, read_back};
use super::scalar::{resolve_v1_1, resolve_v3, v1_1_is_string};
use super::{Limits, Scalar, ScalarType, SourceId, Style, Tag, YamlCause, parse_config};

/// The style of a Go string after go-yaml v3 has written it as a value in a block and read it
/// again.
pub fn go_string_style(text: &str) -> Style {
    let facts = ScalarAnalysis::examine(text);
    if text.contains('\n') {
        return if facts.allows_block_v3() { Style::Literal } else { Style::DoubleQuoted };
    }
    match resolve_v3(text) {
        // When it writes, go-yaml v3 does not treat this text as a merge key.
        ScalarType::Merge => return Style::Plain,
        ScalarType::Str if v1_1_is_string(text) => {}
        _ => return Style::DoubleQuoted,
    }
    match (facts.allows_plain(), facts.allows_single()) {
        (true, _) => Style::Plain,
        (false, true) => Style::SingleQuoted,
        _ => Style::DoubleQuoted,
    }
}

/// The style of a new string: in double quotes where YAML 1.1 would read something else.
pub fn new_string_style(text: &str) -> Style {
    if v1_1_reads_string(text) { Style::Plain } else { Style::DoubleQuoted }
}

/// The style of a string node created by Kustomize.
pub fn made_string_style(text: &str) -> Style {
    if text.contains('\n') { Style::Literal } else { new_string_style(text) }
}

/// True if go-yaml v2 reads the complete text as a string: not `yes`, `- a`, `{}` and `# a`, but
/// dates (Kustomize: `IsYaml1_1NonString`, where an empty text, a text of several lines and one
/// that is no YAML are strings).
pub fn v1_1_reads_string(text: &str) -> bool {
    if text.is_empty() || text.contains('\n') {
        return true;
    }
    match resolve_v1_1(text.trim_matches(' ')) {
        ScalarType::Str | ScalarType::Merge => {}
        _ => return false,
    }
    // Only a text with one of these characters or pairs has to be parsed.
    let first = text.trim_start().bytes().next();
    let is_special = first.is_none_or(|byte| b"-?:,[]{}#&*!|>'\"%@`".contains(&byte));
    let holds = text.bytes().any(|byte| matches!(byte, b':' | b'#'))
        && [": ", ":\t", " #", "\t#"].iter().any(|part| text.contains(part));
    if !is_special && !holds && !text.ends_with(':') {
        return true;
    }
    match parse_config(text.as_bytes(), SourceId::NONE, Limits::default()) {
        Ok(Some(node)) => node.as_scalar().is_some_and(|scalar| {
            matches!(scalar.tag, Tag::Str | Tag::Timestamp | Tag::Merge | Tag::Binary | Tag::Other)
        }),
        Ok(None) => false,
        // A key that JSON cannot represent is valid in go-yaml.
        Err(error) => !matches!(error.cause, YamlCause::InvalidKey | YamlCause::NullKey),
    }
}

/// A double as go-yaml writes it: with the fewest digits, and in exponent notation if it is below
/// 1e-4 or at least 1e6.
pub fn go_float_text(value: f64) -> String {
    let mut text = String::new();
    go_general(value, &mut text);
    text
}

/// A double as Go writes it in JSON: in exponent notation if it is below 1e-6 or at least 1e21.
pub fn json_number(value: f64) -> String {
    let mut text = String::new();
    go_json(value, &mut text);
    text
}

/// The text of a scalar after go-yaml v3 has written it and read it again: only that of a folded
/// scalar may change.
pub fn reread_text(scalar: &Scalar) -> Cow<'_, str> {
    if scalar.style == Style::Folded && ScalarAnalysis::examine(&scalar.text).allows_block_v3() {
        read_back(&scalar.text)
    } else {
        Cow::Borrowed(&scalar.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_v1_1_strings_are_read_as_strings() {
        for text in ["", "a", "2020-01-01", "1:20", "a: b: c", "'5'", "<<", "a #b", "*a", "a\nb"] {
            assert!(v1_1_reads_string(text), "{text:?}");
        }
        for text in [
            "?", "- ?", "{?}", "yes", "5", " ", "5 ", "~", "5 # a", "# a", "- a", "x:", "[]",
            "{a: b}", "!!int 5",
        ] {
            assert!(!v1_1_reads_string(text), "{text:?}");
        }
    }

    #[test]
    fn string_style_keeps_the_type() {
        for (text, style) in [
            ("plain", Style::Plain),
            ("5", Style::DoubleQuoted),
            ("yes", Style::DoubleQuoted),
            ("1:30", Style::DoubleQuoted),
            ("", Style::DoubleQuoted),
            ("a: b", Style::SingleQuoted),
            ("a\nb", Style::Literal),
            ("a \nb", Style::DoubleQuoted),
        ] {
            assert_eq!(go_string_style(text), style, "{text:?}");
        }
        assert_eq!(go_float_text(1_234_567.0), "1.234567e+06");
    }
}
