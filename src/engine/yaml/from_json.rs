//! JSON as Go's `encoding/json` reads it.

use indexmap::IndexMap;
use serde::de::Error as _;
use serde_json::value::RawValue;
use std::sync::Arc;

use super::{Mapping, MappingEntry, Node, Style, Tag, Value, YamlCause, YamlError};

/// Nesting limit for values: that of a tree ([`Limits`](super::Limits)), plus some levels around a
/// tree.
const MAX_VALUE_DEPTH: usize = 260;
/// Go's message for deeper nesting, which Go reports above ten thousand levels.
const TOO_DEEP: &str = "exceeded max depth";

/// Reads JSON into a tree: double-quoted strings, numbers as Go's decoder keeps them. Of duplicate
/// keys the last wins.
///
/// # Errors
/// Text that is not one JSON value.
pub fn from_json(text: &str) -> Result<Node, YamlError> {
    let read = serde_json::from_str(text).and_then(|raw: &RawValue| value(raw, 0));
    read.map_err(|error| json_error(text, &error))
}

fn json_error(text: &str, error: &serde_json::Error) -> YamlError {
    let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    let cause = YamlCause::Json(go_syntax_error(text, error));
    YamlError { line: number(error.line()), column: number(error.column()), cause }
}

fn value(raw: &RawValue, depth: usize) -> Result<Node, serde_json::Error> {
    if depth > MAX_VALUE_DEPTH {
        return Err(serde_json::Error::custom(TOO_DEEP));
    }
    let text = raw.get();
    Ok(match text.as_bytes().first() {
        Some(b'{') => {
            let entries: IndexMap<String, &RawValue> = serde_json::from_str(text)?;
            let entries = entries.into_iter().map(|(key, raw)| {
                let key = Node::scalar(key, Tag::Str, Style::DoubleQuoted);
                Ok(MappingEntry { key, value: value(raw, depth + 1)? })
            });
            let entries = entries.collect::<Result<Vec<_>, serde_json::Error>>()?;
            Value::Mapping(Arc::new(Mapping { entries: entries.into(), style: Style::Plain }))
                .into()
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text)?;
            let items = items.into_iter().map(|item| value(item, depth + 1));
            Node::sequence(items.collect::<Result<_, _>>()?)
        }
        Some(b'"') => {
            Node::scalar(serde_json::from_str::<String>(text)?, Tag::Str, Style::DoubleQuoted)
        }
        Some(b't' | b'f') => Node::scalar(text, Tag::Bool, Style::Plain),
        Some(b'n') => Node::null(),
        _ => number(text),
    })
}

/// Go's message for a common syntax error.
fn go_syntax_error(text: &str, error: &serde_json::Error) -> String {
    if error.is_eof() {
        return "unexpected end of JSON input".to_owned();
    }
    let line = text.split('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
    let found = line.as_bytes().get(error.column().saturating_sub(1)).map(|b| char::from(*b));
    match found {
        Some(found) if error.is_syntax() => {
            let place = place(&error.to_string(), found);
            let is_plain = !found.is_control() && found != '\'';
            let escaped = found.escape_default().to_string();
            let found = if is_plain { found.to_string() } else { escaped };
            format!("invalid character '{found}' {place}")
        }
        _ => error.to_string(),
    }
}

/// Go's words for the location of a character, from the message of the JSON reader.
fn place(words: &str, found: char) -> &'static str {
    let places = [
        ("trailing characters", "after top-level value"),
        ("expected `,` or `]`", "after array element"),
        ("expected `,` or `}`", "after object key:value pair"),
        ("expected `:`", "after object key"),
        ("key must be a string", "looking for beginning of object key string"),
        ("control character", "in string literal"),
        ("invalid escape", "in string escape code"),
        ("expected ident", "in literal"),
        ("invalid number", "in numeric literal"),
    ];
    let known = places.iter().find(|(begin, _)| words.starts_with(begin)).map(|(_, place)| *place);
    if words.starts_with("trailing comma") && found == '}' {
        return "looking for beginning of object key string";
    }
    known.unwrap_or("looking for beginning of value")
}

fn number(text: &str) -> Node {
    // go-yaml reads integers beyond 64 bits as doubles.
    let whole = text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok();
    Node::scalar(text, if whole { Tag::Int } else { Tag::Float }, Style::Plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_values_with_their_types_and_the_last_of_duplicates() {
        let node =
            from_json(r#"{"a": [1, -2, 1.5, true, null, "x"], "b": 1, "b": {"c": 2}}"#).unwrap();
        let tags: Vec<Tag> = node
            .get("a")
            .unwrap()
            .items()
            .unwrap()
            .iter()
            .map(|item| item.as_scalar().unwrap().tag.clone())
            .collect();
        assert_eq!(tags, [Tag::Int, Tag::Int, Tag::Float, Tag::Bool, Tag::Null, Tag::Str]);
        assert_eq!(node.text_at(&["b", "c"]), Some("2"));
        assert_eq!(node.entries().len(), 2);
    }

    #[test]
    fn syntax_errors_are_worded_as_in_go() {
        assert_eq!(from_json(r#"{"a": "#).unwrap_err().to_string(), "unexpected end of JSON input");
        assert_eq!(
            from_json("{} x").unwrap_err().to_string(),
            "invalid character 'x' after top-level value"
        );
        assert!(from_json(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn json_is_read_to_the_depth_of_trees() {
        let nested = |depth| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        for (depth, is_read) in [(251, true), (261, false), (100_000, false)] {
            let text = nested(depth);
            assert_eq!(from_json(&text).is_ok(), is_read);
        }
        let told = from_json(&nested(300)).unwrap_err().to_string();
        assert!(told.contains("exceeded max depth"), "{told}");
    }
}
