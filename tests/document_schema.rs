//! Tests that a document for other programs equals its JSON Schema in `assets/schemas`.

use schemars::JsonSchema;
use serde_json::Value;

const VERSION: &str = "The version of this format. Added fields do not change the version; a removed field or a\n\
                       changed meaning raises the version.";

/// The file `<name>-v<version>.json` is the schema of the type. The descriptions of properties are
/// written in the file alone; `UPDATE=1` writes everything else.
pub(crate) fn assert_schema<T: JsonSchema>(name: &str, version: u32) {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    let number = schema.pointer_mut("/properties/schemaVersion").expect("a version");
    number["const"] = version.into();
    number["description"] = VERSION.into();
    let mut folders = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let folder = folders.find_map(|it| Some(it.join("assets/schemas")).filter(|it| it.is_dir()));
    let path = folder.expect("a folder of schemas").join(format!("{name}-v{version}.json"));
    let current = std::fs::read_to_string(&path).unwrap_or_default();
    copy_descriptions(&serde_json::from_str(&current).unwrap_or_default(), &mut schema);
    let text = format!("{schema:#}\n");
    if std::env::var("UPDATE").is_ok_and(|update| update == "1") {
        std::fs::write(&path, &text).unwrap();
    } else {
        assert!(current == text, "{} is out of date: UPDATE=1 cargo test schema", path.display());
    }
    let mut undescribed = Vec::new();
    note_undescribed(&schema, name, &mut undescribed);
    assert_eq!(undescribed, Vec::<String>::new(), "write a description in {}", path.display());
}

/// Copies the descriptions of a schema to the same places of another one.
fn copy_descriptions(from: &Value, to: &mut Value) {
    match to {
        Value::Object(members) => {
            let text =
                from["description"].as_str().filter(|_| !members.contains_key("description"));
            let text = text.map(|text| ("description".to_owned(), text.into()));
            members.extend(text);
            members.iter_mut().for_each(|(name, member)| copy_descriptions(&from[name], member));
        }
        Value::Array(items) => {
            items.iter_mut().enumerate().for_each(|(at, it)| copy_descriptions(&from[at], it));
        }
        // The schema of any value.
        Value::Bool(true) if from.is_object() => to.clone_from(from),
        _ => {}
    }
}

/// Adds the properties without a description to `out`.
fn note_undescribed(schema: &Value, at: &str, out: &mut Vec<String>) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if property.get("description").is_none() {
            out.push(format!("{at}.{name}"));
        }
    }
    for (name, definition) in schema["$defs"].as_object().into_iter().flatten() {
        note_undescribed(definition, name, out);
    }
}
