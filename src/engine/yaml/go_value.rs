//! What a tree holds once it was a Go value: written by go-yaml v3 and read again.

use std::borrow::Cow;

use super::print::{Facts, go_general, go_json, read_back};
use super::scalar::{resolve_v3, v1_1_is_string};
use super::{Scalar, ScalarType, Style};

/// The style that a Go string has after go-yaml v3 wrote it as a value in a block and read it again.
pub fn go_string_style(text: &str) -> Style {
    let facts = Facts::of(text);
    if text.contains('\n') {
        return if facts.block_v3() { Style::Literal } else { Style::DoubleQuoted };
    }
    if resolve_v3(text) != ScalarType::Str || !v1_1_is_string(text) {
        return Style::DoubleQuoted;
    }
    match (facts.plain_v3(), facts.single_v3()) {
        (true, _) => Style::Plain,
        (false, true) => Style::SingleQuoted,
        _ => Style::DoubleQuoted,
    }
}

/// A double as go-yaml writes it: shortest digits, an exponent below 1e-4 and from 1e6.
pub fn go_float_text(value: f64) -> String {
    let mut text = String::new();
    go_general(value, &mut text);
    text
}

/// A double as Go writes it in JSON: an exponent below 1e-6 and from 1e21.
pub fn json_number(value: f64) -> String {
    let mut text = String::new();
    go_json(value, &mut text);
    text
}

/// The text of a scalar after go-yaml v3 wrote and read it: folded ones do not come back as they were.
pub fn settled_text(scalar: &Scalar, in_flow: bool) -> Cow<'_, str> {
    if scalar.style == Style::Folded && !in_flow && Facts::of(&scalar.text).block_v3() {
        read_back(&scalar.text)
    } else {
        Cow::Borrowed(&scalar.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_come_back_in_the_style_that_keeps_them_strings() {
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
