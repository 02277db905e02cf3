//! JSON as Go's `encoding/json` writes it: keys sorted bytewise, HTML characters escaped.

#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use super::print::{Decoded, MappingLevel, ScalarPosition, decode, decode_keys, go_json};
use super::{Mapping, Node, Style, Value, YamlError, mapping_with_merges_applied};

/// The node as Go's compact JSON, after the decoding of steps 1 to 3 of the build reference's
/// section 0.
///
/// # Errors
/// Kustomize cannot convert the node to JSON: duplicate keys, keys below the root that are not
/// strings, infinite numbers, scalars that do not have the type of their tag.
pub fn to_json(node: &Node) -> Result<String, YamlError> {
    write(node, JsonLayout::Compact)
}

/// As [`to_json`], with a line for each member and two spaces of indentation, like Go's
/// `MarshalIndent`.
///
/// # Errors
/// As [`to_json`].
pub fn to_json_pretty(node: &Node) -> Result<String, YamlError> {
    write(node, JsonLayout::Pretty)
}

/// Appends a text as a JSON string of Go: `<`, `>`, `&`, U+2028 and U+2029 escaped.
pub(super) fn push_json_string(text: &str, out: &mut String) {
    out.push('"');
    let mut done = 0;
    for (at, c) in text.char_indices() {
        let short = match c {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            '\u{8}' => "\\b",
            '\u{C}' => "\\f",
            '\0'..='\u{1F}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => "",
            _ => continue,
        };
        out.push_str(&text[done..at]);
        done = at + c.len_utf8();
        if short.is_empty() {
            // Writing to a `String` cannot fail.
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push_str(short);
        }
    }
    out.push_str(&text[done..]);
    out.push('"');
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum JsonLayout {
    Compact,
    Pretty,
}

fn write(node: &Node, layout: JsonLayout) -> Result<String, YamlError> {
    let mut writer = JsonWriter { out: String::new(), layout, depth: 0 };
    writer.node(node, MappingLevel::Root, false)?;
    Ok(writer.out)
}

struct JsonWriter {
    out: String,
    layout: JsonLayout,
    depth: usize,
}

impl JsonWriter {
    fn node(&mut self, node: &Node, level: MappingLevel, flow: bool) -> Result<(), YamlError> {
        let out = &mut self.out;
        match &node.value {
            Value::Mapping(mapping) => self.mapping(mapping, level, flow)?,
            Value::Sequence(items, style) => self.sequence(items, flow || *style == Style::Flow)?,
            Value::Scalar(scalar) => {
                let place = if flow { ScalarPosition::Flow } else { ScalarPosition::Block };
                match decode(node, scalar, place)? {
                    Decoded::Null => out.push_str("null"),
                    Decoded::Bool(value) => out.push_str(if value { "true" } else { "false" }),
                    Decoded::Int(value) => {
                        // Writing to a `String` cannot fail.
                        let _ = write!(out, "{value}");
                    }
                    Decoded::Float(value) => go_json(value, out),
                    Decoded::Str(text) => push_json_string(&text, out),
                }
            }
        }
        Ok(())
    }

    fn mapping(
        &mut self,
        mapping: &Mapping,
        level: MappingLevel,
        flow: bool,
    ) -> Result<(), YamlError> {
        if let Some(merged) = mapping_with_merges_applied(mapping) {
            return self.mapping(&merged, level, flow);
        }
        let flow = flow || mapping.style == Style::Flow;
        let keys = decode_keys(mapping, level, flow)?;
        self.open('{');
        for (position, (key, index)) in keys.iter().enumerate() {
            self.separate(position);
            push_json_string(key, &mut self.out);
            self.out.push_str(if self.layout == JsonLayout::Pretty { ": " } else { ":" });
            self.node(&mapping.entries[*index].value, MappingLevel::Nested, flow)?;
        }
        self.close('}', keys.is_empty());
        Ok(())
    }

    fn sequence(&mut self, items: &[Node], flow: bool) -> Result<(), YamlError> {
        self.open('[');
        for (position, item) in items.iter().enumerate() {
            self.separate(position);
            self.node(item, MappingLevel::Nested, flow)?;
        }
        self.close(']', items.is_empty());
        Ok(())
    }

    fn open(&mut self, bracket: char) {
        self.out.push(bracket);
        self.depth += 1;
    }

    /// Writes the comma before all items but the first, and a line break.
    fn separate(&mut self, position: usize) {
        if position > 0 {
            self.out.push(',');
        }
        self.break_line();
    }

    fn close(&mut self, bracket: char, empty: bool) {
        self.depth -= 1;
        if !empty {
            self.break_line();
        }
        self.out.push(bracket);
    }

    /// Begins a new line with indentation, unless the layout is compact.
    fn break_line(&mut self) {
        if self.layout == JsonLayout::Pretty {
            self.out.push('\n');
            self.out.extend(std::iter::repeat_n("  ", self.depth));
        }
    }
}
