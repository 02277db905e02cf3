//! JSON in which no character is left that a terminal would act on.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;

use serde::Serialize;

use super::is_unsafe;

/// A document for programs: JSON with a line for each member and an end of line behind it. What a terminal would act on,
/// DEL, C1 and bidirectional controls too, is escaped, so that the document may be shown as well as read.
///
/// # Errors
/// A map whose keys are no texts.
pub fn to_json(document: &impl Serialize) -> io::Result<String> {
    let mut text = serde_json::to_string_pretty(document)?;
    text.push('\n');
    Ok(match escape_json(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(escaped) => escaped,
    })
}

/// The same JSON with every unsafe character as `\uXXXX`. In a JSON text such a character stands only inside of strings; the
/// ends of lines and the tabs between its tokens stay.
pub fn escape_json(text: &str) -> Cow<'_, str> {
    let is_wrong = |c: char| is_unsafe(c) && !matches!(c, '\n' | '\r' | '\t');
    if !text.contains(is_wrong) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_wrong(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_escaped_reads_back_as_it_was() {
        let text: String = (0..=0x10_ffff).filter_map(char::from_u32).collect();
        let document = serde_json::json!({"a": text, "b\u{9b}": [1, "\u{202e}"]});
        let json = to_json(&document).unwrap();
        assert!(!json.replace('\n', "").contains(is_unsafe));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap(), document);
        assert_eq!(escape_json("[\"\u{7f}\u{e0041}\"]"), "[\"\\u007f\\udb40\\udc41\"]");
    }
}
