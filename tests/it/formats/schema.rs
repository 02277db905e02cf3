//! The JSON Schema of a document, generated from its struct and the comments on the fields.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

/// The schema of a struct in files or folders of `src`, with this `schemaVersion`.
pub(super) fn of(root: &str, version: u32, place: &str) -> Value {
    let mut types = BTreeMap::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for file in place.split(' ').flat_map(|place| walkdir::WalkDir::new(source.join(place))) {
        let file = file.unwrap();
        if file.path().extension().is_some_and(|extension| extension == "rs") {
            read(&std::fs::read_to_string(file.path()).unwrap(), &mut types);
        }
    }
    let mut defs = Map::new();
    add_referenced_types(root, &types, &mut defs);
    let mut schema = defs.remove(root).unwrap();
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["title"] = root.into();
    schema["$defs"] = defs.into();
    let number = &mut schema["properties"]["schemaVersion"];
    assert_eq!(number["type"], "integer", "{root} has a schema_version: u32");
    number["const"] = version.into();
    schema
}

/// Adds a type and all types that it uses to `defs`.
fn add_referenced_types(
    name: &str,
    types: &BTreeMap<String, Value>,
    defs: &mut Map<String, Value>,
) {
    if defs.contains_key(name) {
        return;
    }
    let schema = types.get(name).unwrap_or_else(|| panic!("{name} does not exist"));
    defs.insert(name.to_owned(), schema.clone());
    for named in references(schema) {
        add_referenced_types(&named, types, defs);
    }
}

fn references(schema: &Value) -> Vec<String> {
    match schema {
        Value::Object(fields) => {
            let own = fields.get("$ref").and_then(Value::as_str);
            let own = own.and_then(|name| name.strip_prefix("#/$defs/")).map(str::to_owned);
            own.into_iter().chain(fields.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

/// Adds all serialised structs and enums of a file to `types`.
fn read(text: &str, types: &mut BTreeMap<String, Value>) {
    let mut lines = text.lines();
    let (mut said, mut attributes) = (Vec::new(), String::new());
    while let Some(line) = lines.next() {
        if let Some(words) = line.strip_prefix("/// ") {
            said.push(words.to_owned());
            continue;
        }
        if line.starts_with("#[") {
            attributes.push_str(line);
            continue;
        }
        let is_printed = attributes.contains("Serialize");
        let line = seen(line);
        let body = |name: &str| {
            let name = name.strip_suffix(" {")?;
            Some(name.split('<').next()?.to_owned())
        };
        if let Some(name) = line.strip_prefix("struct ").and_then(body).filter(|_| is_printed) {
            assert!(attributes.contains("camelCase"), "{name} is not in camelCase");
            types.insert(name, struct_schema(&said.join(" "), &mut lines));
        } else if let Some(name) = line.strip_prefix("enum ").and_then(body).filter(|_| is_printed)
        {
            assert!(attributes.contains("camelCase"), "{name} is not in camelCase");
            types.insert(name, words(&said.join(" "), &mut lines));
        }
        said.clear();
        attributes.clear();
    }
}

/// A line of a definition without its visibility, such as `pub(crate)`.
fn seen(line: &str) -> &str {
    let Some(rest) = line.strip_prefix("pub") else { return line };
    let rest = rest.strip_prefix('(').and_then(|it| it.split_once(')')).map_or(rest, |it| it.1);
    rest.trim_start()
}

/// The schema of a struct, from the lines of its definition.
fn struct_schema<'t>(description: &str, lines: &mut impl Iterator<Item = &'t str>) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    let (mut said, mut may_be_left_out, mut is_skipped) = (Vec::new(), false, false);
    for line in lines.take_while(|line| *line != "}").map(str::trim) {
        if let Some(words) = line.strip_prefix("/// ") {
            said.push(words.to_owned());
        } else if line.starts_with("#[") {
            may_be_left_out |= line.contains("skip_serializing_if");
            is_skipped |= line.contains("serde(skip)");
        } else if std::mem::take(&mut is_skipped) {
            said.clear();
        } else if let Some((name, kind)) = seen(line).split_once(": ") {
            let name = to_camel_case(name);
            let kind = kind.trim_end_matches(',');
            let kind = match kind.strip_prefix("Option<").filter(|_| may_be_left_out) {
                Some(inner) => inner.trim_end_matches('>'),
                None => kind,
            };
            let mut property = type_schema(kind);
            assert!(!said.is_empty(), "{name} has no description");
            property["description"] = said.join(" ").into();
            if !may_be_left_out {
                required.push(name.clone());
            }
            properties.insert(name, property);
            (said, may_be_left_out) = (Vec::new(), false);
        }
    }
    json!({
        "type": "object", "description": description, "properties": properties, "required": required,
    })
}

fn words<'t>(description: &str, lines: &mut impl Iterator<Item = &'t str>) -> Value {
    let (mut choices, mut said) = (Vec::new(), Vec::new());
    for line in lines.take_while(|line| *line != "}").map(str::trim) {
        if let Some(words) = line.strip_prefix("/// ") {
            said.push(words.to_owned());
        } else if let Some(name) = line.strip_suffix(',') {
            let mut letters = name.chars();
            let first = letters.next().unwrap().to_ascii_lowercase();
            let word: String = std::iter::once(first).chain(letters).collect();
            choices.push(json!({"const": word, "description": said.join(" ")}));
            said.clear();
        }
    }
    json!({"description": description, "oneOf": choices})
}

/// The schema of a Rust type.
fn type_schema(kind: &str) -> Value {
    let kind = kind.replace("&'a ", "").replace("&'static ", "").replace("<'a>", "");
    let inner = |outer: &str| kind.strip_prefix(outer)?.strip_suffix('>');
    match kind.as_str() {
        "String" | "str" => json!({"type": "string"}),
        // A document of another program, which has no schema here.
        "Value" => json!({}),
        "bool" => json!({"type": "boolean"}),
        "u32" | "u64" | "usize" => json!({"type": "integer", "minimum": 0}),
        "i32" | "i64" => json!({"type": "integer"}),
        "BTreeMap<String, String>" | "BTreeMap<str, str>" => {
            json!({"type": "object", "additionalProperties": {"type": "string"}})
        }
        _ => match (inner("Option<"), inner("Vec<").or(inner("BTreeSet<"))) {
            (Some(some), _) => json!({"anyOf": [type_schema(some), {"type": "null"}]}),
            (None, Some(item)) => json!({"type": "array", "items": type_schema(item)}),
            (None, None) => {
                assert!(kind.chars().all(char::is_alphanumeric), "no rule for the type {kind}");
                json!({"$ref": format!("#/$defs/{kind}")})
            }
        },
    }
}

fn to_camel_case(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |mut all, part| {
        let (head, tail) = part.split_at(1);
        all.push_str(&head.to_ascii_uppercase());
        all.push_str(tail);
        all
    })
}
