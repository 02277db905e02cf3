//! JSON without characters that have an effect on terminals.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use super::is_unsafe;

/// A document for programs: JSON with one line per member and a final line end. Characters with an
/// effect on terminals, including DEL, C1 and bidirectional controls, are escaped, so that the
/// document can be displayed.
pub fn to_json(document: &impl Serialize) -> io::Result<String> {
    Ok(escape_document(serde_json::to_string_pretty(document)?))
}

/// Like [`to_json`], for a large document: one line for each member, and for each element of a
/// member that is a list.
pub fn to_json_lines(document: &impl Serialize) -> io::Result<String> {
    let mut bytes = Vec::new();
    document.serialize(&mut Serializer::with_formatter(&mut bytes, LineFormatter { depth: 0 }))?;
    Ok(escape_document(String::from_utf8(bytes).map_err(io::Error::other)?))
}

fn escape_document(mut text: String) -> String {
    text.push('\n');
    match escape_json(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(escaped) => escaped,
    }
}

/// A JSON formatter that puts each member of the document, and each element of its lists, on a
/// separate line.
struct LineFormatter {
    depth: usize,
}

impl LineFormatter {
    fn next<W: io::Write + ?Sized>(
        &self,
        out: &mut W,
        first: bool,
        least: usize,
    ) -> io::Result<()> {
        out.write_all(if first { b"" } else { b"," })?;
        if self.depth <= least { out.write_all(b"\n") } else { Ok(()) }
    }

    fn end_collection<W: io::Write + ?Sized>(
        &mut self,
        out: &mut W,
        sign: &[u8],
    ) -> io::Result<()> {
        if self.depth <= 1 {
            out.write_all(b"\n")?;
        }
        self.depth = self.depth.saturating_sub(1);
        out.write_all(sign)
    }
}

impl Formatter for LineFormatter {
    fn begin_array<W: io::Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth += 1;
        out.write_all(b"[")
    }

    fn end_array<W: io::Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.end_collection(out, b"]")
    }

    fn begin_array_value<W: io::Write + ?Sized>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.next(out, first, 2)
    }

    fn begin_object<W: io::Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth += 1;
        out.write_all(b"{")
    }

    fn end_object<W: io::Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.end_collection(out, b"}")
    }

    fn begin_object_key<W: io::Write + ?Sized>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.next(out, first, 1)
    }

    fn begin_object_value<W: io::Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }
}

/// The JSON with every unsafe character as `\u` and four digits. Such characters occur only inside
/// strings; line ends and tabs between tokens are kept.
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
    fn a_large_document_has_a_line_for_each_element() {
        let document = serde_json::json!({"a": [{"b": [1, 2], "c": {}}, []], "d": 1, "e": []});
        let text = to_json_lines(&document).unwrap();
        assert_eq!(text, "{\n\"a\": [\n{\"b\": [1,2],\"c\": {}},\n[]],\n\"d\": 1,\n\"e\": []\n}\n");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), document);
    }

    #[test]
    fn escaped_json_parses_to_the_same_value() {
        let text: String = (0..=0x10_ffff).filter_map(char::from_u32).collect();
        let document = serde_json::json!({"a": text, "b\u{9b}": [1, "\u{202e}"]});
        let json = to_json(&document).unwrap();
        assert!(!json.replace('\n', "").contains(is_unsafe));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap(), document);
        assert_eq!(escape_json("[\"\u{7f}\u{e0041}\"]"), "[\"\\u007f\\udb40\\udc41\"]");
    }
}
