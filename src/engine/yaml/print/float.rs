//! Doubles in Go's format: shortest digits, in the two notations of `encoding/json` and go-yaml v2.

use std::fmt::Write as _;
use std::ops::Range;

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
