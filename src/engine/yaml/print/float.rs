//! Doubles in Go's format: shortest digits, in the two notations of `encoding/json` and go-yaml v2.

use std::fmt::Write as _;

/// Appends a double as `encoding/json` writes it: in exponent notation if it is below 1e-6 or at
/// least 1e21.
pub(in super::super) fn go_json(value: f64, out: &mut String) {
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-6..1e21).contains(&magnitude) {
        push_exponential(value, 1, out);
    } else {
        push(out, format_args!("{value}"));
    }
}

/// Appends a double as go-yaml v2 writes it: in exponent notation, with at least two digits of
/// exponent, if it is below 1e-4 or at least 1e6.
pub(in super::super) fn go_general(value: f64, out: &mut String) {
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-4..1e6).contains(&magnitude) {
        push_exponential(value, 2, out);
    } else {
        push(out, format_args!("{value}"));
    }
}

fn push_exponential(value: f64, digits: usize, out: &mut String) {
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    push(out, format_args!("{mantissa}e{sign}{exponent:0>digits$}"));
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a `String` cannot fail.
    let _ = out.write_fmt(text);
}
