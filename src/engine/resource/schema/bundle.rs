//! The built-in schema from its bundle (`assets/kubernetes-schema`, made by the generator beside it).

use std::borrow::Cow;

use memchr::memchr;

use super::{QuickMap, Schema, Shape, ShapeId, Type};

const BUNDLE: &str = include_str!("../../../../assets/kubernetes-schema/v1.21.2.txt");

/// Reads the bundle. A line that is not understood is left out: the bundle is part of the program and tested.
pub(super) fn read() -> Schema {
    let mut schema = Schema::default();
    // Most properties are written alike, and are one shape: what a property is never changes.
    let mut properties: QuickMap<&str, ShapeId> = QuickMap::default();
    let mut current = None;
    let mut below = BUNDLE;
    while let Some((line, rest)) = cut(below, b'\n') {
        below = rest;
        let Some((mark, rest)) = line.split_at_checked(1) else { continue };
        let Some((name, value)) = cut(rest, b' ') else { continue };
        match mark {
            "=" => {
                let id = add(&mut schema, value);
                schema.definitions.insert(Cow::Borrowed(name), id);
                current = Some(id);
            }
            "~" => {
                let Some(id) = current else { continue };
                schema.types.insert((Cow::Borrowed(name), Cow::Borrowed(value)), id);
            }
            _ => {
                let Some(ShapeId(owner)) = current else { continue };
                let known = properties.get(value).copied();
                let id = known.unwrap_or_else(|| {
                    let id = add(&mut schema, value);
                    properties.insert(value, id);
                    id
                });
                schema.shapes[owner].fields.push((Cow::Borrowed(name), id));
            }
        }
    }
    schema
}

/// What stands before a byte of ASCII, and behind it.
fn cut(text: &str, at: u8) -> Option<(&str, &str)> {
    let place = memchr(at, text.as_bytes())?;
    Some((&text[..place], &text[place + 1..]))
}

/// Adds the shape that a text like `[@name]+key` describes.
fn add(schema: &mut Schema, text: &'static str) -> ShapeId {
    let shape = match text.as_bytes().first() {
        Some(b'@') => Shape { reference: Some(Cow::Borrowed(&text[1..])), ..Shape::default() },
        Some(b'[') => {
            let (items, keys) = text[1..].rsplit_once(']').unwrap_or((&text[1..], ""));
            let inner = Some(add(schema, items));
            let merge = keys.strip_prefix('+').map(|keys| {
                keys.split(',').filter(|key| !key.is_empty()).map(Cow::Borrowed).collect()
            });
            Shape { kind: Type::Array, inner, merge, ..Shape::default() }
        }
        Some(b'{') => {
            let inner = Some(add(schema, text[1..].trim_end_matches('}')));
            Shape { kind: Type::Object, inner, ..Shape::default() }
        }
        Some(b's') => Shape { kind: Type::String, ..Shape::default() },
        Some(b'i') => Shape { kind: Type::Integer, ..Shape::default() },
        Some(b'n') => Shape { kind: Type::Number, ..Shape::default() },
        Some(b'b') => Shape { kind: Type::Boolean, ..Shape::default() },
        Some(b'o') => Shape { kind: Type::Object, ..Shape::default() },
        _ => Shape::default(),
    };
    schema.push(shape)
}
