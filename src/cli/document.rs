//! Prints a document for programs as JSON or YAML.

use serde::Serialize;

use crate::display::{Printer, is_unsafe, to_json};
use crate::engine::yaml::{Node, Style, from_json, print_preserving_style};

use super::Format;

/// Prints a document. Both forms have the same content: the YAML is made from the JSON.
pub(super) fn print(
    out: &mut Printer<'_>,
    document: &impl Serialize,
    format: Format,
) -> std::io::Result<()> {
    let json = to_json(document)?;
    let text = match format {
        Format::Json => json,
        Format::Yaml => yaml(&json)?,
    };
    out.document(&text)
}

/// The same document as YAML. Terminal control characters are escaped, as in JSON.
fn yaml(json: &str) -> std::io::Result<String> {
    let text = print_preserving_style(&unquoted(from_json(json).map_err(std::io::Error::other)?));
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if needs_escape(c) {
            // The scalar is in double quotes.
            escaped.push_str(&format!("\\U{:08X}", u32::from(c)));
        } else {
            escaped.push(c);
        }
    }
    Ok(escaped)
}

fn needs_escape(c: char) -> bool {
    is_unsafe(c) && !matches!(c, '\n' | '\t')
}

/// Removes JSON's quotes; the printer adds those that YAML needs.
fn unquoted(mut node: Node) -> Node {
    if let Some(scalar) = node.as_scalar_mut() {
        let is_harmless = !scalar.text.contains(needs_escape);
        scalar.style = if is_harmless { Style::Plain } else { Style::DoubleQuoted };
    } else if node.items().is_some() {
        for item in node.items_mut().into_iter().flatten() {
            *item = unquoted(item.clone());
        }
    } else if let Some(mapping) = node.as_mapping_mut() {
        for entry in &mut mapping.entries {
            entry.key = unquoted(entry.key.clone());
            entry.value = unquoted(entry.value.clone());
        }
    }
    node
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    /// Prints as YAML and parses the result; numbers as JSON writes them.
    fn read_back(document: &Value) -> Value {
        let json = to_json(document).expect("JSON");
        let yaml = yaml(&json).expect("YAML");
        assert!(!yaml.contains(needs_escape), "{yaml:?}");
        serde_yaml::from_str(&yaml).unwrap_or_else(|error| panic!("{error} in:\n{yaml}"))
    }

    #[test]
    fn numbers_are_numbers_and_texts_stay_texts() {
        let texts = ["1", "1.0", "1e3", "0x1f", "0o17", "on", "No", "null", "~", "", " a ", "a: b"];
        let more = [
            "# a",
            "- a",
            "a\nb\n",
            "a\n",
            "\n",
            "2024-01-01",
            "!a",
            "&a",
            "*a",
            "{a",
            "é\u{9b}",
            "\u{202e}a: b\nc\t\u{e0041}",
        ];
        let document = json!({
            "numbers": [0, -7, 12_345_678_901_u64, u64::MAX],
            "others": [true, null, [], {}],
            "texts": texts.into_iter().chain(more).collect::<Vec<_>>(),
        });
        assert_eq!(read_back(&document), document);
    }

    proptest! {
        #[test]
        fn any_text_reads_back(text in any::<String>(), number in any::<i64>()) {
            let document = json!({"a": text.clone(), "b": [{"c": text, "d": number}]});
            prop_assert_eq!(read_back(&document), document);
        }
    }
}
